import type { InboundEvent, Source } from "@leeway/shared/contracts/webhooks/events";

import { readEvent } from "../events/read-event.ts";
import type { Reading } from "../events/reading.ts";

/** A delivery's body, and by whom our own comments are. */
export interface BodyToRead {
  source: Source;
  body: Uint8Array;
  botUsernames: readonly string[];
}

/** What a body means, as JSON, and whether it is analysed; or why nothing is done for it. */
export type ReadBody =
  | { wanted: true; event: string; isAnalyzed: boolean }
  | { wanted: false; reason: string };

export function readBody({ source, body, botUsernames }: BodyToRead): ReadBody {
  return meaningOf(readEvent(source, body, { botUsernames }));
}

export function meaningOf(reading: Reading): ReadBody {
  if (!reading.wanted) return { wanted: false, reason: reading.reason };
  const event: InboundEvent = reading.event();
  // Of a plan that failed, its pull request is to be told.
  const isAnalyzed = event.kind === "plan" && (event.plan ?? event.change_request) !== undefined;
  return { wanted: true, event: JSON.stringify(event), isAnalyzed };
}
