import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import https from "node:https";
import { createServer, type LookupFunction, type Socket } from "node:net";

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
      "/headers": (request) => Response.json(Object.fromEntries(request.headers)),
      "/redirect": () => Response.redirect(`http://127.0.0.1:${canaryPort}/`, 302),
      "/late": async () => {
        await Bun.sleep(500);
        return new Response("late");
      },
      "/silent": () => new Promise<Response>(() => undefined),
      "/large": () => new Response(new Uint8Array(2 * 1024 * 1024)),
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
    open: (url, options) => {
      const { lookup } = options;
      if (!lookup) throw new Error("the address that was checked isn't the one that is connected to");
      lookup(url.hostname, { all: true }, (_, found) => {
        sentTo.push(...(Array.isArray(found) ? found.map(({ address }) => address) : []));
      });
      return https.request(url, { ...options, port: peer.port, ca: authority.cert, lookup: toLoopback });
    },
  });
  return { egress, sentTo };
}

/** A peer that handles its connections by hand. */
async function rawPeer(onConnection: (socket: Socket) => void): Promise<{ port: number; close: () => void }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => undefined));
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port: typeof address === "object" ? (address?.port ?? 0) : 0, close };
}

const toLoopback: LookupFunction = (_, { all }, done) =>
  all ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4);

