import { expect, test } from "bun:test";

import { join } from "node:path";

import { pino } from "pino";
import type { Socket } from "bun";

import { registry } from "../platform/telemetry/metrics.ts";
import { failureOf, testBus } from "../testing/testing.ts";
import { connectBus } from "./connection.ts";

test("a message published right before closing a connection arrives", async () => {
  const [listener, speaker] = [await testBus("listener"), await testBus("speaker")];
  const subject = `last-words.${crypto.randomUUID()}`;
  const words = listener.nats.subscribe(subject, { max: 1 });
  await listener.nats.flush();
  speaker.nats.publish(subject, "goodbye");
  await speaker.nats.close();
  for await (const word of words) expect(word.string()).toBe("goodbye");
  await listener.nats.close();
});

/** Starts a server that rejects clients while it `refuses`. */
function doorkeeper({ port = 0, log = pino({ level: "silent" }) } = {}) {
  const state = { refuses: false, refused: 0 };
  const open = new Set<Socket>();
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port,
    socket: {
      open(socket) {
        open.add(socket);
        socket.write('INFO {"server_id":"a","version":"2.10.27","headers":true,"max_payload":1048576}\r\n');
      },
      data(socket, bytes) {
        const said = bytes.toString();
        if (state.refuses && said.includes("CONNECT")) {
          state.refused += 1;
          socket.end("-ERR 'Authorization Violation'\r\n");
        } else for (const _ of said.matchAll(/PING\r\n/g)) socket.write("PONG\r\n");
      },
      close: (socket) => void open.delete(socket),
    },
  });
  return {
    state,
    port: server.port,
    connect: () => connectBus({ url: `nats://someone:secret@127.0.0.1:${server.port}`, name: "test", log }),
    hangUp: () => open.forEach((socket) => socket.end()),
    stop: () => server.stop(true),
  };
}

test("a connection recovers even after the server refused it for a while", async () => {
  const { state, connect, hangUp, stop } = doorkeeper();
  const bus = await connect();
  state.refuses = true;
  hangUp();
  while (state.refused < 4 && !bus.nats.isClosed()) await Bun.sleep(10);
  expect(await registry.metrics()).toContain("\nleeway_bus_away 1\n");
  state.refuses = false;
  while (!bus.connected && !bus.nats.isClosed()) await Bun.sleep(10);
  expect(bus.connected).toBe(true);
  expect(await registry.metrics()).toContain("\nleeway_bus_away 0\n");
  await bus.nats.close();
  stop();
});

test("the reasons why a connection doesn't recover are logged, each once", async () => {
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line) => void lines.push(line) });
  const before = doorkeeper({ log });
  const bus = await before.connect();
  before.stop();
  while (!lines.join().includes("CONNECTION_REFUSED")) await Bun.sleep(50);
  const after = doorkeeper({ port: before.port });
  after.state.refuses = true;
  while (!lines.join().includes("AUTHORIZATION_VIOLATION")) await Bun.sleep(50);
  after.state.refuses = false;
  while (!bus.connected) await Bun.sleep(50);
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { msg: "lost the connection to the bus" },
    { code: "CONNECTION_REFUSED", msg: "waiting for the bus" },
    { code: "AUTHORIZATION_VIOLATION", msg: "waiting for the bus" },
    { msg: "reconnected to the bus" },
  ]);
  expect(lines.join()).not.toContain("secret");
  await bus.nats.close();
  after.stop();
});

test("with tls:// a server without TLS gets no credentials, and the client waits", async () => {
  let received = "";
  using server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open: (socket) =>
        void socket.write('INFO {"server_id":"a","version":"2.10.27","max_payload":1048576}\r\n'),
      data: (_, bytes) => void (received += bytes.toString()),
    },
  });
  const { said, signal } = await waitingFor(`tls://someone:secret@127.0.0.1:${server.port}`);
  expect({ received, signal }).toEqual({ received: "", signal: "SIGTERM" });
  expect(said).toContain("SERVER_OPT_NA");
});

test("the log says why the bus isn't reachable, without the password", async () => {
  const { said } = await waitingFor("nats://someone:secret@127.0.0.1:1");
  expect(said).toContain("CONNECTION_REFUSED");
  expect(said).not.toContain("secret");
});

/** Returns the output of a process that waits for the bus, until it logs that, and the signal that ended it. */
async function waitingFor(url: string): Promise<{ said: string; signal: unknown }> {
  const program = `
    import { connectBus } from "./bus/connection.ts";
    import { createLogger } from "./platform/telemetry/log.ts";
    await connectBus({ url: ${JSON.stringify(url)}, name: "test", log: createLogger("test", "info") });`;
  const child = Bun.spawn([process.execPath, "-e", program], {
    cwd: join(import.meta.dir, ".."),
    stdout: "pipe",
  });
  let said = "";
  for await (const chunk of child.stdout) {
    said += new TextDecoder().decode(chunk);
    if (said.includes("waiting for the bus")) child.kill();
  }
  await child.exited;
  return { said, signal: child.signalCode };
}

test("a client refused at the first connection fails at once", async () => {
  const { state, connect, stop } = doorkeeper();
  state.refuses = true;
  expect(await failureOf(connect())).toMatchObject({ code: "AUTHORIZATION_VIOLATION" });
  stop();
});
