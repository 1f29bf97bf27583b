import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { connect, createServer } from "node:net";
import { pipeline } from "node:stream/promises";

import fc from "fast-check";
import postgres from "postgres";

import { withContext } from "../context.ts";
import { AppError } from "../errors.ts";
import { failureOf, testDatabase, testSchema, type TestDatabase } from "../testing.ts";
import { openDatabase, type Database } from "./database.ts";
import { isDuplicate } from "./failure.ts";

const [A, B] = [crypto.randomUUID(), crypto.randomUUID()];
const CONNECTIONS = { short: 2, transactions: 4, bulk: 2 };

let db: TestDatabase;
let door: Database;

beforeAll(async () => {
  const schema = await testSchema("notes", {
    "0001_create_notes.sql": `
      create table notes.notes (
        org_id uuid not null,
        id uuid not null default gen_random_uuid(),
        body text,
        primary key (org_id, id)
      );
      create unique index notes_body on notes.notes (org_id, body);
      create table notes.lines (
        org_id uuid not null,
        note_id uuid not null,
        foreign key (org_id, note_id) references notes.notes (org_id, id)
      );
      call notes.isolate('notes');
      call notes.isolate('lines');`,
  });
  db = await testDatabase([schema]);
  door = db.open("notes");
});

afterAll(() => db.drop());

function another(connections: Partial<typeof CONNECTIONS> = {}): Database {
  return openDatabase({
    url: db.urlOf("notes"),
    service: "notes",
    connections: { ...CONNECTIONS, ...connections },
  });
}

function circular(): Record<string, never> {
  const value: Record<string, unknown> = {};
  value["self"] = value;
  return JSON.parse("{}", () => value);
}

function failing(): never {
  throw new Error("no JSON");
}

/** What a statement takes. */
type Value = Parameters<Database["system"]>[1];

const unavailable = { name: "AppError", code: "unavailable" };

describe("organizations", () => {
  test("see, change and remove their own rows only", async () => {
    const [a, b] = [door.org(A), door.org(B)];
    await a`insert into notes.notes (org_id, body) values (${A}, 'of A')`;
    await b`insert into notes.notes (org_id, body) values (${B}, 'of B')`;
    expect([...(await a<{ body: string }>`select body from notes.notes`)]).toEqual([{ body: "of A" }]);
    expect([...(await b`update notes.notes set body = 'x' where org_id = ${A} returning 1 as one`)]).toEqual(
      [],
    );
    expect([...(await b`delete from notes.notes where org_id = ${A} returning 1 as one`)]).toEqual([]);
    expect([...(await b<{ body: string }>`select body from notes.notes`)]).toEqual([{ body: "of B" }]);
  });

  test("can't write rows for another", async () => {
    const write = door.org(A)`insert into notes.notes (org_id) values (${B})`;
    expect(await failureOf(write)).toMatchObject({ code: "42501" });
    const move = door.org(A)`update notes.notes set org_id = ${B}`;
    expect(await failureOf(move)).toMatchObject({ code: "42501" });
  });

  test("are the only ones to reach a tenant table: without one, a statement fails", async () => {
    const fresh = another({ short: 1 });
    expect(await failureOf(fresh.system`select body from notes.notes`)).toBeInstanceOf(Error);
    await fresh.org(A)`select 1 as one`;
    expect(await failureOf(fresh.system`select body from notes.notes`)).toBeInstanceOf(Error);
    await fresh.close();
  });

  test("never see each other's rows in ten thousand interleaved statements over one connection", async () => {
    const one = another({ short: 1, transactions: 1 });
    const orgs = [crypto.randomUUID(), crypto.randomUUID()];
    for (const org of orgs)
      await one.org(org)`insert into notes.notes (org_id, body) values (${org}, ${org})`;
    let leaks = 0;
    const ask = async (index: number): Promise<void> => {
      const org = orgs[index % 2] ?? "";
      if (index % 10 === 9) {
        const [row] = await one.system<{ org: string }>`select current_setting('app.org_id', true) as org`;
        if (row?.org) leaks += 1;
        return;
      }
      const rows = await one.org(org)<{ body: string }>`select body from notes.notes`;
      if (rows.length !== 1 || rows[0]?.body !== org) leaks += 1;
    };
    for (let index = 0; index < 10_000; index += 500) {
      const others = one.transaction(orgs[0] ?? "", (tx) => tx`select body from notes.notes`);
      await Promise.all([others, ...Array.from({ length: 500 }, (_, offset) => ask(index + offset))]);
    }
    expect(leaks).toBe(0);
    await one.close();
  }, 30_000);

  test("wait for few of another's statements, however many it has asked", async () => {
    const one = another({ short: 1 });
    let done = 0;
    const ask = async (): Promise<void> => {
      await one.org(A)`select pg_sleep(0.002)`;
      done += 1;
    };
    const many = Array.from({ length: 50 }, ask);
    await one.org(B)`select 1 as one`;
    const before = done;
    await Promise.all(many);
    expect(before).toBeLessThan(10);
    await one.close();
  });

  test("can't be put on by the text of their id", async () => {
    const rows = await failureOf(door.org("' or true --")`select body from notes.notes`);
    expect(rows).toMatchObject({ code: "22P02" });
  });
});

