import { afterAll, expect, test } from "bun:test";

import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { logFile, openLog } from "./log-file.ts";

const dir = await mkdtemp(join(tmpdir(), "leeway-log-"));
afterAll(() => rm(dir, { recursive: true, force: true }));

test("a log is moved aside when it is full and at the next start, and only its owner can read it", async () => {
  const log = openLog(dir, 10);
  log("first, and long\n");
  log("second\n");
  expect(await Bun.file(logFile(dir)).text()).toBe("second\n");
  expect(await Bun.file(`${logFile(dir)}.1`).text()).toBe("first, and long\n");
  openLog(dir);
  expect(await Bun.file(`${logFile(dir)}.1`).text()).toBe("second\n");
  expect((await stat(logFile(dir))).mode & 0o777).toBe(0o600);
});

test("a log that can't be written stops nothing", async () => {
  const log = openLog(dir);
  await rm(dir, { recursive: true });
  expect(() => log("lost\n")).not.toThrow();
});
