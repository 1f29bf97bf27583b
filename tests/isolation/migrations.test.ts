import { afterAll, beforeAll, expect, test } from "bun:test";
import { readMigrations } from "@leeway/shared/database/migration-files";
import { join } from "node:path";
import { runProgram, testDatabase, type TestDatabase } from "@leeway/shared/testing/testing";

import { SCHEMAS } from "./stack.ts";
import { tenantTables } from "./tenant.ts";

const MIGRATE = JSON.stringify(join(import.meta.dir, "../../scripts/migrate.ts"));

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase([]);
});
afterAll(() => db.drop());

test("each service's migrations run once each when five processes start on an empty database", async () => {
  const program = `
    import { migrate } from "../database/migrate.ts";
    const count = await migrate(process.env.URL, JSON.parse(process.env.SCHEMAS), {});
    process.stdout.write(String(count));
  `;
  const env = { URL: db.adminUrl, SCHEMAS: JSON.stringify(SCHEMAS) };
  const runs = await Promise.all(Array.from({ length: 5 }, () => runProgram(program, env)));
  const files = await Promise.all(SCHEMAS.map(({ migrations }) => readMigrations(migrations)));
  expect(runs.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
    Array.from({ length: 5 }, () => ({ exitCode: 0, stderr: "" })),
  );
  expect(runs.map(({ stdout }) => Number(stdout)).toSorted((a, b) => b - a)).toEqual([
    files.flatMap(({ numbered, repeatable }) => [...numbered, ...repeatable]).length,
    0,
    0,
    0,
    0,
  ]);
  expect((await tenantTables(db)).length).toBeGreaterThan(10);
});

test.each(["gateway:", "gateway", "door:secret"])(
  "%s is refused as a role's password, before anything connects",
  async (pair) => {
    const { exitCode, stderr } = await runProgram(`await import(${MIGRATE})`, {
      DATABASE_URL: "postgres://leeway@127.0.0.1:9/leeway",
      NATS_URL: "nats://127.0.0.1:9",
      LEEWAY_ROLE_PASSWORDS: pair,
    });
    expect({ exitCode, stderr: stderr.trim() }).toEqual({
      exitCode: 1,
      stderr: "configuration: LEEWAY_ROLE_PASSWORDS must be service:password, separated by commas",
    });
  },
);
