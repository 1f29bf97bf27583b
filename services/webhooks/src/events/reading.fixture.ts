import { InboundEvent } from "@leeway/shared/contracts/webhooks/events";
import { decode } from "@leeway/shared/values/decode";

import type { Reading } from "./reading.ts";

/** Username of Leeway's own comments. */
export const BOT = { botUsernames: ["project_31_bot"] };

export function reasonOf(reading: Reading): string | undefined {
  return reading.wanted ? undefined : reading.reason;
}

export function eventIn(reading: Reading): InboundEvent {
  if (!reading.wanted) throw new Error(`not wanted: ${reading.reason}`);
  return decode(InboundEvent, reading.event());
}
