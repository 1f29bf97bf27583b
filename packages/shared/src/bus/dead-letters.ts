import { NatsError } from "nats";

import { unavailable } from "../errors.ts";
import type { BusConnection } from "./connection.ts";
import { HEADER } from "./headers.ts";
import { DEAD_LETTERS, streamManager } from "./streams.ts";

/** An event that nobody could work off. */
export interface DeadLetter {
  sequence: number;
  /** Where it was published, and would be again. */
  subject: string;
  /** Whose attempts failed. */
  durable: string;
  reason: string;
  attempts: number;
  /** The request that it came of. */
  requestId: string;
  at: string;
  payload: string;
}

const SUBJECT = "Leeway-Subject";
const REASON = "Leeway-Reason";
const ATTEMPTS = "Leeway-Attempts";
const LONGEST_REASON = 500;

/** What is written beside a dead letter's payload. */
export function deadLetterHeaders(
  letter: Pick<DeadLetter, "subject" | "reason" | "attempts" | "requestId">,
): [string, string][] {
  return [
    [SUBJECT, letter.subject],
    [REASON, letter.reason.slice(0, LONGEST_REASON).replaceAll(/[^\x20-\x7e]/g, " ")],
    [ATTEMPTS, String(letter.attempts)],
    [HEADER.requestId, letter.requestId],
  ];
}

/**
 * The dead letters, oldest first, at most `limit` after `afterSequence`.
 * @throws {AppError} `unavailable` when the bus doesn't answer
 */
export async function listDeadLetters(
  bus: BusConnection,
  { afterSequence = 0, limit = 100 }: { afterSequence?: number; limit?: number } = {},
): Promise<DeadLetter[]> {
  try {
    return await bus.whileConnected(() => list(bus, afterSequence, limit));
  } catch (error) {
    if (isMissing(error)) return []; // nothing was ever given up
    throw unavailable("the dead letters can't be read", error);
  }
}

async function list(bus: BusConnection, afterSequence: number, limit: number): Promise<DeadLetter[]> {
  const manager = await streamManager(bus);
  const { state } = await manager.streams.info(DEAD_LETTERS);
  const letters: DeadLetter[] = [];
  const first = Math.max(afterSequence + 1, state.first_seq);
  for (let seq = first; seq <= state.last_seq && letters.length < limit; seq += 1) {
    const stored = await manager.streams.getMessage(DEAD_LETTERS, { seq }).catch((error: unknown) => {
      if (isMissing(error)) return null; // deleted meanwhile
      throw error;
    });
    if (stored === null) continue;
    letters.push({
      sequence: seq,
      subject: stored.header.get(SUBJECT),
      durable: stored.subject.split(".").at(-1) ?? "",
      reason: stored.header.get(REASON),
      attempts: Number(stored.header.get(ATTEMPTS)),
      requestId: stored.header.get(HEADER.requestId),
      at: new Date(stored.time).toISOString(),
      payload: Buffer.from(stored.data).toString("utf8"),
    });
  }
  return letters;
}

function isMissing(error: unknown): boolean {
  return error instanceof NatsError && error.code === "404";
}
