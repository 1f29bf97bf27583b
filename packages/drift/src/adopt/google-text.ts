import type { Json } from "@leeway/shared/values/json";

import type { Argument } from "./arguments.ts";

const NOT_SET = /^(?:\w+_UNSPECIFIED|UNSPECIFIED_\w+|INVALID_NETWORK_TIER)$/;
const URL = /^(?:https:)?\/\/(?:[\w-]+\.)*googleapis\.com\/(?:compute\/)?(?:v\d\w*|beta)\//;
/** Arguments that take the last step of a link. */
const SHORT: ReadonlySet<string> = new Set(["machine_type", "zone", "region", "type", "location"]);

/** Returns a value of Google's in the provider's notation; undefined for words that mean "not set". */
export function googleText({ name }: Argument, value: Json): Json | undefined {
  if (Array.isArray(value)) return value.map((one) => (typeof one === "string" ? one.replace(URL, "") : one));
  if (typeof value !== "string") return value;
  if (NOT_SET.test(value)) return undefined;
  const path = value.replace(URL, "");
  return SHORT.has(name) && path.includes("/") ? path.slice(path.lastIndexOf("/") + 1) : path;
}
