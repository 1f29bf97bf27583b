import { describe, expect, test } from "bun:test";

import { connect, createServer, type AddressInfo, type Server } from "node:net";
import { createServer as createTlsServer } from "node:tls";

import postgres from "postgres";

import { failureOf } from "../testing/testing.ts";
import { createAuthority } from "../testing/certificate.ts";
import { openDatabase } from "./database.ts";
import { isDuplicate } from "./failure.ts";
import { A, CONNECTIONS, notesDatabase, unavailable, type Value } from "./notes.fixture.ts";

const notes = notesDatabase();
const { another } = notes;

function circular(): Record<string, never> {
  const value: Record<string, unknown> = {};
  value["self"] = value;
  return JSON.parse("{}", () => value);
}

function failing(): never {
  throw new Error("no JSON");
}

/** Starts a server on a free loopback port and returns the port. */
async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  return (server.address() as AddressInfo).port;
}

describe("a failed statement", () => {
  test("names the violated constraint", async () => {
    const org = crypto.randomUUID();
    const insert = () => notes.door.org(org)`insert into notes.notes (org_id, body) values (${org}, 'twice')`;
    await insert();
    const error = await failureOf(insert());
    expect(isDuplicate(error, "notes_body")).toBe(true);
    expect(isDuplicate(error, "notes_pkey")).toBe(false);
  });

  test("of a distributed table names the constraint without the shard's number", async () => {
    const org = crypto.randomUUID();
    await notes.db
      .admin`create unique index notes_org_102024 on notes.notes (org_id) where body like 'shard%'`;
    const insert = (body: string) =>
      notes.door.org(org)`insert into notes.notes (org_id, body) values (${org}, ${body})`;
    await insert("shard 1");
    const error = await failureOf(insert("shard 2"));
    expect(isDuplicate(error, "notes_org")).toBe(true);
    expect(isDuplicate(error, "notes_org_102024")).toBe(false);
  });

  test("doesn't affect others on the same connection", async () => {
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

  test("that already returned rows doesn't affect the rows of later ones", async () => {
    const one = another({ short: 1 });
    const org = one.org(A);
    const doors = [org, one.system];
    const asked = Array.from({ length: 40 }, (_, index) => {
      const door = doors[index % 3 === 0 ? 1 : 0] ?? org;
      return index % 2 === 0
        ? failureOf(
            door`select 100 / (100 - number) as quotient from generate_series(1, ${100}::int) as number`,
          )
        : door<{ back: number }>`select ${index}::int as back`;
    });
    for (const [index, answer] of (await Promise.all(asked)).entries()) {
      if (index % 2 === 0) expect(answer).toMatchObject({ code: "22012" });
      else expect(answer).toEqual([{ back: index }]);
    }
    await one.close();
  });

  test.each<[string, () => Value]>([
    ["is undefined", () => JSON.parse("{}").nothing],
    ["is an invalid date", () => new Date(Number.NaN)],
    ["is circular JSON", () => notes.door.system.part.json(circular())],
    ["is JSON with a bigint", () => notes.door.system.part.json(JSON.parse('{"n":1}', () => 1n))],
    [
      "has no JSON form",
      () => notes.door.system.part.json(Object.assign(Object.create({ toJSON: () => failing() }), {})),
    ],
  ])("because a value %s doesn't affect others on the same connection", async (_, wrong) => {
    const one = another({ short: 1 });
    const org = one.org(A);
    // A prepared statement rejects the value at another point than a new one does.
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

  test("with a deleted parent row returns not_found", async () => {
    const orphan = notes.door.org(A)`
      insert into notes.lines (org_id, note_id) values (${A}, ${crypto.randomUUID()})
    `;
    expect(await failureOf(orphan)).toMatchObject({ name: "AppError", code: "not_found" });
  });

  test("that exceeds the server's time limit fails as unavailable without delaying others", async () => {
    const slow = failureOf(notes.door.org(A)`select pg_sleep(10)::text as slept`);
    const quick = await notes.door.org(A)`select 1 as one`;
    expect([...quick]).toEqual([{ one: 1 }]);
    expect(await slow).toMatchObject({
      ...unavailable,
      message: "the database took too long; retry in a moment",
    });
  });

  test("with a terminated connection fails as unavailable, and the next one succeeds", async () => {
    const one = another({ short: 1 });
    const [row] = await one.system<{ pid: number }>`select pg_backend_pid() as pid`;
    const running = failureOf(one.org(A)`select pg_sleep(2)::text as slept`);
    await Bun.sleep(50);
    await notes.db.admin`select pg_terminate_backend(${row?.pid ?? 0})`;
    expect(await running).toMatchObject(unavailable);
    expect([...(await one.org(A)`select 1 as one`)]).toEqual([{ one: 1 }]);
    await one.close();
  });

  test.each<[string, Partial<Pick<URL, "password" | "pathname">>]>([
    ["has a wrong password", { password: "another" }],
    ["uses an unknown database", { pathname: "/nowhere" }],
  ])("of a service that %s fails as unavailable", async (_, part) => {
    const url = Object.assign(new URL(notes.db.urlOf("notes")), part).href;
    const stranger = openDatabase({ url, service: "notes", connections: CONNECTIONS });
    expect(await failureOf(stranger.org(A)`select 1 as one`)).toMatchObject(unavailable);
    expect(await failureOf(stranger.transaction(A, (tx) => tx`select 1 as one`))).toMatchObject(unavailable);
    await stranger.close();
  });

  test("of a service that distrusts the server's certificate fails as unavailable", async () => {
    const tls = createTlsServer(createAuthority().issue("localhost"), (socket) => socket.destroy());
    const tlsPort = await portOf(tls);
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => {
        socket.write("S"); // accepts TLS
        const inner = connect(tlsPort, "127.0.0.1").on("error", () => undefined);
        socket.pipe(inner).pipe(socket);
      });
    });
    const url = `postgres://notes@localhost:${await portOf(server)}/notes?sslmode=verify-full`;
    const careful = openDatabase({ url, service: "notes", connections: CONNECTIONS });
    expect(await failureOf(careful.org(A)`select 1 as one`)).toMatchObject(unavailable);
    await careful.close();
    for (const one of [server, tls]) one.close();
  });

  test("isn't caused by a changed table", async () => {
    const one = another({ short: 1 });
    const read = () => one.org(A)`select notes.* from notes.notes limit 1`;
    await read();
    await notes.db.admin`alter table notes.notes add column extra text`;
    await read();
    await notes.db.admin`alter table notes.notes drop column extra`;
    await read();
    await one.close();
  });

  test("repeated after a table change returns the right rows among others", async () => {
    const one = another({ short: 1 });
    const said = { yes: true, bytes: Buffer.from("bytes"), json: { a: 1 } };
    const read = () => one.org(A)`
      select ${said.yes}::boolean as yes, ${said.bytes}::bytea as bytes, ${one.system.part.json(said.json)}::jsonb as json,
             notes.*
        from (select) nothing
        left join notes.notes on false
    `;
    const echo = (text: string) => one.org(A)`select ${text}::text as text`;
    await Promise.all([read(), echo("")]);
    for (const change of ["add column more text", "drop column more"]) {
      await notes.db.admin`alter table notes.notes ${notes.db.admin.unsafe(change)}`;
      const texts = Array.from({ length: 60 }, (_, index) => String(index));
      const asked = texts.map((text) => (text.endsWith("5") ? read() : echo(text)));
      const answers = await Promise.all(asked);
      for (const [index, text] of texts.entries())
        expect(answers[index]).toMatchObject([text.endsWith("5") ? said : { text }]);
    }
    await one.close();
  });

  test("on a connection without its prepared statements is the last one there", async () => {
    const one = another({ short: 1 });
    await one.org(A)`select 1 as one`;
    await one.system`deallocate all`;
    expect(await failureOf(one.org(A)`select 1 as one`)).toMatchObject(unavailable);
    expect(await one.org(A)`select 1 as one`).toMatchObject([{ one: 1 }]);
    await one.close();
  });

  test("in a deadlock fails as unavailable, so that it can be retried", async () => {
    const org = crypto.randomUUID();
    const ids = [crypto.randomUUID(), crypto.randomUUID()];
    for (const id of ids)
      await notes.door.org(org)`insert into notes.notes (org_id, id) values (${org}, ${id})`;
    const [first = "", second = ""] = ids;
    const both = Promise.withResolvers<void>();
    let locked = 0;
    const lock = (one: string, other: string) =>
      notes.door.transaction(org, async (tx) => {
        await tx`update notes.notes set body = ${one} where id = ${one}`;
        if (++locked === 2) both.resolve();
        await both.promise;
        await tx`update notes.notes set body = ${other} where id = ${other}`;
      });
    const outcomes = await Promise.allSettled([lock(first, second), lock(second, first)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const reasons = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(reasons).toMatchObject([unavailable]);
  });
});

test("a server's earlier refusal to connect doesn't fail later statements", async () => {
  const name = new URL(notes.db.adminUrl).pathname.slice(1);
  const letIn = async (most: number) =>
    notes.db.admin.unsafe(`alter database ${name} connection limit ${most}`);
  const one = postgres(notes.db.urlOf("notes"), { max: 1, backoff: () => 0, fetch_types: false });
  const [{ pid } = { pid: 0 }] = await one<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const lost = failureOf(one`select pg_sleep(60)`);
  await letIn(0);
  await notes.db.admin`select pg_terminate_backend(${pid})`;
  expect(await lost).toBeInstanceOf(Error);
  await failureOf(one`select 1`); // may still use the terminated connection
  expect(await failureOf(one`select 1`)).toMatchObject({ code: "53300" });
  await letIn(-1);
  expect(await one`select 1 as one`).toMatchObject([{ one: 1 }]);
  await one.end();
});
