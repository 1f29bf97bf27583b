import { isObject, type Json, type JsonObject } from "@leeway/shared/json";

import { listOf, mapMembers, setOf, sorted } from "./normal-form.ts";

/** What IAM assumes of a policy without a version. */
const OLDEST_VERSION = "2008-10-17";
const SETS: ReadonlySet<string> = new Set(["Action", "NotAction", "Resource", "NotResource"]);
const PRINCIPALS: ReadonlySet<string> = new Set(["Principal", "NotPrincipal"]);

export function isIamPolicy(document: Json): document is JsonObject {
  return isObject(document) && (Array.isArray(document["Statement"]) || isObject(document["Statement"]));
}

/** How a principal of the kind `AWS` is to be written. */
export type NamePrincipal = (principal: Json) => Json;

/**
 * A policy of IAM's grammar in one form: statements, actions, resources, principals and values of conditions have no
 * order, one is as good as a list of one, an empty `Sid` is none, and an account is as good as its root's ARN.
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
    // Whoever may be anybody is written in two ways, of which only the grants' mean the same.
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

/** IAM reads all values of conditions as text. */
function normalizeCondition(condition: Json): Json {
  return mapMembers(condition, (keys) =>
    mapMembers(keys, (values) =>
      setOf(listOf(values).map((value) => (typeof value === "object" ? value : String(value)))),
    ),
  );
}
