import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism, getPriority } from "node:os";
import { afterAll, describe, expect, test } from "bun:test";

import { abortable, withContext } from "../platform/context.ts";
import { failureOf } from "../testing/testing.ts";
import { openReaders, readingPermits } from "./readers.ts";
import { exampleTasks } from "./readers.fixture.ts";

const url = new URL("./readers-thread.fixture.ts", import.meta.url);
const readers = openReaders({ url, begin: exampleTasks });
const hurried = openReaders({ url, begin: exampleTasks, limitMs: (bytes) => bytes / 1_000 });
afterAll(() => [readers, hurried].forEach(({ stop }) => stop()));

const LARGE = { orgId: "a", bytes: 1 << 20 };
const threads = (): number => readdirSync("/proc/self/task").filter((id) => nameOf(id) === "Worker").length;

/** Returns the name of a thread of this process, or undefined once it is gone. */
function nameOf(id: string): string | undefined {
  try {
    return readFileSync(`/proc/self/task/${id}/comm`, "utf8").trim();
  } catch {
    return undefined;
  }
}
const SMALL = { orgId: "a", bytes: 16 << 10 };

describe("a large piece", () => {
  test("is read on a thread, and each caller gets its own result", async () => {
    const asked = [1, 2, 3].map((one) => readers.do(LARGE, "sum", [one, 10]));
    expect(await Promise.all(asked)).toEqual([11, 12, 13]);
    expect(await readers.do(LARGE, "thread", [])).not.toBe(0);
  });

  test("transfers its bytes to the thread, and copies others", async () => {
    const [given, kept] = [new Uint8Array(7), new Uint8Array(8)];
    expect(await readers.do(LARGE, "lengthOf", [given], [given.buffer])).toBe(7);
    expect(await readers.do(LARGE, "lengthOf", [kept])).toBe(8);
    expect([given.length, kept.length]).toEqual([0, 8]);
  });

  test("keeps no bytes on the thread that returned them", async () => {
    await readers.within(LARGE, async (reader) => {
      expect((await reader.do("zeros", [9])).zeros).toEqual(new Uint8Array(9));
      expect(await reader.do("lengthOfLast", [])).toBe(0);
    });
  });

  test.skipIf(process.platform !== "linux")("has lower priority than small ones", async () => {
    expect(await readers.do(LARGE, "niceness", [])).toBe(Math.max(5, getPriority()));
  });

  test("fails with the task's error and its details", async () => {
    const refused = { code: "invalid_parameter", message: "plan is none", details: [{ field: "plan" }] };
    expect(await failureOf(readers.do(LARGE, "refuse", []))).toMatchObject(refused);
  });

  test("whose task crashes ends its thread, and the next one gets a new thread", async () => {
    expect(await failureOf(readers.do(LARGE, "fail", []))).toMatchObject({ code: "unavailable" });
    expect(await readers.do(LARGE, "sum", [1, 2])).toBe(3);
  });

  test("that can't be transferred fails without affecting others", async () => {
    const given = new Uint8Array(7);
    await readers.do(LARGE, "lengthOf", [given], [given.buffer]);
    const failed = await failureOf(readers.do(LARGE, "lengthOf", [given], [given.buffer]));
    expect(failed).toMatchObject({ name: "DataCloneError" });
    expect(await readers.do(LARGE, "sum", [1, 2])).toBe(3);
  });

  test("whose caller is gone before its turn isn't read", async () => {
    const signal = AbortSignal.abort();
    const read = withContext({ requestId: "x", signal }, () => readers.do(LARGE, "sum", [1, 2]));
    expect(await failureOf(read)).toMatchObject({ code: "unavailable" });
  });

  test.skipIf(process.platform !== "linux")(
    "whose caller leaves during reading ends its thread",
    async () => {
      const patient = openReaders({ url, begin: exampleTasks, limitMs: () => Infinity });
      const before = threads();
      const caller = new AbortController();
      const read = abortable(caller.signal, () => failureOf(patient.do(LARGE, "spin", [])));
      while (threads() === before) await Bun.sleep(5);
      caller.abort();
      expect(await read).toMatchObject({ code: "unavailable" });
      while (threads() > before) await Bun.sleep(5);
    },
  );
});

test("a small piece is read at once, without state from the previous one", async () => {
  expect(await readers.do(SMALL, "thread", [])).toBe(0);
  expect([await readers.do(SMALL, "add", [1]), await readers.do(SMALL, "add", [1])]).toEqual([1, 1]);
});

