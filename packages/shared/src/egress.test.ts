import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { createServer } from "node:net";

import { createEgress, type Egress } from "./egress.ts";
import { failureOf } from "./testing.ts";
import { createAuthority } from "./testing-certificate.ts";

const PUBLIC = "93.184.215.14";
const HOST = "peer.example.com";
const SECRET = "Canary7hunter2";

const authority = createAuthority();
/** Contacts of a server on loopback that nobody may ever reach. */
let contacts = 0;
const canary = createServer((socket) => {
  contacts += 1;
  socket.destroy();
});
let canaryPort = 0;
let peer: ReturnType<typeof Bun.serve>;

beforeAll(async () => {
  await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
  const address = canary.address();
  canaryPort = typeof address === "object" ? (address?.port ?? 0) : 0;
  peer = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: authority.issue(HOST),
    idleTimeout: 30,
    routes: {
      "/echo": async (request) =>
        Response.json({
          host: request.headers.get("host"),
          token: request.headers.get("private-token"),
          body: await request.text(),
        }),
      "/redirect": () => Response.redirect(`http://127.0.0.1:${canaryPort}/`, 302),
      "/silent": () => new Promise<Response>(() => undefined),
      "/endless": () => new Response(new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(65_536)) })),
      "/trickle": () =>
        new Response(
          new ReadableStream({
            async pull(c) {
              await Bun.sleep(20);
              c.enqueue(new Uint8Array(1));
            },
          }),
        ),
      "/bomb": () =>
        new Response(Bun.gzipSync(new Uint8Array(64 * 1024 * 1024)), {
          headers: { "content-encoding": "gzip" },
        }),
      "/small": () =>
        new Response(Bun.gzipSync(Buffer.from("hello")), { headers: { "content-encoding": "gzip" } }),
      "/nothing": () => new Response(null, { status: 204 }),
      "/refusal": () => new Response("no", { status: 403 }),
    },
  });
});

afterAll(async () => {
  await peer.stop(true);
  canary.close();
});

beforeEach(() => {
  contacts = 0;
});

const publicly = async (): Promise<string[]> => [PUBLIC];

/** Egress to the peer, which stands at a public address as far as egress can tell. */
function toPeer(resolve = publicly): { egress: Egress; sentTo: string[] } {
  const sentTo: string[] = [];
  const egress = createEgress({
    allow: [],
    resolve,
    send: (url, init) => {
      sentTo.push(url.host);
      const here = new URL(url);
      here.host = `127.0.0.1:${peer.port}`;
      return fetch(here, { ...init, tls: { ...init.tls, ca: authority.cert } });
    },
  });
  return { egress, sentTo };
}

const refused = { code: "invalid_parameter", message: expect.stringMatching(/^the address /) };

