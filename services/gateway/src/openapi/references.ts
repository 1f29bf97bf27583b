import type { Json, JsonObject } from "@leeway/shared/values/json";

/** Returns a reference to a component of the document. */
export function reference(kind: string, name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Describes the headers of an answer. */
export function headers(names: Iterable<string>): JsonObject {
  return Object.fromEntries(Array.from(names, (name) => [name, reference("headers", name)]));
}

/** Returns examples by name, in the form of a media type's `examples`. */
export function examplesOf(examples: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- examples are written as JSON
    Object.entries(examples).map(([name, value]) => [name, { value: value as Json }]),
  );
}
