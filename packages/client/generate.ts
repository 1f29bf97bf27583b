import { join } from "node:path";

import openapiTS, { astToString } from "openapi-typescript";

/** Path of the client's generated types. */
export const CLIENT_SCHEMA_FILE = join(import.meta.dir, "src/schema.gen.ts");

const HEAD = "// Generated from docs/openapi.json by `bun run docs`.\n\n";

/** Returns the types of an OpenAPI document, by path and method. */
export async function clientSchemaText(openApi: string): Promise<string> {
  return HEAD + astToString(await openapiTS(JSON.stringify(JSON.parse(openApi, withoutFiles))));
}

const FILES = new Set(["text/csv", "application/x-ndjson"]);

/** Leaves out the other forms of lists, with which the types of rows would be unions with `string`. */
function withoutFiles(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("application/json" in value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([type]) => !FILES.has(type)));
}
