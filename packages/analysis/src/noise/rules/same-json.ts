import { isDeepStrictEqual } from "node:util";

import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, type Json } from "@leeway/shared/values/json";

import { keyOf } from "../../plan/canonical-json.ts";
import { PROVEN } from "../confidence.ts";
import type { LeafRule } from "../detector.ts";
import { normalizeContainers } from "../json/container-definitions.ts";
import { isIamPolicy, normalizeIamPolicy, type NamePrincipal } from "../json/iam-policy.ts";
import { mapMembers, setOf, sorted } from "../json/normal-form.ts";
import { parseExact } from "../../plan/parse-exact.ts";
import { attributeName, isKey } from "../path-pattern.ts";

/** Attributes whose exact text matters, even if it is JSON: files, secrets and triggers. */
const BYTES =
  /^(?:name|value|body|data|user_data|custom_data|(?:\w*_)?(?:content|string)|triggers\w*|keepers)$/;

export const sameJson: LeafRule = {
  class: "json_policy_normalization",
  judge({ path, before, after }, { change }) {
    const isEqual = isDocument(path) && isSameDocument(before, after, { type: change.type, path });
    return isEqual ? PROVEN : undefined;
  },
};

/**
 * IAM shows a principal's unique id instead of its ARN. They are equivalent if the plan has the principal with both.
 */
export const samePrincipals: LeafRule = {
  class: "equivalent_value",
  judge({ path, before, after }, { change, plan }) {
    if (!namesById(before) && !namesById(after)) return undefined;
    const namePrincipal: NamePrincipal = (principal) =>
      typeof principal === "string" ? (plan.principalId(principal) ?? principal) : principal;
    const isEqual =
      isDeepStrictEqual(namePrincipal(before), namePrincipal(after)) ||
      (isDocument(path) && isSameDocument(before, after, { type: change.type, path }, namePrincipal));
    return isEqual ? PROVEN : undefined;
  },
};

function namesById(value: Json): boolean {
  return typeof value === "string" && /A(?:ROA|IDA)[\dA-Z]/.test(value);
}

function isDocument(path: Path): boolean {
  return !isKey(path) && !BYTES.test(attributeName(path));
}

interface Place {
  type: string;
  path: Path;
}

/** Checks whether two texts are equivalent JSON documents. */
function isSameDocument(
  before: Json,
  after: Json,
  place: Place,
  namePrincipal: NamePrincipal = (principal) => principal,
): boolean {
  if (typeof before !== "string" || typeof after !== "string") return false;
  const [were, are] = [parseExact(before), parseExact(after)];
  if (were === undefined || are === undefined) return false;
  return isDeepStrictEqual(normalize(were, place, namePrincipal), normalize(are, place, namePrincipal));
}

/** Returns a key that equivalent texts share, as JSON documents or verbatim. */
export function meaningOf(text: string, place: Place): string {
  const document = parseExact(text);
  return document === undefined ? text : keyOf(normalize(document, place, (principal) => principal));
}

function normalize(document: Json, { type, path }: Place, namePrincipal: NamePrincipal): Json {
  const attribute = attributeName(path);
  if (type.startsWith("aws") && isIamPolicy(document)) return normalizeIamPolicy(document, namePrincipal);
  if (type === "aws_ecs_task_definition" && attribute === "container_definitions")
    return normalizeContainers(document) ?? document;
  if (type === "google_bigquery_table" && attribute === "schema") return normalizeSchema(document);
  if (type.startsWith("google_") && attribute === "policy_data") return normalizeBindings(document);
  return document;
}

function normalizeSchema(fields: Json): Json {
  if (!Array.isArray(fields)) return fields;
  return fields.map((field) =>
    isObject(field)
      ? {
          mode: "NULLABLE",
          ...field,
          ...("fields" in field && { fields: normalizeSchema(field["fields"] ?? null) }),
        }
      : field,
  );
}

function normalizeBindings(policy: Json): Json {
  return mapMembers(policy, (bindings, name) => {
    if (name !== "bindings" || !Array.isArray(bindings)) return bindings;
    return sorted(
      bindings.map((binding) =>
        mapMembers(binding, (value, name) => (name === "members" ? setOf(value) : value)),
      ),
    );
  });
}
