import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, text, type Json, type JsonObject } from "@leeway/shared/json";

import { canonicalJson } from "../../noise/canonical-json.ts";
import type { ResourceChange } from "../../plan/model.ts";
import { isEmpty, numeric } from "../turns.ts";

/** What a rule of a bucket's lifecycle deletes, and after how many days. */
interface Expiry {
  /** Two with the same scope are about the same objects. */
  scope: string;
  days: number;
  path: Path;
}

/** Where rules are, in buckets and beside them. */
const LISTS = ["rule", "lifecycle_rule"];
/** Blocks of a rule at AWS, and what older versions of the provider call the days. */
const BLOCKS: Readonly<Record<string, readonly string[]>> = {
  expiration: ["days"],
  noncurrent_version_expiration: ["noncurrent_days", "days"],
};

/** Where a bucket's lifecycle deletes what it kept before, or kept for longer. */
export function soonerExpiries({ before, after }: ResourceChange): { path: Path }[] {
  const soonest = new Map<string, number>();
  for (const { scope, days } of expiriesOf(before)) {
    soonest.set(scope, Math.min(days, soonest.get(scope) ?? Number.POSITIVE_INFINITY));
  }
  return expiriesOf(after).filter(
    ({ scope, days }) => (soonest.get(scope) ?? Number.POSITIVE_INFINITY) > days,
  );
}

function expiriesOf(side: Json): Expiry[] {
  return LISTS.flatMap((name) => {
    const rules = isObject(side) ? side[name] : undefined;
    return (Array.isArray(rules) ? rules : []).flatMap((rule, index) =>
      isObject(rule) && isInForce(rule) ? expiriesIn(rule, [name, index]) : [],
    );
  });
}

function isInForce({ status, enabled }: JsonObject): boolean {
  return status !== "Disabled" && enabled !== false;
}

function expiriesIn(rule: JsonObject, path: Path): Expiry[] {
  const { filter = null, prefix = null, tags = null } = rule;
  const objects = canonicalJson(said([filter, prefix, tags]));
  const ofAws = Object.entries(BLOCKS).flatMap(([name, names]) => {
    const block = blockOf(rule[name]);
    const days = names.map((one) => numeric(block?.[one])).find((value) => value > 0);
    return days === undefined ? [] : [{ scope: `${name} ${objects}`, days, path: [...path, name] }];
  });
  const { age = 0, ...condition } = blockOf(rule["condition"]) ?? {};
  const isDeletion = text(blockOf(rule["action"]), "type") === "Delete";
  const scope = `delete ${canonicalJson(said(condition))}`;
  return isDeletion ? [...ofAws, { scope, days: numeric(age) || 0, path }] : ofAws;
}

function blockOf(value: Json | undefined): JsonObject | undefined {
  const [block] = [value].flat();
  return isObject(block) ? block : undefined;
}

/** What says something: providers write all else as empty, as zero or as any. */
function said(value: Json): Json {
  if (Array.isArray(value)) return value.map(said).filter((item) => !isEmpty(item));
  if (!isObject(value)) return value === 0 || value === false || value === "ANY" ? null : value;
  const entries = Object.entries(value).map(([name, inner]): [string, Json] => [name, said(inner)]);
  return Object.fromEntries(entries.filter(([, inner]) => !isEmpty(inner)));
}
