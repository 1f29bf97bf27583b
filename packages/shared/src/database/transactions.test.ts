import { describe, expect, test } from "bun:test";

import { pipeline } from "node:stream/promises";

import postgres from "postgres";

import { abortable, withContext } from "../platform/context.ts";
import { AppError } from "../values/errors.ts";
import { failureOf } from "../testing/testing.ts";
import { A, CONNECTIONS, notesDatabase, unavailable } from "./notes.fixture.ts";

const notes = notesDatabase();
/** A number that no other test locks. */
const LOCK = 40_010;

describe("a transaction", () => {
  test("is rolled back when its callback throws", async () => {
    const org = crypto.randomUUID();
    const failed = notes.door.transaction(org, async (tx) => {
      await tx`insert into notes.notes (org_id) values (${org})`;
      throw new AppError("conflict", "no");
    });
    expect(await failureOf(failed)).toMatchObject({ code: "conflict" });
    expect([...(await notes.door.org(org)`select id from notes.notes`)]).toEqual([]);
  });

  test("refuses statements after its end", async () => {
    const { promise, resolve } = Promise.withResolvers<() => Promise<unknown>>();
    await notes.door.transaction(A, async (tx) => resolve(() => tx`select 1 as one`));
    expect(await failureOf((await promise)())).toMatchObject({ message: "the transaction has ended" });
  });

  test("waits for a connection while all are in use", async () => {
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

  test("that gets no connection in time fails without affecting others", async () => {
    const hold = () => notes.door.transaction(A, (tx) => tx`select pg_sleep(1.8)::text as slept`);
    const held = Array.from({ length: CONNECTIONS.transactions * 2 }, hold);
    const outcomes = await Promise.allSettled(held);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(CONNECTIONS.transactions);
    expect([...(await notes.door.transaction(A, (tx) => tx`select 1 as one`))]).toEqual([{ one: 1 }]);
  });

  test("accepts rows through COPY", async () => {
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
  ])("fails at once on rows %s in a COPY", async (_, lines) => {
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

describe("a cancelled caller", () => {
  test("has no statement started", async () => {
    const signal = AbortSignal.abort();
    const org = crypto.randomUUID();
    const work = withContext({ requestId: "r", signal }, () =>
      failureOf(notes.door.org(org)`insert into notes.notes (org_id) values (${org})`),
    );
    expect(await work).toMatchObject(unavailable);
    expect([...(await notes.door.org(org)`select id from notes.notes`)]).toEqual([]);
  });

  test("has its transaction rolled back at the next statement", async () => {
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

  test("has a running bulk statement ended on the server, with its locks", async () => {
    const controller = new AbortController();
    const org = crypto.randomUUID();
    const work = abortable(controller.signal, () =>
      failureOf(
        notes.door.transaction(
          org,
          async (tx) => {
            await tx`select pg_advisory_xact_lock(${LOCK})`;
            await tx`insert into notes.notes (org_id) values (${org})`;
            await tx`select pg_sleep(3600)::text as slept`;
          },
          { lane: "bulk" },
        ),
      ),
    );
    const holders = () => notes.door.system`
      select from pg_locks where locktype = 'advisory' and objid = ${LOCK}
    `;
    while ((await holders()).length === 0) await Bun.sleep(10);
    controller.abort();
    expect(await work).toMatchObject(unavailable);
    while ((await holders()).length > 0) await Bun.sleep(10);
    expect([...(await notes.door.org(org)`select id from notes.notes`)]).toEqual([]);
  });
});

describe("long transactions of one organization", () => {
  test.each(["bulk", "background"] as const)("leave a %s connection for another", async (lane) => {
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    const held = Array.from({ length: 8 }, () => notes.door.transaction(A, () => isOver, { lane }));
    const one = await notes.door.transaction(crypto.randomUUID(), (tx) => tx`select 1 as one`, { lane });
    expect([...one]).toEqual([{ one: 1 }]);
    end();
    await Promise.all(held);
  });

  test("in the background leave its bulk connections free", async () => {
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    const background = { lane: "background" } as const;
    const held = Array.from({ length: 8 }, () => notes.door.transaction(A, () => isOver, background));
    const one = await notes.door.transaction(A, (tx) => tx`select 1 as one`, { lane: "bulk" });
    expect([...one]).toEqual([{ one: 1 }]);
    end();
    await Promise.all(held);
  });
});