const refused = { code: "invalid_parameter", message: expect.stringMatching(/^the address /) };
/** The address itself is what is wrong, and not its port. */
const notPublic = { code: "invalid_parameter", message: "the address must be public https" };

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
    "127.0.0.1.",
    "0x7f.0.0.1.",
    "0",
    "192.168.257",
    "0300.0250.1.1",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "public.example.com%2f@127.0.0.1",
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
    "[2002:a9fe:a9fe::]",
    "[64:ff9b::a9fe:a9fe]",
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
    const reason = host.includes("@") ? refused : notPublic;
    expect(await failureOf(egress.check(`https://${host}:${canaryPort}/`))).toMatchObject(reason);
    expect(await failureOf(egress.fetch(`https://${host}:${canaryPort}/`))).toMatchObject(reason);
    expect(contacts).toBe(0);
  });

  test.each([
    "localhost",
    "localhost.",
    "LOCALHOST",
    "ⓛocalhost",
    "a.localhost",
    "postgres",
    "metadata.google.internal",
    "metadata.google.internal.",
    "printer.local",
    "nas.home.arpa",
  ])("https://%s, a name that only we could know, without asking for it", async (host) => {
    const asked: string[] = [];
    const resolve = async (name: string): Promise<string[]> => [asked.push(name).toString(), PUBLIC];
    const egress = createEgress({ allow: [], resolve });
    expect(await failureOf(egress.fetch(`https://${host}:${canaryPort}/`))).toMatchObject(notPublic);
    expect(asked).toEqual([]);
    expect(contacts).toBe(0);
  });

  test.each([
    [["127.0.0.1"]],
    [["169.254.169.254"]],
    [["fd00:ec2::254"]],
    [["127.0.0.1", PUBLIC]],
    [[PUBLIC, "127.0.0.1"]],
    [[PUBLIC, "::1"]],
    [[PUBLIC, "fd00::1"]],
    [["::ffff:10.0.0.1"]],
    [["not an address"]],
    [[]],
  ])("a name with the addresses %j", async (addresses) => {
    const egress = createEgress({ allow: [], resolve: async () => addresses });
    expect(await failureOf(egress.fetch(`https://${HOST}:${canaryPort}/`))).toMatchObject(notPublic);
    expect(contacts).toBe(0);
  });

  test.each([
    "https://peer.example.com:8443/",
    "https://93.184.215.14:22/",
    "https://peer.example.com:0/",
    "http://peer.example.com:443/",
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

  test("may have several addresses, and is reached at one that answers", async () => {
    const addresses = ["2606:2800:21f:cb07:6820:80da:af6b:8b2c", PUBLIC];
    const { egress, sentTo } = toPeer(async () => addresses);
    await egress.fetch(`https://${HOST}/echo`);
    expect(sentTo).toEqual(addresses);
    const dead = "127.0.0.5"; // nobody listens here
    const alive = createEgress({
      allow: [],
      resolve: publicly,
      open: (url, options) =>
        https.request(url, {
          ...options,
          port: peer.port,
          ca: authority.cert,
          lookup: (_, __, done) =>
            done(
              null,
              [dead, "127.0.0.1"].map((address) => ({ address, family: 4 })),
            ),
        }),
    });
    expect((await alive.fetch(`https://${HOST}/echo`)).status).toBe(200);
  });

  test("is told who asks, and no other name than its own", async () => {
    const { egress } = toPeer();
    const response = await egress.fetch(`https://${HOST}/headers`, {
      headers: { host: "other.example.com" },
    });
    expect(await response.json()).toMatchObject({ host: HOST, "user-agent": "Leeway" });
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

  test("isn't believed for a certificate of its address", async () => {
    using elsewhere = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      tls: authority.issue(PUBLIC),
      fetch: () => new Response("hello"),
    });
    const egress = createEgress({
      allow: [],
      resolve: publicly,
      open: (url, options) =>
        https.request(url, { ...options, port: elsewhere.port, ca: authority.cert, lookup: toLoopback }),
    });
    expect(await failureOf(egress.fetch(`https://${HOST}/`))).toMatchObject({
      message: `${HOST} has no valid certificate`,
    });
  });

  test("must be vouched for by somebody we trust", async () => {
    const egress = createEgress({
      allow: [],
      resolve: publicly,
      open: (url, options) => https.request(url, { ...options, port: peer.port, lookup: toLoopback }),
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

  test.each(["timeoutMs", "connectTimeoutMs"])(
    "whose name isn't resolved in time is given up: %s",
    async (limit) => {
      const { egress } = toPeer(() => new Promise(() => undefined));
      const failed = failureOf(egress.fetch(`https://${HOST}/echo`, { [limit]: 200 }));
      expect(await failed).toMatchObject({ code: "unavailable", message: `${HOST} can't be resolved` });
    },
  );

  test("that takes the connection and doesn't say who it is, is given up sooner", async () => {
    const { port, close } = await rawPeer(() => undefined);
    const egress = createEgress({ allow: [`127.0.0.1:${port}`] });
    const started = performance.now();
    const failed = failureOf(egress.fetch(`https://127.0.0.1:${port}/`, { connectTimeoutMs: 200 }));
    expect(await failed).toMatchObject({ code: "unavailable" });
    expect(performance.now() - started).toBeLessThan(2_000);
    close();
  });

  test.each([
    ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"],
    ["no HTTP", "SSH-2.0-OpenSSH_9\r\n"],
    ["headers without end", `HTTP/1.1 200 OK\r\nX: ${"x".repeat(10 * 1024 * 1024)}`],
    ["a status that there can't be", "HTTP/1.1 999 ?\r\nContent-Length: 0\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx"],
  ])("that speaks %s isn't waited for", async (_, answer) => {
    const { port, close } = await rawPeer((socket) => socket.once("data", () => socket.write(answer)));
    const egress = createEgress({ allow: [`127.0.0.1:${port}`] });
    const started = performance.now();
    const failed = failureOf(egress.fetch(`http://127.0.0.1:${port}/`));
    expect(await failed).toMatchObject({ code: "unavailable" });
    expect(performance.now() - started).toBeLessThan(2_000);
    close();
  });

  test("may take longer for its answer than for the connection", async () => {
    const { egress } = toPeer();
    const failed = egress.fetch(`https://${HOST}/late`, { connectTimeoutMs: 300 });
    expect((await failed).status).toBe(200);
  });

  test.each([
    ["never ends", "/endless"],
    ["grows when it is inflated", "/bomb"],
    ["has 2 MB", "/large"],
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
