import { expect, test } from "bun:test";

import { runProgram } from "../../testing/testing.ts";

/** Returns the lines that a logger writes while running `statements`. */
async function linesOf(statements: string, level = "info"): Promise<Record<string, unknown>[]> {
  const { stdout, stderr } = await runProgram(`
    import { withContext } from "../platform/context.ts";
    import { unavailable } from "../values/errors.ts";
    import { createLogger } from "../platform/telemetry/log.ts";
    const log = createLogger("inventory", "${level}");
    ${statements}`);
  expect(stderr).toBe("");
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

test("a line has its time, level, service, message and request id", async () => {
  const [line] = await linesOf(`withContext({ requestId: "r-1" }, () => log.info({ count: 2 }, "done"));`);
  expect(line).toEqual({
    level: "info",
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    service: "inventory",
    request_id: "r-1",
    count: 2,
    message: "done",
  });
});

test("only lines at or above the level are written", async () => {
  const lines = await linesOf(
    `for (const level of ["debug", "info", "warn", "error"]) log[level](level);`,
    "warn",
  );
  expect(lines.map(({ message }) => message)).toEqual(["warn", "error"]);
});

test("an error is logged with its name, causes and stack", async () => {
  const [line] = await linesOf(
    `log.error({ error: unavailable("away", new TypeError("refused")) }, "failed");`,
  );
  expect(line?.["error"]).toEqual({
    name: "AppError",
    message: "away",
    causes: ["TypeError: refused"],
    stack: expect.stringContaining("AppError: away"),
  });
});

test("a logged error contains no secret and no SQL statement", async () => {
  const secret = "Canary7hunter2";
  const lines = await linesOf(`
    const cause = new Error('invalid input: "postgres://app:${secret}@db/app"');
    log.error({ error: new Error("password=${secret}", { cause }) }, "failed");
    log.error({ error: "token=${secret}" }, "failed");
    log.error({ error: Object.assign(new Error("x"), { query: "${secret}", parameters: ["${secret}"] }) }, "failed");`);
  expect(lines).toHaveLength(3);
  expect(JSON.stringify(lines)).not.toContain(secret);
});

test("any thrown value can be logged", async () => {
  const lines = await linesOf(`
    const circular = new Error("a");
    circular.cause = circular;
    for (const error of [circular, null, undefined, 7n, Object.create(null), { a: 1 }]) log.error({ error }, "x");`);
  expect(lines).toHaveLength(6);
});
