import { describe, expect, test } from "bun:test";

import { pipeline } from "node:stream/promises";

import postgres from "postgres";

import { withContext } from "../context.ts";
import { AppError } from "../errors.ts";
import { failureOf } from "../testing.ts";
import { A, CONNECTIONS, notesDatabase, unavailable } from "./notes.fixture.ts";

const notes = notesDatabase();

describe("a transaction", () => {
  test("is rolled back when its work throws", async () => {
    const org = crypto.randomUUID();
    const failed = notes.door.transaction(org, async (tx) => {
      await tx`insert into notes.notes (org_id) values (${org})`;
      throw new AppError("conflict", "no");
    });
    expect(await failureOf(failed)).toMatchObject({ code: "conflict" });
    expect([...(await notes.door.org(org)`select id from notes.notes`)]).toEqual([]);
  });

  test("refuses statements once it is over", async () => {
    const { promise, resolve } = Promise.withResolvers<() => Promise<unknown>>();
    await notes.door.transaction(A, async (tx) => resolve(() => tx`select 1 as one`));
    expect(await failureOf((await promise)())).toMatchObject({ message: "the transaction is over" });
  });

  test("waits for a connection while others have them all", async () => {
    const counts = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        notes.door.transaction(A, async (tx) => {
          await Bun.sleep(1);
          return (await tx<{ back: number }>`select ${index}::int as back`)[0]?.back;
        }),
      ),
    );
    expect(counts).toEqual(Array.from({ length: 60 }, (_, index) => index));
  });

  test("that finds no connection in time fails without harm to those that have one", async () => {
    const hold = () => notes.door.transaction(A, (tx) => tx`select pg_sleep(1.8)::text as slept`);
    const held = Array.from({ length: CONNECTIONS.transactions * 2 }, hold);
    const outcomes = await Promise.allSettled(held);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(CONNECTIONS.transactions);
    expect([...(await notes.door.transaction(A, (tx) => tx`select 1 as one`))]).toEqual([{ one: 1 }]);
  });

  test("takes in rows by COPY", async () => {
    const org = crypto.randomUUID();
    await notes.door.transaction(
      org,
      async (tx) => {
        await tx`create temporary table staged (body text) on commit drop`;
        await pipeline([`a\nb\n`], await tx.raw`copy staged from stdin`.writable());
        await tx`insert into notes.notes (org_id, body) select ${org}, body from staged`;
      },
      { lane: "bulk" },
    );
    const rows = await notes.door.org(org)<{ body: string }>`select body from notes.notes order by body`;
    expect([...rows]).toEqual([{ body: "a" }, { body: "b" }]);
  });

  test.each([
    ["of the wrong type", "1\nx\n"],
    ["that break a constraint", "1\n1\n"],
  ])("hears at once of rows %s in a COPY", async (_, lines) => {
    const copied = notes.door.transaction(
      A,
      async (tx) => {
        await tx`create temporary table staged (id int primary key) on commit drop`;
        await pipeline([lines], await tx.raw`copy staged from stdin`.writable());
      },
      { lane: "bulk" },
    );
    expect(await failureOf(copied)).toBeInstanceOf(postgres.PostgresError);
    const again = await notes.door.transaction(A, (tx) => tx`select 1 as one`, { lane: "bulk" });
    expect([...again]).toEqual([{ one: 1 }]);
  });
});

describe("a caller who is gone", () => {
  test("gets no statement started", async () => {
    const signal = AbortSignal.abort();
    const org = crypto.randomUUID();
    const work = withContext({ requestId: "r", signal }, () =>
      failureOf(notes.door.org(org)`insert into notes.notes (org_id) values (${org})`),
    );
    expect(await work).toMatchObject(unavailable);
    expect([...(await notes.door.org(org)`select id from notes.notes`)]).toEqual([]);
  });

  test("has the transaction under way rolled back at its next statement", async () => {
    const controller = new AbortController();
    const org = crypto.randomUUID();
    const work = withContext({ requestId: "r", signal: controller.signal }, () =>
      failureOf(
        notes.door.transaction(org, async (tx) => {
          await tx`insert into notes.notes (org_id) values (${org})`;
          controller.abort();
          await tx`select 1 as one`;
        }),
      ),
    );
    expect(await work).toMatchObject(unavailable);
    expect([...(await notes.door.org(org)`select id from notes.notes`)]).toEqual([]);
  });
});
