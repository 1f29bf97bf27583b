import type { Json, JsonObject } from "@leeway/shared/json";

import { memberOf, mirroredMember } from "../live-path.ts";
import type { Shape } from "../mapping.ts";
import { mirrored } from "../mirrored.ts";
import { namesOf } from "../names.ts";

/** What a condition may be on, each a block of its own: the provider has those that it isn't on as empty. */
const KINDS: ReadonlySet<string> = new Set([
  "host_header",
  "http_header",
  "http_request_method",
  "path_pattern",
  "query_string",
  "source_ip",
]);
const NONE: JsonObject = Object.fromEntries([...KINDS].map((kind) => [kind, []]));

const VALUES = namesOf("values");

/** Undefined for one of which the values aren't plain: those of regular expressions are elsewhere. */
function conditionOf(live: Json): Json | undefined {
  const field = memberOf(live, namesOf("field"));
  const kind = typeof field === "string" ? field.replaceAll("-", "_") : "";
  const config = mirroredMember(live, `${kind}_config`);
  const values = memberOf(config, VALUES) ?? memberOf(live, VALUES);
  if (!KINDS.has(kind) || !Array.isArray(values) || values.length === 0) return undefined;
  if (kind === "query_string") return { ...NONE, query_string: values };
  const name = mirroredMember(config, "http_header_name");
  return { ...NONE, [kind]: [{ ...(name !== undefined && { http_header_name: name }), values }] };
}

/** Which requests a listener's rule is for. */
export const conditions: Shape = (live, declared) => {
  if (!Array.isArray(live)) return undefined;
  const blocks = live.map(conditionOf).filter((block) => block !== undefined);
  return blocks.length === live.length ? mirrored(blocks, declared) : undefined;
};
