import type { Json, JsonObject } from "@leeway/shared/values/json";

import { memberOf, mirroredMember } from "../../live-path.ts";
import type { Shape } from "../../mapping.ts";
import { mirrored } from "../../mirrored.ts";
import { namesOf } from "../../names.ts";

/** Kinds of conditions, each with its own block. The provider writes the other kinds as empty blocks. */
const KINDS: ReadonlySet<string> = new Set([
  "host_header",
  "http_header",
  "http_request_method",
  "path_pattern",
  "query_string",
  "source_ip",
]);
const NONE: JsonObject = Object.fromEntries([...KINDS].map((kind) => [kind, []]));

const [VALUES, REGEX_VALUES] = [namesOf("values"), namesOf("regex_values")];

/** Returns a condition; undefined if its kind or its values are unknown. */
function conditionOf(live: Json): Json | undefined {
  const field = memberOf(live, namesOf("field"));
  const kind = typeof field === "string" ? field.replaceAll("-", "_") : "";
  const config = mirroredMember(live, `${kind}_config`);
  const [values, expressions] = [listIn([config, live], VALUES), listIn([config, live], REGEX_VALUES)];
  if (!KINDS.has(kind) || values.length + expressions.length === 0) return undefined;
  if (kind === "query_string") return { ...NONE, query_string: values };
  const name = mirroredMember(config, "http_header_name");
  const block = {
    ...(name !== undefined && { http_header_name: name }),
    values,
    ...(expressions.length > 0 && { regex_values: expressions }),
  };
  return { ...NONE, [kind]: [block] };
}

/** Returns the list in the first object that has it. */
function listIn(objects: readonly (Json | undefined)[], names: readonly string[]): Json[] {
  const found = objects.map((one) => memberOf(one, names)).find((one) => one !== undefined);
  return Array.isArray(found) ? found : [];
}

/** Compares the conditions of a listener's rule. */
export const conditions: Shape = (live, declared) => {
  if (!Array.isArray(live)) return undefined;
  const blocks = live.map(conditionOf).filter((block) => block !== undefined);
  return blocks.length === live.length ? mirrored(blocks, declared) : undefined;
};
