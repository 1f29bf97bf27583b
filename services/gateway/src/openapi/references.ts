import type { Json, JsonObject } from "@leeway/shared/json";

/** Leads to a component of the document. */
export function reference(kind: string, name: string): JsonObject {
  return { $ref: `#/components/${kind}/${name}` };
}

/** The description of headers that an answer has. */
export function headers(names: Iterable<string>): JsonObject {
  return Object.fromEntries(Array.from(names, (name) => [name, reference("headers", name)]));
}

/** Examples by name, as a media type shows several. */
export function examplesOf(examples: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- examples are written as JSON
    Object.entries(examples).map(([name, value]) => [name, { value: value as Json }]),
  );
}
