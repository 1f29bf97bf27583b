import { DATA_SIGNS } from "./data-signs.ts";
import { GUARD_SIGNS, SIGN_IN_SIGNS, TRUST_SIGNS } from "./guard-signs.ts";
import type { GeneralSign } from "./sign.ts";

/** Signs in order; the first that matches a setting decides. */
export const GENERAL_SIGNS: readonly GeneralSign[] = [
  ...TRUST_SIGNS,
  ...SIGN_IN_SIGNS,
  ...DATA_SIGNS,
  ...GUARD_SIGNS,
];
