import { isObject, type Json } from "@leeway/shared/values/json";

import { googleBlocksBy, googleMember } from "../../google-values.ts";
import { declaredAt, mirroredMember } from "../../live-path.ts";
import type { Row, Shape } from "../../mapping.ts";
import { isNothing, type Member } from "../../mirrored.ts";
import { none } from "../../shapes.ts";
import { inside, meaning } from "./rows.ts";

/** Returns a condition's member. The API omits unused conditions. Only the state has the flags for sending zeros. */
const asked: Member = (live, name, declared) => {
  const found = googleMember(live, name, declared);
  const isOwn = typeof declared === "boolean" || [declared].flat().some(isObject);
  if (isOwn) return found;
  const value = found ?? none(declared);
  return isNothing(value) && isNothing(declared) ? undefined : value;
};

const STATES: Readonly<Record<string, Json>> = { true: "LIVE", false: "ARCHIVED", undefined: "ANY" };

/** Returns the object versions that a rule applies to. */
const stateful: Member = (live, name, declared) => {
  if (name !== "with_state") return asked(live, name, declared);
  const state = meaning(mirroredMember(live, "is_live") ?? undefined, STATES);
  return state === "ANY" && isNothing(declared) ? undefined : state;
};

/**
 * Reports whether a rule is from a provider before version 3, which writes `is_live` besides `with_state`. Resources
 * derived from such a provider's plans have neither.
 */
const isOld = (rule: Json): boolean => declaredAt(rule, ["condition", "is_live"]) !== undefined;

const rules: Shape = (live, declared) =>
  googleBlocksBy([declared].flat().some(isOld) ? googleMember : stateful)(live, declared);

/** Lifecycle rules of a bucket. Without rules, the API omits the lifecycle. */
export const BUCKET_RULES: Row = { ...inside("lifecycle", "rule", [], rules), absent: {} };
