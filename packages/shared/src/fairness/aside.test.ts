import { getPriority } from "node:os";
import { afterAll, expect, test } from "bun:test";

import type { ExampleTasks } from "./aside.fixture.ts";
import { openAside, openSession } from "./aside.ts";

const url = new URL("./aside.fixture.ts", import.meta.url);
const aside = openAside<ExampleTasks>(url);
afterAll(() => aside.stop());

test("a thread works tasks off, each for the one who asked", async () => {
  const asked = [1, 2, 3].map((one) => aside.work("sum", [one, 10]));
  expect(await Promise.all(asked)).toEqual([11, 12, 13]);
});

test("bytes that are given to it are empty afterwards, others stay", async () => {
  const [given, kept] = [new Uint8Array(7), new Uint8Array(8)];
  expect(await aside.work("lengthOf", [given], [given.buffer])).toBe(7);
  expect(await aside.work("lengthOf", [kept])).toBe(8);
  expect([given.length, kept.length]).toEqual([0, 8]);
});

test("bytes that it gives back are empty there afterwards", async () => {
  const session = openSession<ExampleTasks>(url);
  expect((await session.work("zeros", [9])).zeros).toEqual(new Uint8Array(9));
  expect(await session.work("lengthOfLast", [])).toBe(0);
  session.stop();
});

test.skipIf(process.platform !== "linux")("a thread comes after what is small", async () => {
  expect(await aside.work("niceness", [])).toBe(Math.max(5, getPriority()));
});

test("a refusal comes back as it is, with its details", async () => {
  const refused = { code: "invalid_parameter", message: "plan is none", details: [{ field: "plan" }] };
  expect(await aside.work("refuse", []).catch((error: unknown) => error)).toMatchObject(refused);
});

test("a failure ends the thread, is told as unavailable, and the next task finds a new thread", async () => {
  const failed = await aside.work("fail", []).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: "unavailable" });
  expect(await aside.work("sum", [1, 2])).toBe(3);
});

test("what can't pass to the thread fails by itself, and the next one is told what is its own", async () => {
  const given = new Uint8Array(7);
  await aside.work("lengthOf", [given], [given.buffer]);
  const failed = await aside.work("lengthOf", [given], [given.buffer]).catch((error: unknown) => error);
  expect(failed).toMatchObject({ name: "DataCloneError" });
  expect(await aside.work("sum", [1, 2])).toBe(3);
});

test("a thread that was stopped comes again for the next task", async () => {
  aside.stop();
  expect(await aside.work("sum", [2, 2])).toBe(4);
});

test("who waits for a thread that is stopped is told so", async () => {
  const asked = aside.work("add", [0.001]).catch((error: unknown) => error); // takes 20 s
  await Bun.sleep(1);
  aside.stop();
  expect(await asked).toMatchObject({ code: "unavailable", message: "the thread ended" });
});

test("a session remembers, works off in order what it is asked ahead, and shares nothing with another", async () => {
  const [one, other] = [openSession<ExampleTasks>(url), openSession<ExampleTasks>(url)];
  const asked = [1, 2, 3].map((number) => one.work("add", [number]));
  expect(await other.work("add", [10])).toBe(10);
  expect(await Promise.all(asked)).toEqual([1, 3, 6]);
  for (const session of [one, other]) session.stop();
});

test("a session after another takes over its thread, and nothing that it remembered", async () => {
  const one = openSession<ExampleTasks>(url);
  await one.work("add", [1]);
  const thread = await one.work("thread", []);
  one.stop();
  const next = openSession<ExampleTasks>(url);
  expect(await next.work("thread", [])).toBe(thread);
  expect(await next.work("add", [1])).toBe(1);
  await expect(one.work("add", [1])).rejects.toMatchObject({ code: "unavailable" });
  next.stop();
});

test("who waits for a session that is stopped is told, and so is who asks it after that", async () => {
  const session = openSession<ExampleTasks>(url);
  const asked = session.work("add", [1]).catch((error: unknown) => error);
  session.stop();
  expect(await asked).toMatchObject({ code: "unavailable" });
  await expect(session.work("add", [1])).rejects.toMatchObject({ code: "unavailable" });
});
