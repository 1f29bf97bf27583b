import { headers as natsHeaders, NatsError, type StoredMsg } from "nats";

import { unavailable } from "../errors.ts";
import type { BusConnection } from "./connection.ts";
import { HEADER } from "./headers.ts";
import { store } from "./publish.ts";
import { DEAD_LETTERS, streamManager } from "./streams.ts";

/** An event that nobody could work off. */
export interface DeadLetter {
  sequence: number;
  /** Where it was published, and would be again. */
  subject: string;
  /** The stream that kept it. */
  stream: string;
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

/** Which dead letters: of a stream, of whoever failed. */
export type ChosenLetters = Partial<Pick<DeadLetter, "stream" | "durable">>;

/**
 * The dead letters, oldest first, at most `limit` after `afterSequence`.
 * @throws {AppError} `unavailable` when the bus doesn't answer
 */
export async function listDeadLetters(
  bus: BusConnection,
  {
    afterSequence = 0,
    limit = 100,
    stream = "*",
    durable = "*",
  }: ChosenLetters & { afterSequence?: number; limit?: number } = {},
): Promise<DeadLetter[]> {
  const next_by_subj = `dead.${stream}.${durable}`;
  const letters: DeadLetter[] = [];
  try {
    await bus.whileConnected(async () => {
      const manager = await streamManager(bus);
      while (letters.length < limit) {
        const seq = (letters.at(-1)?.sequence ?? afterSequence) + 1;
        const next = { seq, next_by_subj };
        letters.push(letterOf(await manager.streams.getMessage(DEAD_LETTERS, next)));
      }
    });
  } catch (error) {
    // None follows, or nothing was ever given up.
    if (!isMissing(error)) throw unavailable("the dead letters can't be read", error);
  }
  return letters;
}

/** The number of the newest dead letter; 0 where there is none. @throws {AppError} `unavailable` when the bus doesn't answer */
export async function newestDeadLetter(bus: BusConnection): Promise<number> {
  const { seq = 0 } = (await storedLetter(bus, { last_by_subj: "dead.*.*" })) ?? {};
  return seq;
}

/**
 * One dead letter; undefined when there is none of that number.
 * @throws {AppError} `unavailable` when the bus doesn't answer
 */
export async function getDeadLetter(bus: BusConnection, sequence: number): Promise<DeadLetter | undefined> {
  const stored = await storedLetter(bus, { seq: sequence });
  return stored && letterOf(stored);
}

async function storedLetter(
  bus: BusConnection,
  which: { seq: number } | { last_by_subj: string },
): Promise<StoredMsg | undefined> {
  try {
    return await bus.whileConnected(async () => {
      const manager = await streamManager(bus);
      return manager.streams.getMessage(DEAD_LETTERS, which);
    });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unavailable("the dead letters can't be read", error);
  }
}

/**
 * Publishes a dead letter again where it was published, and takes it away once its stream has it. What was worked
 * off meanwhile, or is marked as failed, is left alone by whoever works it off.
 * @throws {AppError} `unavailable` when the bus doesn't take it; it is still a dead letter then
 */
export async function replayDeadLetter(bus: BusConnection, letter: DeadLetter): Promise<void> {
  const headers = natsHeaders();
  headers.set(HEADER.requestId, letter.requestId);
  const id = `replay:${letter.sequence}:${letter.at}`;
  await store(bus, letter.subject, Buffer.from(letter.payload), { headers, id });
  try {
    await bus.whileConnected(async () => {
      const manager = await streamManager(bus);
      await manager.streams.deleteMessage(DEAD_LETTERS, letter.sequence);
    });
  } catch (error) {
    throw unavailable("it was published again, but is still a dead letter", error);
  }
}

function letterOf({ seq, subject, header, time, data }: StoredMsg): DeadLetter {
  const [, stream = "", durable = ""] = subject.split(".");
  return {
    sequence: seq,
    subject: header.get(SUBJECT),
    stream,
    durable,
    reason: header.get(REASON),
    attempts: Number(header.get(ATTEMPTS)),
    requestId: header.get(HEADER.requestId),
    at: new Date(time).toISOString(),
    payload: Buffer.from(data).toString("utf8"),
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof NatsError && error.code === "404";
}
