import { isObject, type Json } from "@leeway/shared/json";

import { googleBlocksBy, googleMember } from "../google-values.ts";
import { declaredAt, mirroredMember } from "../live-path.ts";
import type { Row, Shape } from "../mapping.ts";
import { isNothing, type Member } from "../mirrored.ts";
import { none } from "../shapes.ts";
import { inside, meaning } from "./gcp-rows.ts";

/** What a rule doesn't ask for, the API leaves out. Which zeros to send is in the state alone. */
const asked: Member = (live, name, declared) => {
  const found = googleMember(live, name, declared);
  const isOwn = typeof declared === "boolean" || [declared].flat().some(isObject);
  if (isOwn) return found;
  const value = found ?? none(declared);
  return isNothing(value) && isNothing(declared) ? undefined : value;
};

const STATES: Readonly<Record<string, Json>> = { true: "LIVE", false: "ARCHIVED", undefined: "ANY" };

/** Of which of an object's versions a rule is. */
const stateful: Member = (live, name, declared) => {
  if (name !== "with_state") return asked(live, name, declared);
  const state = meaning(mirroredMember(live, "is_live") ?? undefined, STATES);
  return state === "ANY" && isNothing(declared) ? undefined : state;
};

/** Providers before version 3 have an `is_live` beside, and what was made of their plans has neither. */
const isOld = (rule: Json): boolean => declaredAt(rule, ["condition", "is_live"]) !== undefined;

const rules: Shape = (live, declared) =>
  googleBlocksBy([declared].flat().some(isOld) ? googleMember : stateful)(live, declared);

/** By which rules a bucket's objects go, or go elsewhere; without any the API leaves out the lifecycle. */
export const BUCKET_RULES: Row = { ...inside("lifecycle", "rule", [], rules), absent: {} };
