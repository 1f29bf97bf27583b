import { expect, test } from "bun:test";

import { pino, type Logger } from "pino";

import { currentContext } from "./context.ts";
import { repeat } from "./repeat.ts";
import { registry } from "./telemetry/metrics.ts";

function recorder(): { log: Logger; lines: string[] } {
  const lines: string[] = [];
  return { log: pino({}, { write: (line) => void lines.push(line) }), lines };
}

/** What is logged while each time ends as `outcomes` says: with that failure, or with none. */
async function toldOf(outcomes: readonly string[], tellEveryMs: number): Promise<unknown[]> {
  const { log, lines } = recorder();
  const left = [...outcomes];
  const done = Promise.withResolvers<void>();
  const { stop } = repeat({
    name: "things",
    everyMs: 10,
    tellEveryMs,
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

const told = { loop: "things", msg: "will be tried again" };

test("a failure that stays the same is told once for a while, another one at once", async () => {
  expect(await toldOf(["refused", "refused", "refused", "no room", "no room"], 60_000)).toMatchObject([
    told,
    told,
  ]);
});

test("a failure that comes again after a time that went well is told again", async () => {
  expect(await toldOf(["refused", "refused", "", "refused"], 60_000)).toMatchObject([told, told]);
});

test("a failure that lasts is told again, with how often it was left unsaid", async () => {
  const lines = await toldOf(
    Array.from({ length: 12 }, () => "refused"),
    50,
  );
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.length).toBeLessThan(6);
  expect(lines[1]).toMatchObject({ ...told, unsaid: expect.any(Number) });
});

async function failures(): Promise<string | undefined> {
  return /^leeway_loop_failures\{.*loop="counted".*\} (\d+)$/m.exec(await registry.metrics())?.[1];
}

test("how often it has failed in a row is told by a metric, and no more once it is stopped", async () => {
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

test("what takes too long when it is stopped is called off, and that is no failure", async () => {
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
