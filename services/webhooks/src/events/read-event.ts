import type { Source } from "@leeway/shared/contracts/webhooks/events";
import { isObject, type JsonObject } from "@leeway/shared/json";

import { readPlannerBody } from "./read-planner-body.ts";
import { readVcsBody } from "./read-vcs-body.ts";
import { ignored, type Reading } from "./reading.ts";

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
    // 5 MB of opening brackets would take 300 ms to refuse
    if (!/^\s*\{/.test(text)) return undefined;
    const json: unknown = JSON.parse(text);
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
