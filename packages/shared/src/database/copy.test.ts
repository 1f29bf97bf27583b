import { expect, test } from "bun:test";

import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import postgres, { type Sql } from "postgres";

import { failureOf, testServers } from "../testing/testing.ts";

const ROW = "x".repeat(999);

/** Row counts around the size of a packet and of a stream's buffer (64 KiB). */
const COUNTS = [0, 1, 2, 16, 63, 64, 65, 66, 70, 130, 131, 840, 3_000];

function copyOut(sql: Sql, rows: number): Promise<Readable> {
  return sql.unsafe(`copy (select '${ROW}' from generate_series(1, ${rows})) to stdout`).readable();
}

test("a COPY of any size ends, however slowly it is read", async () => {
  const sql = postgres(testServers().databaseUrl, { max: 1 });
  for (const rows of Array.from({ length: 20 }, () => COUNTS).flat()) {
    let bytes = 0;
    for await (const chunk of await copyOut(sql, rows)) {
      bytes += chunk.length;
      if (rows % 3 === 0) await Bun.sleep(0);
    }
    expect(bytes).toBe(rows * (ROW.length + 1));
  }
  await sql.end();
});

test("a reader that stops early releases its connection", async () => {
  const sql = postgres(testServers().databaseUrl, { max: 1 });
  for (const rows of COUNTS) {
    for await (const _ of await copyOut(sql, rows)) break;
    expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }]);
  }
  await sql.end();
});

test("an error at the start of a COPY fails only that COPY", async () => {
  const sql = postgres(testServers().databaseUrl, { max: 1 });
  await sql`create temporary view read_only as select 1 as one`;
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const copyIn = sql`copy read_only from stdin`.writable().then((copy) => pipeline(["1\n"], copy));
    expect(await failureOf(copyIn)).toMatchObject({ message: 'cannot copy to view "read_only"' });
    const copyOut = sql`copy (select 1 / 0) to stdout`.readable().then((copy) => copy.toArray());
    expect(await failureOf(copyOut)).toMatchObject({ message: "division by zero" });
    expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }]);
  }
  await sql.end();
});
