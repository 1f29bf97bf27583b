import { expect, test } from "bun:test";

import { pino, type Logger } from "pino";

import { currentContext } from "./context.ts";
import { repeat } from "./repeat.ts";
import { registry } from "./telemetry/metrics.ts";

function recorder(): { log: Logger; lines: string[] } {
  const lines: string[] = [];
  return { log: pino({}, { write: (line) => void lines.push(line) }), lines };
}

/** Returns the log of runs that end as in `outcomes`: with that failure, or with none. */
async function logOf(outcomes: readonly string[], logEveryMs: number): Promise<unknown[]> {
  const { log, lines } = recorder();
  const left = [...outcomes];
  const done = Promise.withResolvers<void>();
  const { stop } = repeat({
    name: "things",
    everyMs: 10,
    logEveryMs,
    log,
    async work() {
      const reason = left.shift();
      if (left.length === 0) done.resolve();
      if (reason) throw new Error("can't be reached", { cause: new Error(reason) });
    },
  });
  await done.promise;
  await stop();
  return lines.map((line): unknown => JSON.parse(line));
}

const logged = { loop: "things", msg: "a background loop failed; it will run again" };

test("a repeated failure is logged once per period, a different one at once", async () => {
  expect(await logOf(["refused", "refused", "refused", "no room", "no room"], 60_000)).toMatchObject([
    logged,
    logged,
  ]);
});

test("a failure that recurs after a success is logged again", async () => {
  expect(await logOf(["refused", "refused", "", "refused"], 60_000)).toMatchObject([logged, logged]);
});

test("a lasting failure is logged again with the number of omitted reports", async () => {
  let [runs, lines] = [0, 0];
  const again = Promise.withResolvers<{ line: object; omitted: number }>();
  const write = (line: string): void => {
    lines += 1;
    if (line.includes("unsaid")) again.resolve({ line: JSON.parse(line), omitted: runs - lines });
  };
  const { stop } = repeat({
    name: "things",
    everyMs: 10,
    logEveryMs: 50,
    log: pino({}, { write }),
    async work() {
      runs += 1;
      throw new Error("refused");
    },
  });
  const { line, omitted } = await again.promise;
  await stop();
  expect(line).toMatchObject({ ...logged, unsaid: omitted });
});

async function failures(): Promise<string | undefined> {
  return /^leeway_loop_failures\{.*loop="counted".*\} (\d+)$/m.exec(await registry.metrics())?.[1];
}

test("a metric counts consecutive failures and is removed at the end", async () => {
  const { log } = recorder();
  const seen: (string | undefined)[] = [];
  const done = Promise.withResolvers<void>();
  const { stop } = repeat({
    name: "counted",
    everyMs: 1,
    log,
    async work() {
      seen.push(await failures());
      if (seen.length === 5) done.resolve();
      if (seen.length !== 3) throw new Error("refused");
    },
  });
  await done.promise;
  await stop();
  expect(seen.slice(0, 5)).toEqual([undefined, "1", "2", "0", "1"]);
  expect(await failures()).toBeUndefined();
});

test("work still running at the stop deadline is aborted without counting as a failure", async () => {
  const { log, lines } = recorder();
  const begun = Promise.withResolvers<void>();
  const { stop } = repeat({
    name: "things",
    everyMs: 10,
    patienceMs: 10,
    log,
    work() {
      begun.resolve();
      const { promise, reject } = Promise.withResolvers<never>();
      currentContext()?.signal?.addEventListener("abort", () => reject(new Error("called off")));
      return promise;
    },
  });
  await begun.promise;
  await stop();
  expect(lines).toEqual([]);
});
