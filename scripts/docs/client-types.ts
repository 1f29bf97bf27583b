import { isObject, type JsonObject, member, members, text } from "@leeway/shared/values/json";
import { join } from "node:path";

/** Path of the dashboard's API types. */
export const CLIENT_TYPES_FILE = join(import.meta.dir, "../../packages/dashboard/src/api/openapi.gen.ts");

const PREFIX = "/api/v2";
const METHODS = ["get", "post", "put", "patch", "delete"];
const HEAD = "// Generated from docs/openapi.json by `bun run docs`.\n";

/**
 * Returns the types of an OpenAPI document: one per schema, and `Operations`. `Operations` has the input and output
 * of each operation by method and path below /api/v2.
 */
export function clientTypes(document: JsonObject): string {
  const schemas = Object.entries(member(member(document, "components"), "schemas") ?? {});
  const types = schemas.map(
    ([name, schema]) => `export type ${name} = ${typeText(isObject(schema) ? schema : {})};\n`,
  );
  const operations = Object.entries(member(document, "paths") ?? {})
    .filter(([path]) => path.startsWith(`${PREFIX}/`))
    .flatMap(([path, item]) => METHODS.flatMap((method) => operationText({ path, method, item })));
  return [HEAD, ...types, `export interface Operations {\n${operations.join("")}}\n`].join("\n");
}

function operationText({ path, method, item }: { path: string; method: string; item: unknown }): string[] {
  const operation = isObject(item) ? member(item, method) : undefined;
  if (!operation) return [];
  const parameters = members(operation, "parameters");
  const parts = [
    `params: ${parametersText(parameters.filter((one) => text(one, "in") === "path"))}`,
    `query: ${parametersText(parameters.filter((one) => text(one, "in") === "query"))}`,
    `body: ${contentText(member(operation, "requestBody")) ?? "undefined"}`,
    `answer: ${answerText(operation)}`,
  ];
  return [`  "${method.toUpperCase()} ${path.slice(PREFIX.length)}": { ${parts.join("; ")} };\n`];
}

function parametersText(parameters: readonly JsonObject[]): string {
  const parts = parameters.map((parameter) => {
    const mark = parameter["required"] === true ? "" : "?";
    return `${text(parameter, "name")}${mark}: ${typeText(member(parameter, "schema") ?? {})}`;
  });
  return parts.length === 0 ? "{}" : `{ ${parts.join("; ")} }`;
}

/** Returns the type of an operation's successful answer. */
function answerText(operation: JsonObject): string {
  const [, answer] =
    Object.entries(member(operation, "responses") ?? {}).find(([status]) => status.startsWith("2")) ?? [];
  return (isObject(answer) ? contentText(answer) : undefined) ?? "undefined";
}

function contentText(holder: JsonObject | undefined): string | undefined {
  const content = member(member(holder, "content"), "application/json");
  const schema = member(content, "schema");
  return schema && typeText(schema);
}

/** Returns a JSON schema as a TypeScript type. */
export function typeText(schema: JsonObject): string {
  const reference = text(schema, "$ref");
  if (reference !== undefined) return reference.slice(reference.lastIndexOf("/") + 1);
  for (const word of ["anyOf", "oneOf"]) {
    if (word in schema)
      return members(schema, word)
        .map((one) => bracketed(typeText(one)))
        .join(" | ");
  }
  if ("allOf" in schema)
    return members(schema, "allOf")
      .map((one) => bracketed(typeText(one)))
      .join(" & ");
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => JSON.stringify(value)).join(" | ");
  return plainText(schema, text(schema, "type") ?? "");
}

function plainText(schema: JsonObject, type: string): string {
  switch (type) {
    case "object":
      return objectText(schema);
    case "array":
      return `${bracketed(typeText(member(schema, "items") ?? {}))}[]`;
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return type;
    default:
      return "unknown";
  }
}

function objectText(schema: JsonObject): string {
  const properties = Object.entries(member(schema, "properties") ?? {});
  if (properties.length === 0) {
    const values =
      Object.values(member(schema, "patternProperties") ?? {}).find(isObject) ??
      member(schema, "additionalProperties");
    return `Record<string, ${values ? typeText(values) : "unknown"}>`;
  }
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const parts = properties.map(([name, value]) => {
    const mark = required.includes(name) ? "" : "?";
    return `${JSON.stringify(name)}${mark}: ${typeText(isObject(value) ? value : {})}`;
  });
  return `{ ${parts.join("; ")} }`;
}

function bracketed(type: string): string {
  return /[ |&]/.test(type) && !type.startsWith("{") ? `(${type})` : type;
}
