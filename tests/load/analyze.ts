/**
 * Measures the time and memory of a plan's analysis against `JSON.parse` of the same bytes in the same run. Also
 * measures the rate of small plans in one process. Goal: at most 3 times as long, in under 4 times the plan's size,
 * with the body included. Without files it generates two plans of 20 MB: one where every 50th resource changes, and
 * one where all do.
 * `bun tests/load/analyze.ts [plan.json …]`
 */
import { unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createPlanReader } from "../../services/analyzer/src/plan-reader.ts";
import { readSubmission } from "../../services/analyzer/src/plans/read-submission.ts";
import { analyzeMasked } from "../../services/analyzer/src/tasks.ts";
import { largePlan } from "./large-plan.ts";

const SIZE = 20e6;
/** Returns the number of rounds, enough for the median to come from compiled code. */
const roundsOf = (bytes: Uint8Array): number => (bytes.length > 5e6 ? 5 : 50);
const OPTIONS = { profile: "lenient" as const };
const MEASURE = "--measure";
const BODY = join(tmpdir(), `leeway-submission-${process.pid}.json`);

const ORG = crypto.randomUUID();
const reader = createPlanReader();

/** Measured work, which may transfer the body. */
type Work = (body: Uint8Array) => unknown;

const WORKS: Readonly<Record<string, Work>> = {
  "JSON.parse": (bytes) => JSON.parse(new TextDecoder().decode(bytes)),
  "read and masked": (bytes) => readSubmission(bytes),
  "and analysed": (bytes) => analyzeMasked(readSubmission(bytes).plan, OPTIONS),
  "the same by the service's thread": async (bytes) => {
    const { plan } = await reader.read(ORG, bytes);
    await reader.analyze(ORG, plan, [OPTIONS]);
  },
};

async function millisecondsOf(work: Work, bytes: Uint8Array): Promise<number> {
  const body = new Uint8Array(bytes);
  await work(smallBody()); // starts the thread
  Bun.gc(true);
  const started = performance.now();
  await work(body);
  return performance.now() - started;
}

const middle = (all: readonly number[]): number =>
  all.toSorted((one, other) => one - other)[all.length >> 1] ?? 0;

/**
 * Returns the megabytes by which a warm process grows during the work, body included: the median of three processes.
 */
function memoryOf(name: string): number {
  const runs = Array.from({ length: 3 }, () => {
    const { stdout } = Bun.spawnSync([process.execPath, import.meta.path, MEASURE, name, BODY], {
      stderr: "inherit",
    });
    return Number(stdout.toString());
  });
  return middle(runs);
}

async function measure(name: string, body: string): Promise<void> {
  const work = WORKS[name];
  for (let round = 0; round < 40; round += 1) await work?.(smallBody());
  Bun.gc(true);
  await Bun.write("/proc/self/clear_refs", "5"); // resets the peak
  const before = await peakOf();
  await work?.(await Bun.file(body).bytes());
  process.stdout.write(String((await peakOf()) - before));
}

/** Returns the peak memory in megabytes, read from /proc because `getrusage` includes the parent's. */
async function peakOf(): Promise<number> {
  const status = await Bun.file("/proc/self/status").text();
  return (Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024) / 1e6;
}

/** Copies the smallest plan that is analyzed in the thread. */
const smallBody = (): Uint8Array => new Uint8Array(SMALL);

/** Builds the body that a pipeline submits for a plan. */
function submissionOf(plan: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from('{"plan":'), plan, Buffer.from("}")]);
}

async function report(title: string, plan: Uint8Array): Promise<void> {
  const bytes = submissionOf(plan);
  await Bun.write(BODY, bytes);
  const times = new Map<string, number[]>();
  for (let round = 0; round < roundsOf(bytes); round += 1) {
    for (const [name, work] of Object.entries(WORKS)) {
      times.set(name, [...(times.get(name) ?? []), await millisecondsOf(work, bytes)]);
    }
  }
  const bare = middle(times.get("JSON.parse") ?? []);
  print(`${title}: ${(bytes.length / 1e6).toFixed(2)} MB`);
  for (const [name, all] of times) {
    const ms = middle(all);
    const megabytes = memoryOf(name);
    print(
      `  ${name.padEnd(34)}${ms.toFixed(1).padStart(8)} ms  ${(ms / bare).toFixed(2).padStart(5)} x  ` +
        `${megabytes.toFixed(0).padStart(5)} MB  ${((megabytes * 1e6) / bytes.length).toFixed(1).padStart(5)} x its size`,
    );
  }
}

function reportRate(): void {
  const bytes = submissionOf(largePlan(50_000));
  const until = performance.now() + 3_000;
  let count = 0;
  for (; performance.now() < until; count += 1) WORKS["and analysed"]?.(bytes);
  print(`plans of ${(bytes.length / 1e3).toFixed(0)} kB: ${(count / 3).toFixed(0)} a second in one process`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const SMALL = submissionOf(largePlan(300_000));

const given = Bun.argv.slice(2);
if (given[0] === MEASURE) await measure(given[1] ?? "", given[2] ?? "");
else {
  for (const path of given) await report(path, await Bun.file(path).bytes());
  if (given.length === 0) {
    await report("one resource in 50 changes", largePlan(SIZE));
    await report("every resource changes", largePlan(SIZE, { changing: 1 }));
  }
  await unlink(BODY);
  reportRate();
}
reader.stop();
