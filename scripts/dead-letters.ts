/**
 * Manages dead letters, which are events that no worker could process. Needs `NATS_URL`.
 *   list [--stream S] [--durable D]                       shows them, oldest first; prints nothing if there are none
 *   inspect SEQUENCE…                                     shows the whole payload, with secrets masked
 *   replay SEQUENCE… | --all [--stream S] [--durable D]   publishes them again and removes the dead letters
 */
import type { BusConnection } from "@leeway/shared/bus/connection";
import {
  getDeadLetter,
  listDeadLetters,
  newestDeadLetter,
  replayDeadLetter,
  type ChosenLetters,
  type DeadLetter,
} from "@leeway/shared/bus/dead-letters";
import { loadConfig } from "@leeway/shared/platform/config";
import type { Json } from "@leeway/shared/values/json";
import { redact, redactText } from "@leeway/shared/security/redaction/redact";
import { parseArgs } from "node:util";

import { connectOperator, OPERATOR_VARIABLES } from "./operator-bus.ts";

const PAGE = 100;
const LONGEST = 1_000;
const USAGE =
  "dead-letters [list | inspect SEQUENCE… | replay SEQUENCE… | replay --all] [--stream S] [--durable D]";

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { stream: { type: "string" }, durable: { type: "string" }, all: { type: "boolean" } },
  });
  const [verb = "list", ...given] = positionals;
  const sequences = given.map(sequenceOf);
  const { all, ...chosen } = values;
  const { NATS_URL: url } = loadConfig(OPERATOR_VARIABLES, process.env);
  const bus = await connectOperator(url);
  try {
    if (verb === "list" && sequences.length === 0) await printLetters(bus, chosen);
    else if (verb === "inspect" && sequences.length > 0) for (const one of sequences) await inspect(bus, one);
    else if (verb === "replay" && sequences.length > 0 !== (all === true))
      await replay(bus, all ? inOrder(bus, chosen) : named(bus, sequences));
    else throw new Error(`usage: ${USAGE}`);
  } finally {
    await bus.nats.close();
  }
}

function sequenceOf(word: string): number {
  const sequence = Number(word);
  if (!Number.isSafeInteger(sequence) || sequence < 1)
    throw new Error(`not the number of a dead letter: ${word}`);
  return sequence;
}

/** Yields the dead letters that exist at the start, by sequence number. Events that fail again get later numbers. */
async function* inOrder(bus: BusConnection, chosen: ChosenLetters): AsyncGenerator<DeadLetter> {
  const newest = await newestDeadLetter(bus);
  let page: DeadLetter[];
  let afterSequence = 0;
  do {
    page = await listDeadLetters(bus, { ...chosen, afterSequence, limit: PAGE });
    for (const letter of page) {
      if (letter.sequence > newest) return;
      yield letter;
    }
    afterSequence = page.at(-1)?.sequence ?? 0;
  } while (page.length === PAGE);
}

async function* named(bus: BusConnection, sequences: readonly number[]): AsyncGenerator<DeadLetter> {
  for (const sequence of sequences) yield await found(bus, sequence);
}

async function found(bus: BusConnection, sequence: number): Promise<DeadLetter> {
  const letter = await getDeadLetter(bus, sequence);
  if (!letter) throw new Error(`there is no dead letter ${sequence}`);
  return letter;
}

async function printLetters(bus: BusConnection, chosen: ChosenLetters): Promise<void> {
  let count = 0;
  for await (const letter of inOrder(bus, chosen)) {
    const payload = shown(redactText(letter.payload)).slice(0, LONGEST);
    console.log(`${inWords(letter)}\n    request ${letter.requestId}, payload ${payload}`);
    count += 1;
  }
  console.log(count === 0 ? "No dead letters." : `${count} dead letters.`);
}

async function inspect(bus: BusConnection, sequence: number): Promise<void> {
  const letter = await found(bus, sequence);
  console.log(`${inWords(letter)}\n    stream ${letter.stream}, request ${letter.requestId}`);
  console.log(masked(letter.payload).split("\n").map(shown).join("\n"));
}

async function replay(bus: BusConnection, letters: AsyncIterable<DeadLetter>): Promise<void> {
  let count = 0;
  for await (const letter of letters) {
    await replayDeadLetter(bus, letter);
    console.log(`${letter.sequence}  published again at ${letter.subject}`);
    count += 1;
  }
  console.log(`${count} published again.`);
}

function masked(payload: string): string {
  try {
    const value: Json = JSON.parse(payload);
    return JSON.stringify(redact(value).value, null, 2);
  } catch {
    return redactText(payload);
  }
}

/** Replaces control characters, which must not reach the terminal. */
function shown(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, " ");
}

function inWords({ sequence, at, subject, durable, attempts, reason }: DeadLetter): string {
  return `${sequence}  ${at}  ${durable} gave up ${subject} at attempt ${attempts}: ${shown(redactText(reason))}`;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
