import { afterAll, beforeAll, expect, test } from "bun:test";
import { migrationFiles } from "@leeway/shared/database/migrate";
import { runProgram, testDatabase, type TestDatabase } from "@leeway/shared/testing";

import { SCHEMAS } from "./stack.ts";
import { tenantTables } from "./tenant.ts";

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
