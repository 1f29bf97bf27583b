import { afterAll, beforeAll, expect, test } from "bun:test";

import { connect, createServer, type AddressInfo, type Server } from "node:net";

import { failureOf } from "../testing/testing.ts";
import { openDatabase, type Database } from "./database.ts";
import { A, CONNECTIONS, notesDatabase, unavailable } from "./notes.fixture.ts";

const notes = notesDatabase();

/** Number of connections to the host that hangs up. */
let asked = 0;
/** Hosts that aren't the database. */
const servers = {
  "hangs up": createServer((socket) => {
    asked += 1;
    socket.on("error", () => undefined).destroy();
  }),
  "is silent": createServer((socket) => void socket.on("error", () => undefined)),
};
/** The database behind a link that delays every request by 1.3 s. */
const slow = createServer((socket) => {
  const { hostname, port } = new URL(notes.db.adminUrl);
  const upstream = connect(Number(port), hostname);
  socket.on("error", () => upstream.destroy()).on("close", () => upstream.destroy());
  upstream.on("error", () => socket.destroy());
  upstream.pipe(socket);
  setTimeout(() => socket.pipe(upstream), 1_300);
});

beforeAll(async () => {
  for (const server of [...Object.values(servers), slow])
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => [...Object.values(servers), slow].forEach((server) => server.close()));

function hostOf(server: Server): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Opens the database through `hosts`, tried in order. An empty name stands for the real host. */
function open(...hosts: string[]): Database {
  const url = notes.db.urlOf("notes");
  const { host } = new URL(url);
  return openDatabase({
    url: url.replace(`@${host}`, `@${hosts.map((name) => name || host).join()}`),
    service: "notes",
    connections: CONNECTIONS,
  });
}

test.each(["hangs up", "is silent"] as const)("the second host is used when the first %s", async (how) => {
  const door = open(hostOf(servers[how]), "");
  const ask = () => door.org(A)`select 1 as one`.catch(() => undefined);
  let answer = await ask();
  while (!answer) answer = await ask(); // a busy machine may not reach both hosts in time
  expect([...answer]).toEqual([{ one: 1 }]);
  await door.close();
});

test("a host that takes more than a second to accept a connection is awaited", async () => {
  const door = open(hostOf(slow));
  expect([...(await door.org(A)`select 1 as one`)]).toEqual([{ one: 1 }]);
  await door.close();
});

test("hosts without a database are each tried once per statement", async () => {
  const host = hostOf(servers["hangs up"]);
  const door = open(host, host);
  asked = 0;
  expect(await failureOf(door.org(A)`select 1 as one`)).toMatchObject(unavailable);
  expect(asked).toBe(2);
  await door.close();
});
