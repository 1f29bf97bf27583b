import { isObject, text, type Json } from "@leeway/shared/json";

import type { Shape } from "../mapping.ts";
import { coerced } from "../mirrored.ts";

/**
 * Parameters that somebody has set, which Cloud Control has by their names. One that isn't there any more may be one that
 * was set to what it is anyway.
 */
export const parameters: Shape = (live, declared) => {
  if (!isObject(live)) return undefined;
  const left = new Map(Object.entries(live).map(([name, value]) => [name.toLowerCase(), value]));
  const kept = (Array.isArray(declared) ? declared : []).map((block): Json => {
    const name = isObject(block) ? (text(block, "name") ?? "").toLowerCase() : "";
    const value = left.get(name) ?? null;
    left.delete(name);
    return isObject(block) && value !== null
      ? { ...block, value: coerced(value, block["value"] ?? "") }
      : block;
  });
  return [...kept, ...left.entries().map(([name, value]) => ({ name, value }))];
};
