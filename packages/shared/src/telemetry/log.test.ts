import { expect, test } from "bun:test";

import { runProgram } from "../testing.ts";

/** The lines that a logger writes when `statements` run. */
async function linesOf(statements: string, level = "info"): Promise<Record<string, unknown>[]> {
  const { stdout, stderr } = await runProgram(`
    import { withContext } from "./context.ts";
    import { unavailable } from "./errors.ts";
    import { createLogger } from "./telemetry/log.ts";
    const log = createLogger("inventory", "${level}");
    ${statements}`);
  expect(stderr).toBe("");
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

test("a line says when, how bad, who, what, and for which request", async () => {
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

test("only what is bad enough is written", async () => {
  const lines = await linesOf(
    `for (const level of ["debug", "info", "warn", "error"]) log[level](level);`,
    "warn",
  );
  expect(lines.map(({ message }) => message)).toEqual(["warn", "error"]);
});

test("an error shows its kind, its causes and its stack", async () => {
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

test("an error shows no secret that it quotes, nor the statement it came of", async () => {
  const secret = "Canary7hunter2";
  const lines = await linesOf(`
    const cause = new Error('invalid input: "postgres://app:${secret}@db/app"');
    log.error({ error: new Error("password=${secret}", { cause }) }, "failed");
    log.error({ error: "token=${secret}" }, "failed");
    log.error({ error: Object.assign(new Error("x"), { query: "${secret}", parameters: ["${secret}"] }) }, "failed");`);
  expect(lines).toHaveLength(3);
  expect(JSON.stringify(lines)).not.toContain(secret);
});

test("whatever is thrown can be logged", async () => {
  const lines = await linesOf(`
    const circular = new Error("a");
    circular.cause = circular;
    for (const error of [circular, null, undefined, 7n, Object.create(null), { a: 1 }]) log.error({ error }, "x");`);
  expect(lines).toHaveLength(6);
});
