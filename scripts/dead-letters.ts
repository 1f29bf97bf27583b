/**
 * Dead letters, what nobody could work off: `NATS_URL`.
 *   list [--stream S] [--durable D]                   oldest first; what is done without a word
 *   inspect SEQUENCE…                                 with the whole payload, secrets masked
 *   replay SEQUENCE… | --all [--stream S] [--durable D]   published again, and no dead letter any more
 */
import { busUrls, connectBus, parseBusUrl, type BusConnection } from "@leeway/shared/bus/connection";
import {
  getDeadLetter,
  listDeadLetters,
  newestDeadLetter,
  replayDeadLetter,
  type ChosenLetters,
  type DeadLetter,
} from "@leeway/shared/bus/dead-letters";
import { loadConfig, variable } from "@leeway/shared/config";
import type { Json } from "@leeway/shared/json";
import { createLogger } from "@leeway/shared/telemetry/log";
import { redact, redactText } from "@leeway/shared/redaction/redact";
import { parseArgs } from "node:util";

import { within } from "./within.ts";

const CONNECT_MS = 10_000;
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
  const { NATS_URL: url } = loadConfig(
    { NATS_URL: variable("NATS, as its user `operator`", parseBusUrl) },
    process.env,
  );
  const bus = await connectTo(url);
  try {
    if (verb === "list" && sequences.length === 0) await tell(bus, chosen);
    else if (verb === "inspect" && sequences.length > 0) for (const one of sequences) await inspect(bus, one);
    else if (verb === "replay" && sequences.length > 0 !== (all === true))
      await replay(bus, all ? inOrder(bus, chosen) : named(bus, sequences));
    else throw new Error(`usage: ${USAGE}`);
  } finally {
    await bus.nats.close();
  }
}

async function connectTo(url: string): Promise<BusConnection> {
  const server = `NATS at ${busUrls(url)
    .map(({ host }) => host)
    .join(", ")}`;
  const log = createLogger("dead-letters", "error");
  const connecting = connectBus({ url, name: "leeway-operator", log }).catch((error: Error) => {
    throw new Error(`${server} refuses the connection: ${error.message}`, { cause: error });
  });
  return within(CONNECT_MS, connecting, `${server} can't be reached`);
}

function sequenceOf(word: string): number {
  const sequence = Number(word);
  if (!Number.isSafeInteger(sequence) || sequence < 1)
    throw new Error(`not the number of a dead letter: ${word}`);
  return sequence;
}

/** All that are there when it begins, by the bus' count and nobody's clock: what is given up again comes behind them. */
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

async function tell(bus: BusConnection, chosen: ChosenLetters): Promise<void> {
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

/** It may be anything: no control character of it is for the terminal. */
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