function addAll(numbers: number[]): Promise<number[]> {
  return readers.within(LARGE, (reader) => Promise.all(numbers.map((number) => reader.do("add", [number]))));
}

describe("a piece with several steps", () => {
  test("keeps its own state and order", async () => {
    expect(await Promise.all([addAll([1, 2, 3]), addAll([10])])).toEqual([[1, 3, 6], [10]]);
  });

  test("reuses the previous one's thread without its state", async () => {
    const before = await readers.within(LARGE, async (reader) => {
      await reader.do("add", [1]);
      return reader.do("thread", []);
    });
    await readers.within(LARGE, async (reader) => {
      expect(await reader.do("thread", [])).toBe(before);
      expect(await reader.do("add", [1])).toBe(1);
    });
  });

  test.skipIf(process.platform !== "linux")(
    "keeps a thread that is used again and again, and ends it when idle",
    async () => {
      const before = threads();
      const patient = openReaders({ url, begin: exampleTasks, idleMs: 1_000 });
      const used = new Set<number>();
      for (const started = performance.now(); performance.now() - started < 1_500; await Bun.sleep(100))
        used.add(await patient.do(LARGE, "thread", []));
      expect(used.size).toBe(1);
      while (threads() > before) await Bun.sleep(5);
      patient.stop();
    },
  );

  test("ends its thread when it is abandoned during a step", async () => {
    let step: Promise<unknown> | undefined;
    await readers.within(LARGE, async (reader) => {
      await reader.do("add", [1]);
      step = failureOf(reader.do("add", [0.001])); // takes 20 s
      await Bun.sleep(10);
    });
    expect(await step).toMatchObject({ code: "unavailable", message: "the reader thread ended" });
  });
});

describe("a piece that takes too long for its size", () => {
  test("is stopped with an error, and the next one is read", async () => {
    const failed = await failureOf(hurried.do({ orgId: "a", bytes: 200_000 }, "spin", []));
    const message = expect.stringContaining("reading the document was stopped after 1 s of processor time");
    expect(failed).toMatchObject({ code: "too_slow_to_read", message });
    expect(await hurried.do(LARGE, "sum", [1, 2])).toBe(3);
  });

  test("fails in all of its steps", async () => {
    const steps = await hurried.within({ orgId: "a", bytes: 200_000 }, (reader) =>
      Promise.all([reader.do("spin", []), reader.do("sum", [1, 2])].map(failureOf)),
    );
    expect(steps).toMatchObject([{ code: "too_slow_to_read" }, { code: "unavailable" }]);
  });

  test("may wait longer than it may compute", async () => {
    await hurried.do({ orgId: "a", bytes: 200_000 }, "sleep", [600]);
  });

  test("gets more time for a larger step", async () => {
    await hurried.within({ orgId: "a", bytes: 20_000 }, (reader) =>
      reader.do("spin", [300], { bytes: 5_000_000 }),
    );
  });
});

test("readers that share permits run no more steps of an organization at once than one alone", async () => {
  const permits = readingPermits();
  const both = [1, 2].map(() => openReaders({ url, begin: exampleTasks, limitMs: () => Infinity, permits }));
  const share = Math.floor(Math.max(2, availableParallelism()) / 2);
  let done = 0;
  const caller = new AbortController();
  const endless = abortable(caller.signal, () =>
    Promise.all(Array.from({ length: share }, () => failureOf(both[0]!.do(LARGE, "spin", [])))),
  );
  const own = both[1]!.do(LARGE, "sum", [1, 2]).finally(() => (done += 1));
  await both[1]!.do({ ...LARGE, orgId: "b" }, "sleep", [500]);
  expect(done).toBe(0);
  caller.abort();
  await endless;
  expect(await own).toBe(3);
  for (const { stop } of both) stop();
});

test("an organization with endless pieces leaves places to others", async () => {
  const endless = Array.from({ length: 20 }, () =>
    failureOf(hurried.do({ orgId: "a", bytes: 400_000 }, "spin", [])),
  );
  let done = 0;
  for (const one of endless) void one.then(() => (done += 1));
  await Bun.sleep(50);
  const others = ["b", "c"].map((orgId) => hurried.do({ orgId, bytes: 400_000 }, "sum", [1, 2]));
  expect(await Promise.all(others)).toEqual([3, 3]);
  expect(done).toBeLessThan(endless.length);
  hurried.stop();
}, 60_000);