describe("an address that isn't public https is refused:", () => {
  const literals = [
    "127.0.0.1",
    "127.1",
    "127.255.255.254",
    "2130706433",
    "0x7f.1",
    "0x7f000001",
    "017700000001",
    "0177.0.0.1",
    "①②⑦.⓪.⓪.①",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "198.18.0.1",
    "192.0.2.1",
    "224.0.0.1",
    "255.255.255.255",
    "[::]",
    "[::1]",
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[::8.8.8.8]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::ffff:a9fe:a9fe]",
    "[0:0:0:0:0:ffff:10.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2001::1]",
    "[2001:db8::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[fec0::1]",
    "[ff02::1]",
    "[100::1]",
    "[4000::1]",
    "[5f00::1]",
  ];
  test.each(literals)("https://%s", async (host) => {
    const egress = createEgress({ allow: [] });
    expect(await failureOf(egress.check(`https://${host}:${canaryPort}/`))).toMatchObject(refused);
    expect(await failureOf(egress.fetch(`https://${host}:${canaryPort}/`))).toMatchObject(refused);
    expect(contacts).toBe(0);
  });

  test.each([
    ["a name of this machine", "localhost"],
    ["a name of this machine, with a dot", "localhost."],
    ["a name below it", "a.localhost"],
    ["a name that leads here", "internal.example.com"],
  ])("%s", async (_, host) => {
    const egress = createEgress({ allow: [], resolve: async () => ["127.0.0.1"] });
    expect(await failureOf(egress.fetch(`https://${host}:${canaryPort}/`))).toMatchObject(refused);
    expect(contacts).toBe(0);
  });

  test("a name of this machine, as the system resolves it", async () => {
    const egress = createEgress({ allow: [] });
    expect(await failureOf(egress.fetch(`https://localhost:${canaryPort}/`))).toMatchObject(refused);
    expect(contacts).toBe(0);
  });

  test.each([
    [["127.0.0.1", PUBLIC]],
    [[PUBLIC, "127.0.0.1"]],
    [[PUBLIC, "::1"]],
    [[PUBLIC, "fd00::1"]],
    [["::ffff:10.0.0.1"]],
    [["not an address"]],
    [[]],
  ])("a name with the addresses %j", async (addresses) => {
    const egress = createEgress({ allow: [], resolve: async () => addresses });
    expect(await failureOf(egress.fetch(`https://${HOST}:${canaryPort}/`))).toMatchObject(refused);
    expect(contacts).toBe(0);
  });

  test.each([
    "http://peer.example.com/",
    "ftp://peer.example.com/",
    "file:///etc/passwd",
    "data:text/plain,x",
    "unix:///var/run/docker.sock",
    "javascript:1",
    "https://",
    "no address",
    "",
  ])("%p", async (url) => {
    const egress = createEgress({ allow: [], resolve: publicly });
    expect(await failureOf(egress.check(url))).toMatchObject(refused);
    expect(await failureOf(egress.fetch(url))).toMatchObject(refused);
  });

  test("one with a password, even where the host is allowed", async () => {
    const egress = createEgress({ allow: [`127.0.0.1:${canaryPort}`], resolve: publicly });
    for (const host of [HOST, `127.0.0.1:${canaryPort}`])
      expect(await failureOf(egress.fetch(`https://user:${SECRET}@${host}/`))).toMatchObject(refused);
    expect(contacts).toBe(0);
  });
});

