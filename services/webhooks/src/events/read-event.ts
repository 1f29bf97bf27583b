import type { Source } from "@leeway/shared/contracts/webhooks/events";
import { isObject, type JsonObject } from "@leeway/shared/values/json";
import { isTooDeep } from "@leeway/shared/values/strict-json/syntax";

import { readPlannerBody } from "./read-planner-body.ts";
import { readVcsBody } from "./read-vcs-body.ts";
import { ignored, type Reading } from "./reading.ts";

/** First of the mark's three bytes; no other JSON starts with it. */
const BYTE_ORDER_MARK = 0xef;
const READERS: Readonly<Record<Source, (json: JsonObject, botUsernames: readonly string[]) => Reading>> = {
  planner: readPlannerBody,
  vcs: readVcsBody,
};
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Reads a webhook's body; it never throws. Comments by `botUsernames` are Leeway's own and are ignored. */
export function readEvent(
  source: Source,
  body: Uint8Array,
  { botUsernames }: { botUsernames: readonly string[] } = { botUsernames: [] },
): Reading {
  const json = parseObject(body);
  if (json === undefined) return ignored({}, "not_json");
  return READERS[source](json, botUsernames);
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
