import { Type as t, type TSchema, type TUnsafe } from "@sinclair/typebox";

import { words } from "./contract.ts";

/** Most values of one filter. */
const MAX_VALUES = 50;
/** Comes before a value that is left out. */
const NOT = "!";

/** Values of a filter: at least one of them must fit, and none of those after `!`. */
export type Several<V extends string = string> = V | `!${V}` | readonly (V | `!${V}`)[];

/** Returns the schema of a filter that takes one value or several, each of which `!` can negate. */
function several<V extends string>(one: TSchema, description: string, must: string): TUnsafe<Several<V>> {
  return t.Unsafe<Several<V>>({
    ...t.Union([one, t.Array(one, { minItems: 1, maxItems: MAX_VALUES, uniqueItems: true })]),
    description: `${description}. Several values are alternatives. \`${NOT}\` before a value leaves it out`,
    errorMessage: `${must}; ${NOT} before a value leaves it out, and at most ${MAX_VALUES} different values can be given`,
  });
}

/** Returns the schema of a filter by words of a closed set. */
export function severalWords<const W extends string>(
  list: readonly W[],
  description: string,
): TUnsafe<Several<W>> {
  const both = words([...list, ...list.map((word) => `${NOT}${word}`)]);
  return several<W>(both, description, `must be one of ${list.join(", ")}`);
}

const UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";

/** Returns the schema of a filter by ids. */
export function severalIds(description: string): TUnsafe<Several> {
  return several<string>(t.String({ pattern: `^${NOT}?${UUID}$` }), description, "must be a UUID");
}

/** Returns the schema of a filter by texts. */
export function severalTexts(maxLength: number, description: string): TUnsafe<Several> {
  const one = t.String({ pattern: String.raw`^(?:[^${NOT}]|${NOT}[\s\S])`, maxLength });
  return several<string>(one, description, `must have 1 to ${maxLength} characters`);
}

/** Returns whether a schema is of a filter that takes several values. */
export function takesSeveral(schema: TSchema): boolean {
  const variants: unknown = schema["anyOf"];
  return Array.isArray(variants) && variants.length === 2 && variants[1]?.type === "array";
}

/** Returns the values of a filter of which one must fit, and those that must not. */
export function valuesOf(given: Several): { wanted: string[]; unwanted: string[] } {
  const all = typeof given === "string" ? [given] : given;
  const { wanted = [], unwanted = [] } = Object.groupBy(all, (value) =>
    value.startsWith(NOT) ? "unwanted" : "wanted",
  );
  return { wanted, unwanted: unwanted.map((value) => value.slice(NOT.length)) };
}