describe("a public peer", () => {
  test("is reached at the address that was checked, under its own name", async () => {
    const { egress, sentTo } = toPeer();
    const response = await egress.fetch(`https://${HOST}/echo`, {
      method: "POST",
      headers: { "private-token": "t" },
      body: "hello",
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ host: HOST, token: "t", body: "hello" });
    expect(sentTo).toEqual([PUBLIC]);
  });

  test("may have an IPv6 address and a port", async () => {
    const { egress, sentTo } = toPeer(async () => ["2606:2800:21f:cb07:6820:80da:af6b:8b2c"]);
    const response = await egress.fetch(`https://${HOST}:8443/echo`);
    expect(await response.json()).toMatchObject({ host: `${HOST}:8443` });
    expect(sentTo).toEqual(["[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:8443"]);
  });

  test("is resolved once, so that a name can't change its mind", async () => {
    const answers = [[PUBLIC], ["127.0.0.1"], ["127.0.0.1"]];
    const { egress, sentTo } = toPeer(async () => answers.shift() ?? []);
    await egress.fetch(`https://${HOST}/echo`);
    expect(sentTo).toEqual([PUBLIC]);
    expect(answers).toHaveLength(2);
    expect(await failureOf(egress.fetch(`https://${HOST}/echo`))).toMatchObject(refused);
  });

  test("must prove its name", async () => {
    const { egress } = toPeer();
    await egress.fetch(`https://${HOST}/echo`);
    const other = failureOf(egress.fetch("https://other.example.com/echo"));
    expect(await other).toMatchObject({
      code: "unavailable",
      message: "other.example.com has no valid certificate",
    });
    const address = failureOf(egress.fetch(`https://${PUBLIC}/echo`));
    expect(await address).toMatchObject({ code: "unavailable" });
  });

  test("must be vouched for by somebody we trust", async () => {
    const egress = createEgress({
      allow: [],
      resolve: publicly,
      send: (_, init) => fetch(`https://127.0.0.1:${peer.port}/echo`, init),
    });
    expect(await failureOf(egress.fetch(`https://${HOST}/echo`))).toMatchObject({
      code: "unavailable",
      message: `${HOST} has no valid certificate`,
    });
  });

  test("that redirects isn't followed", async () => {
    const { egress, sentTo } = toPeer();
    const response = await egress.fetch(`https://${HOST}/redirect`, { redirect: "follow" });
    expect(response.status).toBe(302);
    expect(sentTo).toHaveLength(1);
    expect(contacts).toBe(0);
  });

  test.each([
    ["says nothing", "/silent"],
    ["trickles", "/trickle"],
  ])("that %s is given up in time", async (_, path) => {
    const { egress } = toPeer();
    const started = performance.now();
    const failed = failureOf(egress.fetch(`https://${HOST}${path}`, { timeoutMs: 300 }));
    expect(await failed).toMatchObject({ code: "unavailable", message: `${HOST} can't be reached` });
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  test("whose name isn't resolved in time is given up", async () => {
    const { egress } = toPeer(() => new Promise(() => undefined));
    const failed = failureOf(egress.fetch(`https://${HOST}/echo`, { timeoutMs: 200 }));
    expect(await failed).toMatchObject({ code: "unavailable", message: `${HOST} can't be resolved` });
  });

  test.each([
    ["never ends", "/endless"],
    ["grows when it is inflated", "/bomb"],
  ])("whose answer %s is cut off", async (_, path) => {
    const { egress } = toPeer();
    expect(await failureOf(egress.fetch(`https://${HOST}${path}`))).toMatchObject({
      code: "unavailable",
      message: "the answer is too large",
    });
  });

  test("may compress, send nothing, and refuse", async () => {
    const { egress } = toPeer();
    const small = await egress.fetch(`https://${HOST}/small`, { mostBytes: 5 });
    expect(await small.text()).toBe("hello");
    expect(small.headers.has("content-encoding")).toBe(false);
    expect((await egress.fetch(`https://${HOST}/nothing`)).status).toBe(204);
    expect((await egress.fetch(`https://${HOST}/refusal`)).status).toBe(403);
  });

  test("isn't waited for any longer than the caller waits", async () => {
    const { egress } = toPeer();
    const controller = new AbortController();
    const failed = failureOf(egress.fetch(`https://${HOST}/silent`, { signal: controller.signal }));
    controller.abort();
    expect(await failed).toMatchObject({ code: "unavailable" });
  });
});

describe("an allowed target", () => {
  test("may be private and plain http", async () => {
    using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("hello") });
    const egress = createEgress({ allow: [`127.0.0.1:${server.port}`] });
    await egress.check(`http://127.0.0.1:${server.port}/`);
    expect(await (await egress.fetch(`http://127.0.0.1:${server.port}/`)).text()).toBe("hello");
  });

  test("is that host and port and no other", async () => {
    const egress = createEgress({ allow: [`127.0.0.1:${canaryPort + 1}`, `Gitlab.internal:80`] });
    for (const url of [
      `http://127.0.0.1:${canaryPort}/`,
      `https://127.0.0.1:${canaryPort}/`,
      `http://localhost:${canaryPort + 1}/`,
      "http://gitlab.internal:8080/",
      "ftp://gitlab.internal:80/",
    ])
      expect(await failureOf(egress.fetch(url))).toMatchObject(refused);
    expect(contacts).toBe(0);
    await egress.check("http://gitlab.internal/");
    await egress.check("http://GITLAB.internal:80/x");
  });
});

test("no failure tells of what was sent", async () => {
  const { egress } = toPeer();
  const headers = { "private-token": SECRET };
  const silent = egress.fetch(`https://${HOST}/silent?token=${SECRET}`, { headers, timeoutMs: 100 });
  const elsewhere = egress.fetch(`https://other.example.com/?token=${SECRET}`, {
    headers,
    body: SECRET,
    method: "POST",
  });
  const nowhere = createEgress({ allow: ["127.0.0.1:1"] }).fetch(`http://127.0.0.1:1/${SECRET}`, { headers });
  for (const failure of await Promise.all([silent, elsewhere, nowhere].map(failureOf))) {
    for (let error = failure; error instanceof Error; error = error.cause)
      expect(`${error.name} ${error.message} ${error.stack}`).not.toContain(SECRET);
  }
});
