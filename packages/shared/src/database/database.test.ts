import { describe, expect, test } from "bun:test";

import { connect, createServer } from "node:net";

import { withContext, withFreshness, type Freshness } from "../platform/context.ts";
import { registry } from "../platform/telemetry/metrics.ts";
import { failureOf } from "../testing/testing.ts";
import { openDatabase, type Database } from "./database.ts";
import { A, CONNECTIONS, notesDatabase, unavailable } from "./notes.fixture.ts";

const B = crypto.randomUUID();

const notes = notesDatabase();
const { another } = notes;

test.each([
  ["no standby", "behind"],
  ["unreachable", "down"],
])("the primary runs the reads of a replica that is %s", async (how, outcome) => {
  const url = notes.db.urlOf("notes");
  const replicaUrl = how === "unreachable" ? url.replace(/:\d+\//, ":1/") : url;
  const door = openDatabase({ url, replicaUrl, service: "notes", connections: CONNECTIONS });
  await door.open();
  const isNoticed = async () => (await registry.metrics()).includes(`reads_total{outcome="${outcome}"}`);
  while (!(await isNoticed())) {
    const freshness: Freshness = { position: "0/0" };
    const rows = await withFreshness(freshness, () => door.org(A)`select ${"read"}::text as what`);
    expect([...rows]).toEqual([{ what: "read" }]);
    expect(freshness.answeredBy).toBe("primary");
  }
  await door.close();
});

test("distributed tables have no read replica", () => {
  const options = { url: "postgres://localhost/x", replicaUrl: "postgres://localhost/y", service: "notes" };
  expect(() => openDatabase({ ...options, distributed: true })).toThrow("DATABASE_READ_URL");
});

describe("organizations", () => {
  test("read, change and delete only their own rows", async () => {
    const [a, b] = [notes.door.org(A), notes.door.org(B)];
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
    const write = notes.door.org(A)`insert into notes.notes (org_id) values (${B})`;
    expect(await failureOf(write)).toMatchObject({ code: "42501" });
    const move = notes.door.org(A)`update notes.notes set org_id = ${B}`;
    expect(await failureOf(move)).toMatchObject({ code: "42501" });
  });

  test("are required for a tenant table: without one a statement fails", async () => {
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
  });

  test("don't wait long behind another organization's statements", async () => {
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

  test("can't be changed by SQL injection through the id", async () => {
    const rows = await failureOf(notes.door.org("' or true --")`select body from notes.notes`);
    expect(rows).toMatchObject({ code: "22P02" });
  });
});

/** Counts the client's round trips through a proxy: each time the client sends after the server has answered. */
async function countTurns(work: (database: Database) => Promise<void>): Promise<number> {
  const { hostname, port } = new URL(notes.db.adminUrl);
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
  const url = new URL(notes.db.urlOf("notes"));
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

test("connections without work are closed, and opened again for the next statement", async () => {
  const url = notes.db.urlOf("notes");
  const database = openDatabase({ url, service: "resting", connections: CONNECTIONS, idleSeconds: 0.1 });
  await database.open();
  const opened = async (): Promise<number> => {
    const [row] = await notes.db.admin<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity where application_name like '%resting%'
    `;
    return row?.count ?? 0;
  };
  while ((await opened()) > 0) await Bun.sleep(20);
  expect(await database.org(A)`select ${1}::int as one`).toMatchObject([{ one: 1 }]);
  expect(await opened()).toBe(1);
  await database.close();
});

describe("pg_stat_activity", () => {
  test("shows the service and the request of each statement", async () => {
    const names = await withContext({ requestId: "r-1" }, async () => [
      ...(await notes.door.org(A)<{ name: string }>`select current_setting('application_name') as name`),
      ...(await notes.door.transaction(
        A,
        (tx) => tx<{ name: string }>`select current_setting('application_name') as name`,
      )),
    ]);
    expect(names.map(({ name }) => name)).toEqual(["leeway notes r-1", "leeway notes r-1"]);
    const running = withContext(
      { requestId: "r-2" },
      () => notes.door.org(A)<{ slept: string }>`select pg_sleep(1.5)::text as slept`,
    );
    const isOver = running.then(() => true);
    let seen = 0;
    while (seen === 0 && !(await Promise.race([isOver, Bun.sleep(20)]))) {
      const named = await notes.db
        .admin`select 1 from pg_stat_activity where application_name = 'leeway notes r-2'`;
      seen = named.length;
    }
    expect(seen).toBe(1);
    await running;
  });

  test("no longer shows a finished request", async () => {
    const one = another({ short: 1 });
    await withContext({ requestId: "r-3" }, () => one.org(A)`select 1 as one`);
    const [after] = await one.system<{ name: string }>`select current_setting('application_name') as name`;
    expect(after?.name).toBe("leeway notes");
    await one.close();
  });
});

test("a closed database fails at once and holds no connection", async () => {
  const closed = another();
  await withContext({ requestId: "closing" }, async () => {
    await Promise.all([closed.org(A)`select 1 as one`, closed.transaction(A, (tx) => tx`select 1 as one`)]);
  });
  const [before] = await notes.db.admin`select count(*)::int as open from pg_stat_activity
                                   where usename = 'leeway_notes' and datname = current_database()`;
  await closed.close();
  expect(await failureOf(closed.org(A)`select 1 as one`)).toMatchObject(unavailable);
  await Bun.sleep(100);
  const [after] = await notes.db.admin`select count(*)::int as open from pg_stat_activity
                                  where usename = 'leeway_notes' and datname = current_database()`;
  // Connections of earlier tests may close during this one, too.
  expect(Number(before?.["open"]) - Number(after?.["open"])).toBeGreaterThanOrEqual(2);
});

test("connections can be opened in advance", async () => {
  const fresh = another({ short: 3, transactions: 2 });
  const before = await connected();
  await fresh.open();
  expect((await connected()) - before).toBe(5);
  await fresh.close();
});

async function connected(): Promise<number> {
  const [row] = await notes.db.admin<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name = 'leeway notes'
  `;
  return row?.count ?? Number.NaN;
}
