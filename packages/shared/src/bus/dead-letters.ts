import type { BusConnection } from "./connection.ts";
import { DEAD_LETTERS } from "./streams.ts";

/** An event that nobody could work off. */
export interface DeadLetter {
  sequence: number;
  /** Where it was published, and would be again. */
  subject: string;
  /** Whose attempts failed. */
  durable: string;
  reason: string;
  attempts: number;
  at: string;
  payload: string;
}

/** The dead letters, oldest first, at most `limit` after `afterSequence`. */
export async function listDeadLetters(
  bus: BusConnection,
  { afterSequence = 0, limit = 100 }: { afterSequence?: number; limit?: number } = {},
): Promise<DeadLetter[]> {
  const manager = await bus.nats.jetstreamManager();
  const { state } = await manager.streams.info(DEAD_LETTERS);
  const letters: DeadLetter[] = [];
  const first = Math.max(afterSequence + 1, state.first_seq);
  for (let seq = first; seq <= state.last_seq && letters.length < limit; seq += 1) {
    const stored = await manager.streams.getMessage(DEAD_LETTERS, { seq }).catch(() => null);
    if (stored === null) continue; // deleted meanwhile
    letters.push({
      sequence: seq,
      subject: stored.header.get("Leeway-Subject"),
      durable: stored.subject.split(".").at(-1) ?? "",
      reason: stored.header.get("Leeway-Reason"),
      attempts: Number(stored.header.get("Leeway-Attempts")),
      at: new Date(stored.time).toISOString(),
      payload: Buffer.from(stored.data).toString("utf8"),
    });
  }
  return letters;
}
