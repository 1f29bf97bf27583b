import { isObject, member, type Json, type JsonObject } from "@leeway/shared/json";

/** Whether a rule of a bucket's lifecycle is as AWS Config records it. */
export function isRecordedRule(rule: JsonObject): boolean {
  return rule["status"] !== undefined;
}

/** Such a rule in Cloud Control's words, as far as AWS Config's are known. */
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

/** -1 is for what isn't set. */
function days(value: Json | undefined): Json {
  return typeof value === "number" && value > 0 ? value : null;
}

/** One condition, or all that must hold. */
function predicates(predicate: Json | undefined): JsonObject[] {
  if (!isObject(predicate)) return [];
  const { operands } = predicate;
  return Array.isArray(operands) ? operands.filter(isObject) : [predicate];
}
