import type { Source } from "@leeway/shared/contracts/webhooks/events";

import { readEvent } from "../events/read-event.ts";
import type { Subject } from "../events/reading.ts";

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