/** A database behind a link that counts how often the client speaks after it was answered. */
async function countTurns(work: (database: Database) => Promise<void>): Promise<number> {
  const { hostname, port } = new URL(db.adminUrl);
  let turns = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let answered = true;
    client.on("data", (data) => {
      if (answered) turns += 1;
      answered = false;
      upstream.write(data);
    });
    upstream.on("data", (data) => {
      answered = true;
      client.write(data);
    });
    for (const socket of [client, upstream]) {
      socket.on("error", () => undefined);
      socket.on("close", () => void (socket === client ? upstream : client).destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(db.urlOf("notes"));
  const address = server.address();
  url.hostname = "127.0.0.1";
  url.port = String(typeof address === "object" ? address?.port : "");
  const database = openDatabase({
    url: url.href,
    service: "notes",
    connections: { ...CONNECTIONS, short: 1 },
  });
  await database.org(A)`select ${1}::int as one`; // connects and prepares
  turns = 0;
  await work(database);
  const counted = turns;
  await database.close();
  server.close();
  return counted;
}

test("a tenant statement takes one round trip", async () => {
  const turns = await countTurns(async (database) => {
    for (let index = 0; index < 50; index += 1) await database.org(A)`select ${1}::int as one`;
  });
  expect(turns).toBe(50);
});

describe("the server's list of what runs", () => {
  test("shows the service and the request of each statement", async () => {
    const names = await withContext({ requestId: "r-1" }, async () => [
      ...(await door.org(A)<{ name: string }>`select current_setting('application_name') as name`),
      ...(await door.transaction(
        A,
        (tx) => tx<{ name: string }>`select current_setting('application_name') as name`,
      )),
    ]);
    expect(names.map(({ name }) => name)).toEqual(["leeway notes r-1", "leeway notes r-1"]);
    const running = withContext(
      { requestId: "r-2" },
      () => door.org(A)<{ slept: string }>`select pg_sleep(0.3)::text as slept`,
    );
    await Bun.sleep(150);
    const seen = await db.admin`select 1 from pg_stat_activity where application_name = 'leeway notes r-2'`;
    expect(seen).toHaveLength(1);
    await running;
  });

  test("doesn't show the last request any more when it is over", async () => {
    const one = another({ short: 1 });
    await withContext({ requestId: "r-3" }, () => one.org(A)`select 1 as one`);
    const [after] = await one.system<{ name: string }>`select current_setting('application_name') as name`;
    expect(after?.name).toBe("leeway notes");
    await one.close();
  });
});

describe("values", () => {
  test.each([
    ["text", "a'\"\\b", "a'\"\\b"],
    ["text", null, null],
    ["int", 7, 7],
    ["boolean", true, true],
    ["timestamptz", new Date(0), new Date(0)],
    ["bytea", Buffer.from([0, 255]), Buffer.from([0, 255])],
    ["text[]", ["a,b", '"\\', "NULL", "", "{}"], ["a,b", '"\\', "NULL", "", "{}"]],
    ["text[]", [], []],
    ["uuid[]", [A], [A]],
    ["int[]", [1, 2], [1, 2]],
  ] satisfies [string, Value, unknown][])("of %s pass unchanged (%p)", async (type, value, expected) => {
    const part = door.system.part;
    const [row] = await door.org(A)<{ back: unknown }>`select ${value}::${part.unsafe(type)} as back`;
    expect(row?.back).toEqual(expected);
  });

  test("in arrays of dates and booleans are declared by `part.array`", async () => {
    const { part } = door.system;
    const [row] = await door.system<{ dates: Date[]; flags: boolean[] }>`
      select ${part.array([new Date(0)])}::timestamptz[] as dates, ${part.array([true, false])}::boolean[] as flags
    `;
    expect(row).toEqual({ dates: [new Date(0)], flags: [true, false] });
  });

  test("of any text survive in arrays, NULL and nesting included", async () => {
    const text = fc.option(fc.string({ unit: "binary" }).filter((value) => !value.includes("\0")));
    const array = fc.array(fc.array(text, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(array, async (rows) => {
        const [row] = await door.org(A)<{ back: unknown }>`select ${rows}::text[] as back`;
        expect(row?.back).toEqual(rows);
      }),
      { numRuns: 200 },
    );
  });

  test("of JSON come back as they were", async () => {
    const value = { a: [1, "x", null, { b: false }] };
    const [row] = await door.org(A)<{ back: unknown }>`select ${door.system.part.json(value)}::jsonb as back`;
    expect(row?.back).toEqual(value);
  });

  test("may stand in parts of a statement", async () => {
    const { part } = door.system;
    const [row] = await door.org(A)<{ sum: number }>`
      select sum(n)::int as sum from generate_series(1, ${10}::int) n ${part`where n > ${8}`}
    `;
    expect(row?.sum).toBe(19);
  });
});

describe("a failed statement", () => {
  test("says which constraint refused it", async () => {
    const org = crypto.randomUUID();
    const insert = () => door.org(org)`insert into notes.notes (org_id, body) values (${org}, 'twice')`;
    await insert();
    const error = await failureOf(insert());
    expect(isDuplicate(error, "notes_body")).toBe(true);
    expect(isDuplicate(error, "notes_pkey")).toBe(false);
  });

  test("leaves those around it on the same connection alone", async () => {
    const one = another({ short: 1 });
    const org = one.org(A);
    const ask = async (index: number): Promise<unknown> => {
      switch (index % 4) {
        case 0:
          return failureOf(org`select nothing`);
        case 1:
          return failureOf(org`select 1 / ${0}::int as quotient`);
        case 2:
          return failureOf(org`select ${"x"}::int as number`);
        default:
          return org<{ back: number }>`select ${index}::int as back`;
      }
    };
    const answers = await Promise.all(Array.from({ length: 400 }, (_, index) => ask(index)));
    const codes = ["42703", "22012", "22P02"];
    answers.forEach((answer, index) => {
      const code = codes[index % 4];
      if (code === undefined) expect(answer).toMatchObject([{ back: index }]);
      else expect(answer).toMatchObject({ code });
    });
    await one.close();
  });

  test.each<[string, () => Value]>([
    ["is undefined", () => JSON.parse("{}").nothing],
    ["is a date that is none", () => new Date(Number.NaN)],
    ["is JSON that goes in circles", () => door.system.part.json(circular())],
    ["is JSON with a bigint", () => door.system.part.json(JSON.parse('{"n":1}', () => 1n))],
    [
      "gives no JSON",
      () => door.system.part.json(Object.assign(Object.create({ toJSON: () => failing() }), {})),
    ],
  ])("because a value %s harms no other on the same connection", async (_, wrong) => {
    const one = another({ short: 1 });
    const org = one.org(A);
    // Prepared before, and not: the value is looked at sooner or later.
    for (const prepared of [false, true]) {
      const bad = (value: Value) =>
        prepared ? org`select ${value}::jsonb as prepared_before` : org`select ${value}::jsonb as first_time`;
      if (prepared) await bad(null);
      const asked = Array.from({ length: 60 }, (_, index) =>
        index % 5 === 2 ? failureOf(bad(wrong())) : org<{ back: number }>`select ${index}::int as back`,
      );
      const answers = await Promise.all(asked);
      answers.forEach((answer, index) => {
        if (index % 5 === 2) expect(answer).toBeInstanceOf(Error);
        else expect(answer).toMatchObject([{ back: index }]);
      });
    }
    expect(await org`select 1 as one`).toMatchObject([{ one: 1 }]);
    await one.close();
  });

  test("that belongs to what was removed meanwhile says that it isn't there", async () => {
    const orphan = door.org(A)`
      insert into notes.lines (org_id, note_id) values (${A}, ${crypto.randomUUID()})
    `;
    expect(await failureOf(orphan)).toMatchObject({ name: "AppError", code: "not_found" });
  });

  test("that took the server too long is told as such, and delays nobody else's", async () => {
    const slow = failureOf(door.org(A)`select pg_sleep(10)::text as slept`);
    const quick = await door.org(A)`select 1 as one`;
    expect([...quick]).toEqual([{ one: 1 }]);
    expect(await slow).toMatchObject({ ...unavailable, message: "the database took too long" });
  }, 10_000);

  test("whose connection was ended is told as such, and the next one succeeds", async () => {
    const one = another({ short: 1 });
    const [row] = await one.system<{ pid: number }>`select pg_backend_pid() as pid`;
    const running = failureOf(one.org(A)`select pg_sleep(2)::text as slept`);
    await Bun.sleep(50);
    await db.admin`select pg_terminate_backend(${row?.pid ?? 0})`;
    expect(await running).toMatchObject(unavailable);
    expect([...(await one.org(A)`select 1 as one`)]).toEqual([{ one: 1 }]);
    await one.close();
  });

  test("is no failure when a table changed under it", async () => {
    const one = another({ short: 1 });
    const read = () => one.org(A)`select notes.* from notes.notes limit 1`;
    await read();
    await db.admin`alter table notes.notes add column extra text`;
    await read();
    await db.admin`alter table notes.notes drop column extra`;
    await read();
    await one.close();
  });

  test("on a connection that forgot what was prepared on it is the last one there", async () => {
    const one = another({ short: 1 });
    await one.org(A)`select 1 as one`;
    await one.system`deallocate all`;
    expect(await failureOf(one.org(A)`select 1 as one`)).toMatchObject(unavailable);
    expect(await one.org(A)`select 1 as one`).toMatchObject([{ one: 1 }]);
    await one.close();
  });

  test("of two that wait for each other says that the same again will do", async () => {
    const org = crypto.randomUUID();
    const ids = [crypto.randomUUID(), crypto.randomUUID()];
    for (const id of ids) await door.org(org)`insert into notes.notes (org_id, id) values (${org}, ${id})`;
    const [first = "", second = ""] = ids;
    const lock = (one: string, other: string) =>
      door.transaction(org, async (tx) => {
        await tx`update notes.notes set body = ${one} where id = ${one}`;
        await Bun.sleep(200);
        await tx`update notes.notes set body = ${other} where id = ${other}`;
      });
    const outcomes = await Promise.allSettled([lock(first, second), lock(second, first)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const reasons = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(reasons).toMatchObject([unavailable]);
  });
});

describe("a transaction", () => {
  test("is rolled back when its work throws", async () => {
    const org = crypto.randomUUID();
    const failed = door.transaction(org, async (tx) => {
      await tx`insert into notes.notes (org_id) values (${org})`;
      throw new AppError("conflict", "no");
    });
    expect(await failureOf(failed)).toMatchObject({ code: "conflict" });
    expect([...(await door.org(org)`select id from notes.notes`)]).toEqual([]);
  });

  test("refuses statements once it is over", async () => {
    const { promise, resolve } = Promise.withResolvers<() => Promise<unknown>>();
    await door.transaction(A, async (tx) => resolve(() => tx`select 1 as one`));
    expect(await failureOf((await promise)())).toMatchObject({ message: "the transaction is over" });
  });

  test("waits for a connection while others have them all", async () => {
    const counts = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        door.transaction(A, async (tx) => {
          await Bun.sleep(1);
          return (await tx<{ back: number }>`select ${index}::int as back`)[0]?.back;
        }),
      ),
    );
    expect(counts).toEqual(Array.from({ length: 60 }, (_, index) => index));
  });

  test("that finds no connection in time fails without harm to those that have one", async () => {
    const hold = () => door.transaction(A, (tx) => tx`select pg_sleep(1.8)::text as slept`);
    const held = Array.from({ length: CONNECTIONS.transactions * 2 }, hold);
    const outcomes = await Promise.allSettled(held);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(CONNECTIONS.transactions);
    expect([...(await door.transaction(A, (tx) => tx`select 1 as one`))]).toEqual([{ one: 1 }]);
  }, 10_000);

  test("takes in rows by COPY", async () => {
    const org = crypto.randomUUID();
    await door.transaction(
      org,
      async (tx) => {
        await tx`create temporary table staged (body text) on commit drop`;
        await pipeline([`a\nb\n`], await tx.raw`copy staged from stdin`.writable());
        await tx`insert into notes.notes (org_id, body) select ${org}, body from staged`;
      },
      { lane: "bulk" },
    );
    const rows = await door.org(org)<{ body: string }>`select body from notes.notes order by body`;
    expect([...rows]).toEqual([{ body: "a" }, { body: "b" }]);
  });

  test.each([
    ["of the wrong type", "1\nx\n"],
    ["that break a constraint", "1\n1\n"],
  ])("hears at once of rows %s in a COPY", async (_, lines) => {
    const copied = door.transaction(
      A,
      async (tx) => {
        await tx`create temporary table staged (id int primary key) on commit drop`;
        await pipeline([lines], await tx.raw`copy staged from stdin`.writable());
      },
      { lane: "bulk" },
    );
    expect(await failureOf(copied)).toBeInstanceOf(postgres.PostgresError);
    const again = await door.transaction(A, (tx) => tx`select 1 as one`, { lane: "bulk" });
    expect([...again]).toEqual([{ one: 1 }]);
  });
});

describe("a caller who is gone", () => {
  test("gets no statement started", async () => {
    const signal = AbortSignal.abort();
    const org = crypto.randomUUID();
    const work = withContext({ requestId: "r", signal }, () =>
      failureOf(door.org(org)`insert into notes.notes (org_id) values (${org})`),
    );
    expect(await work).toMatchObject(unavailable);
    expect([...(await door.org(org)`select id from notes.notes`)]).toEqual([]);
  });

  test("has the transaction under way rolled back at its next statement", async () => {
    const controller = new AbortController();
    const org = crypto.randomUUID();
    const work = withContext({ requestId: "r", signal: controller.signal }, () =>
      failureOf(
        door.transaction(org, async (tx) => {
          await tx`insert into notes.notes (org_id) values (${org})`;
          controller.abort();
          await tx`select 1 as one`;
        }),
      ),
    );
    expect(await work).toMatchObject(unavailable);
    expect([...(await door.org(org)`select id from notes.notes`)]).toEqual([]);
  });
});

test("a closed database answers at once and holds no connection", async () => {
  const closed = another();
  await withContext({ requestId: "closing" }, async () => {
    await Promise.all([closed.org(A)`select 1 as one`, closed.transaction(A, (tx) => tx`select 1 as one`)]);
  });
  const [before] = await db.admin`select count(*)::int as open from pg_stat_activity
                                   where usename = 'leeway_notes' and datname = current_database()`;
  await closed.close();
  expect(await failureOf(closed.org(A)`select 1 as one`)).toMatchObject(unavailable);
  await Bun.sleep(100);
  const [after] = await db.admin`select count(*)::int as open from pg_stat_activity
                                  where usename = 'leeway_notes' and datname = current_database()`;
  // Those of the tests before may go meanwhile too.
  expect(Number(before?.["open"]) - Number(after?.["open"])).toBeGreaterThanOrEqual(2);
});
