import { isObject, member, type Json, type JsonObject } from "@leeway/shared/values/json";

/** Reports whether a lifecycle rule has AWS Config's format. */
export function isRecordedRule(rule: JsonObject): boolean {
  return rule["status"] !== undefined;
}

/** Converts such a rule to Cloud Control's format, as far as AWS Config's format is known. */
export function recordedRule(rule: JsonObject): JsonObject {
  const found = predicates(member(rule, "filter")?.["predicate"]);
  const tags = found.map(({ tag }) => tag).filter((tag) => isObject(tag));
  return {
    Id: rule["id"] ?? null,
    Status: rule["status"] ?? null,
    Prefix: found.find(({ prefix }) => Boolean(prefix))?.["prefix"] ?? rule["prefix"] ?? null,
    TagFilters: tags.map(({ key = null, value = null }) => ({ Key: key, Value: value })),
    ExpirationInDays: days(rule["expirationInDays"]),
    ExpirationDate: rule["expirationDate"] ?? null,
    ExpiredObjectDeleteMarker: rule["expiredObjectDeleteMarker"] ?? null,
    NoncurrentVersionExpiration: { NoncurrentDays: days(rule["noncurrentVersionExpirationInDays"]) },
  };
}

/** Returns a number of days; AWS Config writes -1 if it isn't set. */
function days(value: Json | undefined): Json {
  return typeof value === "number" && value > 0 ? value : null;
}

/** Returns one condition, or all conditions that are combined. */
function predicates(predicate: Json | undefined): JsonObject[] {
  if (!isObject(predicate)) return [];
  const { operands } = predicate;
  return Array.isArray(operands) ? operands.filter(isObject) : [predicate];
}
