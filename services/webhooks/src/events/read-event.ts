import type { Source } from "@leeway/shared/contracts/webhooks/events";
import { isObject, type JsonObject } from "@leeway/shared/json";
import { isTooDeep } from "@leeway/shared/strict-json/syntax";

import { readPlannerBody } from "./read-planner-body.ts";
import { readVcsBody } from "./read-vcs-body.ts";
import { ignored, type Reading } from "./reading.ts";

/** Its first byte of three: no other JSON begins with it. */
const BYTE_ORDER_MARK = 0xef;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a webhook's body, whatever its bytes: it never throws.
 * Comments of `botUsernames` are ours and not wanted.
 */
export function readEvent(
  source: Source,
  body: Uint8Array,
  { botUsernames }: { botUsernames: readonly string[] } = { botUsernames: [] },
): Reading {
  const json = parseObject(body);
  if (json === undefined) return ignored({}, "not_json");
  return source === "vcs" ? readVcsBody(json, botUsernames) : readPlannerBody(json);
}

function parseObject(body: Uint8Array): JsonObject | undefined {
  try {
    const text = utf8.decode(body);
    if (isTooDeep(body[0] === BYTE_ORDER_MARK ? body.subarray(3) : body)) return undefined;
    const json: unknown = JSON.parse(text);
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
