import { afterAll, beforeAll, expect, test } from "bun:test";
import { migrationFiles } from "@leeway/shared/database/migrate";
import { join } from "node:path";
import { runProgram, testDatabase, type TestDatabase } from "@leeway/shared/testing";

import { SCHEMAS } from "./stack.ts";
import { tenantTables } from "./tenant.ts";

const MIGRATE = JSON.stringify(join(import.meta.dir, "../../scripts/migrate.ts"));

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase([]);
});
afterAll(() => db.drop());

test("every service's migrations run once each when five processes start on an empty database", async () => {
  const program = `
    import { migrate } from "./database/migrate.ts";
    const count = await migrate(process.env.URL, JSON.parse(process.env.SCHEMAS), {});
    process.stdout.write(String(count));
  `;
  const env = { URL: db.adminUrl, SCHEMAS: JSON.stringify(SCHEMAS) };
  const runs = await Promise.all(Array.from({ length: 5 }, () => runProgram(program, env)));
  const files = await Promise.all(SCHEMAS.map(({ migrations }) => migrationFiles(migrations)));
  expect(runs.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
    Array.from({ length: 5 }, () => ({ exitCode: 0, stderr: "" })),
  );
  expect(runs.map(({ stdout }) => Number(stdout)).toSorted((a, b) => b - a)).toEqual([
    files.flat().length,
    0,
    0,
    0,
    0,
  ]);
  expect((await tenantTables(db)).length).toBeGreaterThan(10);
});

test.each(["gateway:", "gateway", "door:secret"])(
  "%s is no role's password, and no role loses its own by it",
  async (pair) => {
    const [before] = await db.admin`select rolpassword from pg_authid where rolname = 'leeway_gateway'`;
    const { exitCode, stderr } = await runProgram(`await import(${MIGRATE})`, {
      DATABASE_URL: db.adminUrl,
      LEEWAY_ROLE_PASSWORDS: pair,
    });
    expect({ exitCode, stderr: stderr.trim() }).toEqual({
      exitCode: 1,
      stderr: "configuration: LEEWAY_ROLE_PASSWORDS must be service:password, separated by commas",
    });
    const [after] = await db.admin`select rolpassword from pg_authid where rolname = 'leeway_gateway'`;
    expect(after).toEqual(before);
  },
);
