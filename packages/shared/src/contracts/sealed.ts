import type { TSchema, TString } from "@sinclair/typebox";

const SEALED = Symbol("sealed");

/** Names of the members that lead to a field. */
export type FieldPath = readonly string[];

/**
 * Declares a text of a contract as secret: it travels encrypted, and only the two services of the request can read
 * it.
 */
export function sealed<S extends TString>(schema: S): S {
  return { ...schema, [SEALED]: true };
}

/** Returns the paths of a schema's {@link sealed} fields. @throws {Error} if one is in a list or a record */
export function sealedFields(schema: TSchema): FieldPath[] {
  const paths = new Map(walk(schema, []).map((path) => [path.join("."), path]));
  return [...paths.values()];
}

function walk(value: unknown, path: FieldPath): FieldPath[] {
  if (typeof value !== "object" || value === null) return [];
  if (SEALED in value) return [path];
  return Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
    if (key === "properties") return members(part).flatMap(([name, field]) => walk(field, [...path, name]));
    if (key === "anyOf") return members(part).flatMap(([, variant]) => walk(variant, path));
    const found = walk(part, path);
    if (found.length > 0) throw new Error(`${path.join(".")}: a field below "${key}" can't be sealed`);
    return [];
  });
}

function members(value: unknown): [string, unknown][] {
  return Object.entries(Object(value));
}
