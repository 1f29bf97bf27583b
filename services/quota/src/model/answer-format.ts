import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { isObject, member, type Json, type JsonObject } from "@leeway/shared/values/json";

/** Keywords that the strict modes of OpenAI, Azure and Anthropic reject; the reader of the answer checks them. */
const BOUNDS: ReadonlySet<string> = new Set(["minLength", "maxLength", "minItems", "maxItems"]);

/** Requests an answer by a JSON Schema, in the subset that every provider accepts. */
export function answerFormat(schema: JsonObject): NonNullable<LanguageModelV4CallOptions["responseFormat"]> {
  return { type: "json", name: "answer", schema: portable(schema) };
}

/** Removes bounds and makes every property required, as OpenAI's strict mode demands. */
function portable(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([keyword]) => !BOUNDS.has(keyword));
  const properties = member(schema, "properties");
  return {
    ...Object.fromEntries(kept.map(([keyword, value]) => [keyword, inner(value)])),
    ...(properties && { required: Object.keys(properties) }),
  };
}

function inner(value: Json): Json {
  if (Array.isArray(value)) return value.map(inner);
  return isObject(value) ? portable(value) : value;
}
