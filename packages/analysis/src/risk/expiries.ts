import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import { canonicalJson } from "../plan/canonical-json.ts";
import type { ResourceChange } from "../plan/model.ts";
import { isEmpty, numeric } from "./attribute-values.ts";

/** A bucket lifecycle rule's target, and the number of days until deletion. */
interface Expiry {
  /** Rules with the same scope cover the same objects. */
  scope: string;
  days: number;
  path: Path;
}

/** Attributes that list rules, in buckets and in separate resources. */
const LISTS = ["rule", "lifecycle_rule"];
/** Blocks of an AWS rule, and the attributes for days, including older provider versions'. */
const BLOCKS: Readonly<Record<string, readonly string[]>> = {
  expiration: ["days"],
  noncurrent_version_expiration: ["noncurrent_days", "days"],
};

/** Returns where a bucket's lifecycle newly deletes everything it kept, or deletes it sooner. */
export function soonerExpiries({ before, after }: ResourceChange): { path: Path }[] {
  const soonest = new Map<string, number>();
  for (const { scope, days } of expiriesOf(before)) {
    soonest.set(scope, Math.min(days, soonest.get(scope) ?? Number.POSITIVE_INFINITY));
  }
  return expiriesOf(after).filter(({ scope, days }) => {
    const was = soonest.get(scope);
    return was === undefined ? WHOLE.has(scope) || soonest.size > 0 : was > days;
  });
}

/** Limit in days below which a new lifecycle that deletes every object counts as a mistake. */
const SOON = 30;

/** Returns rules of a new lifecycle that delete every object of a bucket within days. */
export function wholeExpiries(after: Json): { path: Path }[] {
  return expiriesOf(after).filter(({ scope, days }) => days <= SOON && WHOLE.has(scope));
}

/** Scopes of rules without a filter. */
const WHOLE: ReadonlySet<string> = new Set([
  "expiration []",
  "noncurrent_version_expiration []",
  "delete {}",
  "base_blob {}",
  "version {}",
]);

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
  const objects = canonicalJson(meaningful([filter, prefix, tags]));
  const ofAws = Object.entries(BLOCKS).flatMap(([name, names]) => {
    const block = blockOf(rule[name]);
    const days = names.map((one) => numeric(block?.[one])).find((value) => value > 0);
    return days === undefined ? [] : [{ scope: `${name} ${objects}`, days, path: [...path, name] }];
  });
  const { age = 0, ...condition } = blockOf(rule["condition"]) ?? {};
  const isDeletion = text(blockOf(rule["action"]), "type") === "Delete";
  const scope = `delete ${canonicalJson(meaningful(condition))}`;
  const ofGoogle = isDeletion ? [{ scope, days: numeric(age) || 0, path }] : [];
  return [...ofAws, ...ofGoogle, ...azureExpiries(rule, path)];
}

/** Prefix of the day settings in a storage account's policy. */
const AZURE_DAYS = "delete_after_days_since_";

function azureExpiries(rule: JsonObject, path: Path): Expiry[] {
  const { blob_types: _types, ...narrowing } = blockOf(rule["filters"]) ?? {};
  const objects = canonicalJson(meaningful(narrowing));
  return Object.entries(blockOf(rule["actions"]) ?? {}).flatMap(([name, blocks]) =>
    Object.entries(blockOf(blocks) ?? {})
      .filter(([step, days]) => step.startsWith(AZURE_DAYS) && numeric(days) >= 0)
      .map(([, days]) => ({
        scope: `${name} ${objects}`,
        days: numeric(days),
        path: [...path, "actions"],
      })),
  );
}

function blockOf(value: Json | undefined): JsonObject | undefined {
  const [block] = [value].flat();
  return isObject(block) ? block : undefined;
}

/** Drops what means nothing: providers write unset values as empty, zero or any. */
function meaningful(value: Json): Json {
  if (Array.isArray(value)) return value.map(meaningful).filter((item) => !isEmpty(item));
  if (!isObject(value)) return value === 0 || value === false || value === "ANY" ? null : value;
  const entries = Object.entries(value).map(([name, inner]): [string, Json] => [name, meaningful(inner)]);
  return Object.fromEntries(entries.filter(([, inner]) => !isEmpty(inner)));
}
