import type { Source } from "@leeway/shared/contracts/webhooks/events";

import { readEvent } from "../events/read-event.ts";

/** A delivery's body, and by whom our own comments are. */
export interface BodyToRead {
  source: Source;
  body: Uint8Array;
  botUsernames: readonly string[];
}

/** What a body means, as JSON, or why nothing is done for it. */
export type ReadBody = { wanted: true; event: string } | { wanted: false; reason: string };

export function readBody({ source, body, botUsernames }: BodyToRead): ReadBody {
  const reading = readEvent(source, body, { botUsernames });
  if (!reading.wanted) return { wanted: false, reason: reading.reason };
  return { wanted: true, event: JSON.stringify(reading.event()) };
}
