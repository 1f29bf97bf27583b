import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rm, stat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";

import { type Nats, natsAnswers, startNats } from "./nats.ts";
import { inspectProcess } from "./process.ts";
import { makeTestFolder } from "./test-folder.ts";

let dir: string;

beforeAll(async () => {
  dir = await makeTestFolder();
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const start = (): Promise<Nats> => startNats({ dir, say: console.error });

/** Returns the server's INFO message to a new connection. */
async function serverInfo(port: number): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(port, "127.0.0.1");
  socket.once("data", (data) => resolve(data.toString()));
  const line = await promise;
  socket.destroy();
  return JSON.parse(line.slice("INFO ".length));
}

describe("the embedded nats-server", () => {
  test("has JetStream, accepts 8 MB messages, requires a password and listens locally only", async () => {
    const nats = await start();
    expect(await serverInfo(nats.port)).toMatchObject({
      jetstream: true,
      max_payload: 8 * 1024 * 1024,
      auth_required: true,
      host: "127.0.0.1",
    });
    expect(await natsAnswers(nats.url)).toBe(true);
    expect(await natsAnswers(`nats://127.0.0.1:${nats.port}`)).toBe(false);
    expect(await natsAnswers(`nats://leeway:guess@127.0.0.1:${nats.port}`)).toBe(false);
    for (const file of ["nats.json", "nats/nats-server.conf"]) {
      expect((await stat(join(dir, file))).mode & 0o777).toBe(0o600);
    }
    await nats.stop();
    expect(inspectProcess(nats.identity.pid)).toBeUndefined();
    expect(await natsAnswers(nats.url)).toBe(false);
  }, 120_000);

  test("restarts with the same URL after a kill -9", async () => {
    const first = await start();
    process.kill(first.identity.pid, "SIGKILL");
    await first.exited;
    const second = await start();
    expect(second.url).toBe(first.url);
    await second.stop();
  });

  test("replaces a server left running by a killed process", async () => {
    const left = await start();
    const next = await start();
    expect(inspectProcess(left.identity.pid)).toBeUndefined();
    expect(await natsAnswers(next.url)).toBe(true);
    await next.stop();
  });

  test("shows its log when it can't start", async () => {
    using taken = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { open: (socket) => void socket.end(), data: () => undefined },
    });
    const wrong = startNats({ dir, port: taken.port, say: console.error });
    expect(wrong).rejects.toThrow("address already in use");
  });
});
