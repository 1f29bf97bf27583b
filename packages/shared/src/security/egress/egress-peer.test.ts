import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import https from "node:https";
import { createServer, type Socket } from "node:net";

import { startCanary, type Canary } from "./canary.fixture.ts";
import { createEgress } from "./egress.ts";
import {
  authority,
  HOST,
  PUBLIC,
  publicly,
  refused,
  startPeer,
  toLoopback,
  toPeer,
  type Peer,
} from "./peer.fixture.ts";
import { failureOf } from "../../testing/testing.ts";

const SECRET = "Canary7hunter2";

let canary: Canary;
let peer: Peer;

beforeAll(async () => {
  canary = await startCanary();
  peer = startPeer(`http://127.0.0.1:${canary.port}/`);
});
afterAll(async () => {
  await peer.stop(true);
  canary.close();
});
beforeEach(() => {
  canary.contacts = 0;
});

/** Starts a peer that handles raw connections. */
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

describe("a public peer", () => {
  test("is contacted at the checked address under its own name", async () => {
    const { egress, sentTo } = toPeer(peer);
    const response = await egress.fetch(`https://${HOST}/echo`, {
      method: "POST",
      headers: { "private-token": "t" },
      body: "hello",
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ host: HOST, token: "t", body: "hello" });
    expect(sentTo).toEqual([PUBLIC]);
  });

  test("may have several addresses, and is contacted at one that responds", async () => {
    const addresses = ["2606:2800:21f:cb07:6820:80da:af6b:8b2c", PUBLIC];
    const { egress, sentTo } = toPeer(peer, async () => addresses);
    await egress.fetch(`https://${HOST}/echo`);
    expect(sentTo).toEqual(addresses);
    const dead = "127.0.0.5"; // no server listens here
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

  test("gets our user agent and no host name but its own", async () => {
    const { egress } = toPeer(peer);
    const response = await egress.fetch(`https://${HOST}/headers`, {
      headers: { host: "other.example.com" },
    });
    expect(await response.json()).toMatchObject({ host: HOST, "user-agent": "Leeway" });
  });

  test("is resolved once, so that its address can't change after the check", async () => {
    const answers = [[PUBLIC], ["127.0.0.1"], ["127.0.0.1"]];
    const { egress, sentTo } = toPeer(peer, async () => answers.shift() ?? []);
    await egress.fetch(`https://${HOST}/echo`);
    expect(sentTo).toEqual([PUBLIC]);
    expect(answers).toHaveLength(2);
    expect(await failureOf(egress.fetch(`https://${HOST}/echo`))).toMatchObject(refused);
  });

  test("must have a certificate for its name", async () => {
    const { egress } = toPeer(peer);
    await egress.fetch(`https://${HOST}/echo`);
    const other = failureOf(egress.fetch("https://other.example.com/echo"));
    expect(await other).toMatchObject({
      code: "unavailable",
      message: "other.example.com has no valid TLS certificate",
    });
    const address = failureOf(egress.fetch(`https://${PUBLIC}/echo`));
    expect(await address).toMatchObject({ code: "unavailable" });
  });

  test("isn't accepted with a certificate for its address", async () => {
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
      message: `${HOST} has no valid TLS certificate`,
    });
  });

  test("must have a certificate from a trusted authority", async () => {
    const egress = createEgress({
      allow: [],
      resolve: publicly,
      open: (url, options) => https.request(url, { ...options, port: peer.port, lookup: toLoopback }),
    });
    expect(await failureOf(egress.fetch(`https://${HOST}/echo`))).toMatchObject({
      code: "unavailable",
      message: `${HOST} has no valid TLS certificate`,
    });
  });

  test("that redirects isn't followed", async () => {
    const { egress, sentTo } = toPeer(peer);
    const response = await egress.fetch(`https://${HOST}/redirect`, { redirect: "follow" });
    expect(response.status).toBe(302);
    expect(sentTo).toHaveLength(1);
    expect(canary.contacts).toBe(0);
  });

  test.each([
    ["never responds", "/silent"],
    ["responds too slowly", "/trickle"],
  ])("that %s is given up in time", async (_, path) => {
    const { egress } = toPeer(peer);
    const failed = failureOf(egress.fetch(`https://${HOST}${path}`, { timeoutMs: 300 }));
    expect(await failed).toMatchObject({ code: "unavailable", message: `can't reach ${HOST}` });
  });

  test.each(["timeoutMs", "connectTimeoutMs"])(
    "whose name isn't resolved in time is given up: %s",
    async (limit) => {
      const { egress } = toPeer(peer, () => new Promise(() => undefined));
      const failed = failureOf(egress.fetch(`https://${HOST}/echo`, { [limit]: 200 }));
      expect(await failed).toMatchObject({ code: "unavailable", message: `can't resolve ${HOST}` });
    },
  );

  test("that accepts the connection but not TLS is given up sooner", async () => {
    const { port, close } = await rawPeer(() => undefined);
    const egress = createEgress({ allow: [`127.0.0.1:${port}`] });
    const failed = failureOf(egress.fetch(`https://127.0.0.1:${port}/`, { connectTimeoutMs: 200 }));
    expect(await failed).toMatchObject({ code: "unavailable" });
    close();
  });

  test.each([
    ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"],
    ["something other than HTTP", "SSH-2.0-OpenSSH_9\r\n"],
    ["endless headers", `HTTP/1.1 200 OK\r\nX: ${"x".repeat(10 * 1024 * 1024)}`],
    ["an impossible status", "HTTP/1.1 999 ?\r\nContent-Length: 0\r\n\r\n"],
    ["two Content-Length headers", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx"],
  ])("that sends %s fails at once", async (_, answer) => {
    const { port, close } = await rawPeer((socket) => socket.once("data", () => socket.write(answer)));
    const egress = createEgress({ allow: [`127.0.0.1:${port}`] });
    const failed = failureOf(egress.fetch(`http://127.0.0.1:${port}/`));
    expect(await failed).toMatchObject({ code: "unavailable" });
    close();
  });

  test("may take longer to respond than to connect", async () => {
    const { egress } = toPeer(peer);
    const failed = egress.fetch(`https://${HOST}/late`, { connectTimeoutMs: 300 });
    expect((await failed).status).toBe(200);
  });

  test.each([
    ["never ends", "/endless"],
    ["is too large after decompression", "/bomb"],
    ["is already received and too large after decompression", "/long-bomb"],
    ["has 2 MB", "/large"],
  ])("whose response %s is cut off", async (_, path) => {
    const { egress } = toPeer(peer);
    expect(await failureOf(egress.fetch(`https://${HOST}${path}`))).toMatchObject({
      code: "unavailable",
      message: "the response is too large",
    });
  });

  test.each(["/endless", "/bomb", "/large", "/trickle", "/small"])(
    "has its body skipped when only the headers are requested (%s)",
    async (path) => {
      const { egress } = toPeer(peer);
      const answer = await egress.fetch(`https://${HOST}${path}`, { onlyHead: true });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toBe("");
    },
  );

  test("may compress, send an empty body, or refuse", async () => {
    const { egress } = toPeer(peer);
    const small = await egress.fetch(`https://${HOST}/small`, { maxBytes: 5 });
    expect(await small.text()).toBe("hello");
    expect(small.headers.has("content-encoding")).toBe(false);
    expect((await egress.fetch(`https://${HOST}/nothing`)).status).toBe(204);
    expect((await egress.fetch(`https://${HOST}/refusal`)).status).toBe(403);
  });

  test("isn't awaited after the caller gives up", async () => {
    const { egress } = toPeer(peer);
    const controller = new AbortController();
    const failed = failureOf(egress.fetch(`https://${HOST}/silent`, { signal: controller.signal }));
    controller.abort();
    expect(await failed).toMatchObject({ code: "unavailable" });
  });
});

test("no error contains sent data", async () => {
  const { egress } = toPeer(peer);
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
