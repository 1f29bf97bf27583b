import { expect, test } from "bun:test";

import { RETENTION, type Retention } from "@leeway/shared/contracts/retention";
import { testDatabase } from "@leeway/shared/testing/testing";

import { SCHEMAS } from "../../scripts/schemas.ts";
import { chapter, read } from "./repository.ts";

const RULES: Retention[] = Object.values(RETENTION);

test("the runbook lists every table with a retention, its days and their start", async () => {
  const rows = chapter(await read("docs/operations.md"), "Retention").matchAll(
    /^\| (`.+?) \| (\d+) \| (.+) \|$/gm,
  );
  expect([...rows].map((row) => row.slice(1))).toEqual(
    RULES.map(({ tables, days, since }) => [
      tables.map((table) => `\`${table}\``).join(", "),
      String(days),
      since,
    ]),
  );
});

test("every table with a retention exists, and has one retention", async () => {
  const db = await testDatabase(SCHEMAS);
  const named = RULES.flatMap(({ tables }) => tables);
  const rows = await db.admin<{ name: string }[]>`
    select oid::regclass::text as name from pg_class where relkind in ('r', 'p') and oid::regclass::text = any (${named})
  `;
  await db.drop();
  expect(rows.map(({ name }) => name).toSorted()).toEqual(named.toSorted());
});
