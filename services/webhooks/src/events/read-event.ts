import type { Source } from "@leeway/shared/contracts/webhooks/events";
import { isObject, member, present, type JsonObject } from "@leeway/shared/values/json";
import { isTooDeep } from "@leeway/shared/values/strict-json/syntax";

import { name } from "./fields.ts";
import { readAtlantisBody } from "./planners/atlantis.ts";
import { readLeewayBody } from "./planners/leeway.ts";
import { isGithub, readVcsBody } from "./read-vcs-body.ts";
import { ignored, type Reading, type Subject } from "./reading.ts";

/** Body of a delivery, with the usernames of Leeway's own comments. */
export interface BodyToRead {
  source: Source;
  body: Uint8Array;
  botUsernames: readonly string[];
}

/** Event in a body, as JSON; or the reason why it is ignored. */
export type ReadBody = { wanted: true; event: string } | { wanted: false; reason: string };

/** Facts about a body on arrival, before its plan is masked. */
export interface Outline extends Subject {
  /** Reason why the body is ignored. */
  unwanted?: string;
}

/** Tasks that read bodies. */
export const TASKS = { readBody, readOutline };

function readBody({ source, body, botUsernames }: BodyToRead): ReadBody {
  const reading = readEvent(source, body, { botUsernames });
  if (!reading.wanted) return { wanted: false, reason: reading.reason };
  return { wanted: true, event: JSON.stringify(reading.event()) };
}

function readOutline({ source, body, botUsernames }: BodyToRead): Outline {
  const reading = readEvent(source, body, { botUsernames });
  const { kind, repository } = reading;
  return {
    ...(kind !== undefined && { kind }),
    ...(repository !== undefined && { repository }),
    ...(!reading.wanted && { unwanted: reading.reason }),
  };
}

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

/** Formats of planners. Each returns undefined for a body of another planner. */
const PLANNERS: readonly ((body: JsonObject, repository: string | undefined) => Reading | undefined)[] = [
  readLeewayBody,
  readAtlantisBody,
];

/** Reads a body in the format of the first planner that knows it. */
function readPlannerBody(body: JsonObject): Reading {
  const repository = repositoryOf(body);
  for (const read of PLANNERS) {
    const reading = read(body, repository);
    if (reading) return reading;
  }
  const subject = present({ repository });
  return isGithub(body) ? ignored(subject, "unsupported_kind", "github") : ignored(subject, "not_an_event");
}

function repositoryOf(body: JsonObject): string | undefined {
  return (
    name(body, "repository") ??
    name(member(body, "repository"), "full_name") ??
    name(member(body, "Repo"), "FullName")
  );
}
