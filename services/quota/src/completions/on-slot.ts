import type { SlotDenial } from "@leeway/shared/contracts/quota/slots";
import type { Logger } from "@leeway/shared/platform/telemetry/log";

import type { Asked } from "../model/ask-model.ts";
import { settle } from "./settle.ts";
import type { Job, Slots } from "./slots.ts";

/**
 * Runs `work` on the job's slot. An answer consumes the slot, and any other outcome releases it. This is the only way
 * to the platform's model.
 * @throws {AppError} `unavailable` when the gates can't be read
 */
export async function onSlot(
  { slots, log }: { slots: Slots; log: Logger },
  job: Job,
  work: () => Promise<Asked>,
): Promise<Asked | SlotDenial> {
  let answered = false;
  let taken = true; // assumed until the reservation says otherwise
  try {
    const reservation = await slots.reserve(job);
    taken = reservation.granted;
    if (!reservation.granted) return reservation;
    const asked = await work();
    ({ answered } = asked);
    return asked;
  } finally {
    if (answered) await settle(log, "consume a slot", () => slots.consume(job));
    else if (taken) await settle(log, "release a slot", () => slots.release(job));
  }
}
