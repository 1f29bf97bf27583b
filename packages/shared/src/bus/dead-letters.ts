import { headers as natsHeaders, NatsError, type StoredMsg } from "nats";

import { unavailable } from "../values/errors.ts";
import type { BusConnection } from "./connection.ts";
import { HEADER } from "./headers.ts";
import { store } from "./publish.ts";
import { DEAD_LETTERS, streamManager } from "./streams.ts";

/** An event that couldn't be processed. */
export interface DeadLetter {
  sequence: number;
  /** Subject of the event, also for a replay. */
  subject: string;
  /** Stream of the event. */
  stream: string;
  /** Consumer whose attempts failed. */
  durable: string;
  reason: string;
  attempts: number;
  /** Id of the request that caused the event. */
  requestId: string;
  at: string;
  payload: string;
}

const SUBJECT = "Leeway-Subject";
const REASON = "Leeway-Reason";
const ATTEMPTS = "Leeway-Attempts";
const LONGEST_REASON = 500;

/** Returns the headers of a dead letter. */
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

/** Filter of dead letters by stream and consumer. */
export type ChosenLetters = Partial<Pick<DeadLetter, "stream" | "durable">>;

/**
 * Returns dead letters, oldest first, at most `limit` after `afterSequence`.
 * @throws {AppError} `unavailable` if the bus doesn't answer
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
    // No dead letter follows, or none was ever stored.
    if (!isMissing(error)) throw unavailable("couldn't read the dead letters", error);
  }
  return letters;
}

/**
 * Returns the sequence of the newest dead letter; 0 if there is none.
 * @throws {AppError} `unavailable` if the bus doesn't answer
 */
export async function newestDeadLetter(bus: BusConnection): Promise<number> {
  const { seq = 0 } = (await storedLetter(bus, { last_by_subj: "dead.*.*" })) ?? {};
  return seq;
}

/**
 * Returns a dead letter; undefined if there is none with this sequence.
 * @throws {AppError} `unavailable` if the bus doesn't answer
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
    throw unavailable("couldn't read the dead letters", error);
  }
}

/**
 * Publishes the event of a dead letter again, and deletes the dead letter once the stream has the event. Handlers
 * ignore work that is done or marked as failed by then.
 * @throws {AppError} `unavailable` if the bus doesn't take it; the dead letter stays then
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
    throw unavailable("the event was published again, but its dead letter couldn't be deleted", error);
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
