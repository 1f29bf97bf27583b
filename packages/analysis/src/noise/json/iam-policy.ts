import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import { listOf, mapMembers, setOf, sorted } from "./normal-form.ts";

/** Version that IAM assumes for a policy without one. */
const OLDEST_VERSION = "2008-10-17";
const SETS: ReadonlySet<string> = new Set(["Action", "NotAction", "Resource", "NotResource"]);
const PRINCIPALS: ReadonlySet<string> = new Set(["Principal", "NotPrincipal"]);

export function isIamPolicy(document: Json): document is JsonObject {
  return isObject(document) && (Array.isArray(document["Statement"]) || isObject(document["Statement"]));
}

/** Rewrites a principal of the kind `AWS`. */
export type NamePrincipal = (principal: Json) => Json;

/**
 * Normalizes a policy in IAM's grammar. Statements, actions, resources, principals and condition values are
 * unordered. A value equals a list of one, an empty `Sid` equals none, and an account equals its root's ARN.
 */
export function normalizeIamPolicy(policy: JsonObject, namePrincipal: NamePrincipal): JsonObject {
  const statements = listOf(policy["Statement"] ?? null).map((statement) =>
    isObject(statement) ? normalizeStatement(statement, namePrincipal) : statement,
  );
  return { Version: OLDEST_VERSION, ...policy, Statement: sorted(statements) };
}

function normalizeStatement(statement: JsonObject, namePrincipal: NamePrincipal): JsonObject {
  const members = Object.entries(statement).flatMap(([name, value]): [string, Json][] => {
    if (name === "Sid" && value === "") return [];
    if (SETS.has(name)) return [[name, setOf(value)]];
    // A wildcard can be written in two ways, which are equivalent in `Principal` but not in `NotPrincipal`.
    if (name === "Principal" && value === "*") return [[name, { AWS: ["*"] }]];
    if (PRINCIPALS.has(name)) return [[name, normalizePrincipals(value, namePrincipal)]];
    if (name === "Condition") return [[name, normalizeCondition(value)]];
    return [[name, value]];
  });
  return Object.fromEntries(members);
}

function normalizePrincipals(principals: Json, namePrincipal: NamePrincipal): Json {
  return mapMembers(principals, (ids, kind) =>
    setOf(kind === "AWS" ? listOf(ids).map((id) => namePrincipal(accountOf(id))) : ids),
  );
}

function accountOf(principal: Json): Json {
  if (typeof principal !== "string") return principal;
  return /^arn:aws[\w-]*:iam::(\d{12}):root$/.exec(principal)?.[1] ?? principal;
}

/** Normalizes a condition. IAM compares all of its values as text. */
function normalizeCondition(condition: Json): Json {
  return mapMembers(condition, (keys) =>
    mapMembers(keys, (values) =>
      setOf(listOf(values).map((value) => (typeof value === "object" ? value : String(value)))),
    ),
  );
}
