import { R16 } from "../rules/R16-capacity-reduction.ts";
import { DATA_SIGNS } from "./data-signs.ts";
import { GUARD_SIGNS, SIGN_IN_SIGNS, TRUST_SIGNS } from "./guard-signs.ts";
import { meaning, type GeneralSign } from "./sign.ts";

const STANDBY_SIGNS = meaning(R16.cases.reduced, "Gives up its standby in another zone", [
  {
    names:
      /(?:^|[._])(?:multi_az(?:_enabled)?|zone_redundant|zone_redundancy_enabled|automatic_failover_enabled)$/,
    transition: "off",
  },
  { names: /(?:^|[._])availability_type$/, transition: { from: ["regional"], to: ["zonal"] } },
  { names: /(?:^|[._])high_availability\.mode$/, transition: "emptied" },
]);

/** Signs in order; the first that matches a setting decides. */
export const GENERAL_SIGNS: readonly GeneralSign[] = [
  ...TRUST_SIGNS,
  ...SIGN_IN_SIGNS,
  ...DATA_SIGNS,
  ...GUARD_SIGNS,
  ...STANDBY_SIGNS,
];
