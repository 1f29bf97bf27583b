/**
 * How long a plan's analysis takes, against `JSON.parse` of the same bytes in the same run, and what memory; and how
 * many small plans one process analyses a second. Goal: at most 3 times as long, in under 4 times the plan's size.
 * `bun tests/load/analyze.ts [plan.json …]`; without files a plan of 20 MB is made.
 */
import { analyzePlan } from "../../packages/analysis/src/analyze.ts";
import { maskPlan } from "../../packages/shared/src/plan/mask-plan.ts";
import { analyzeTask, readTask } from "../../services/analyzer/src/plans/run-plan-task.ts";
import { largePlan } from "./large-plan.ts";

const SIZE = 20e6;
/** Enough that the middle one is of warm code. */
const roundsOf = (bytes: Buffer): number => (bytes.length > 5e6 ? 15 : 200);
const OPTIONS = { profile: "baseline" as const };
const MEASURE = "--measure";

type Work = (bytes: Buffer) => unknown;

/** Each includes those above it. */
const WORKS: Readonly<Record<string, Work>> = {
  "JSON.parse": (bytes) => JSON.parse(bytes.toString("utf8")),
  "and masked": (bytes) => maskPlan(JSON.parse(bytes.toString("utf8"))),
  "and analysed": (bytes) => analyzePlan(maskPlan(JSON.parse(bytes.toString("utf8"))), OPTIONS),
  "by the service, stored between": (bytes) => {
    const { plan } = readTask({ bytes: Buffer.concat([Buffer.from('{"plan":'), bytes, Buffer.from("}")]) });
    return analyzeTask({ plan, options: OPTIONS });
  },
};

function millisecondsOf(work: Work, bytes: Buffer): number {
  Bun.gc(true);
  const started = performance.now();
  work(bytes);
  return performance.now() - started;
}

const middle = (all: readonly number[]): number =>
  all.toSorted((one, other) => one - other)[all.length >> 1] ?? 0;

/** Megabytes that a process of its own grows by while it does the work once. */
function memoryOf(name: string, path: string): number {
  const { stdout } = Bun.spawnSync([process.execPath, import.meta.path, MEASURE, name, path], {
    stderr: "inherit",
  });
  return Number(stdout.toString());
}

async function measure(name: string, path: string): Promise<void> {
  const bytes = Buffer.from(await Bun.file(path).arrayBuffer());
  WORKS[name]?.(Buffer.from('{"format_version":"1.2","resource_changes":[]}')); // so that the code is there
  Bun.gc(true);
  await Bun.write("/proc/self/clear_refs", "5"); // the peak is counted from here
  const before = await peakOf();
  WORKS[name]?.(bytes);
  process.stdout.write(String((await peakOf()) - before));
}

/** Megabytes, as Linux counts them; what `getrusage` tells is a parent's too. */
async function peakOf(): Promise<number> {
  const status = await Bun.file("/proc/self/status").text();
  return (Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024) / 1e6;
}

async function report(path: string): Promise<void> {
  const bytes = Buffer.from(await Bun.file(path).arrayBuffer());
  const times = new Map<string, number[]>();
  for (let round = 0; round < roundsOf(bytes); round += 1) {
    for (const [name, work] of Object.entries(WORKS)) {
      times.set(name, [...(times.get(name) ?? []), millisecondsOf(work, bytes)]);
    }
  }
  const bare = middle(times.get("JSON.parse") ?? []);
  print(`${path}: ${(bytes.length / 1e6).toFixed(2)} MB`);
  for (const [name, all] of times) {
    const ms = middle(all);
    const megabytes = memoryOf(name, path);
    print(
      `  ${name.padEnd(32)}${ms.toFixed(1).padStart(8)} ms  ${(ms / bare).toFixed(2).padStart(5)} x  ` +
        `${megabytes.toFixed(0).padStart(5)} MB  ${((megabytes * 1e6) / bytes.length).toFixed(1).padStart(5)} x its size`,
    );
  }
}

function reportRate(): void {
  const bytes = largePlan(50_000);
  const until = performance.now() + 3_000;
  let count = 0;
  for (; performance.now() < until; count += 1) WORKS["and analysed"]?.(bytes);
  print(`plans of ${(bytes.length / 1e3).toFixed(0)} kB: ${(count / 3).toFixed(0)} a second in one process`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const [mode, ...rest] = Bun.argv.slice(2);
if (mode === MEASURE) await measure(rest[0] ?? "", rest[1] ?? "");
else {
  const given = Bun.argv.slice(2);
  const made = "/tmp/leeway-large-plan.json";
  if (given.length === 0) await Bun.write(made, largePlan(SIZE));
  for (const path of given.length > 0 ? given : [made]) await report(path);
  reportRate();
}
