import { expect, test } from "bun:test";

import { startTestGateway } from "./support/gateway.ts";

/** Time for which proxies keep idle connections. */
const KEPT_MS = 61_000;

test(
  "a connection kept open by a proxy for a minute accepts another request",
  async () => {
    const gateway = await startTestGateway();
    const { id, key } = await gateway.newOrg();
    const base = `/api/v2/orgs/${id}`;
    // The second and third requests have longer timeouts than others.
    const verify = `POST ${base}/cloud-accounts/${crypto.randomUUID()}/verify`;
    const enrich = `POST ${base}/resources/${crypto.randomUUID()}/enrich`;
    const answered = await Promise.all(
      [`GET ${base}`, verify, enrich].map((first) => askTwice(gateway.url, key, [first, `GET ${base}`])),
    );
    expect(answered.map(([, last]) => last)).toEqual([200, 200, 200]);
    await gateway.stop();
  },
  KEPT_MS + 30_000,
);

/** Returns the statuses of two requests on one connection with a minute in between; fewer if it was closed. */
async function askTwice(url: string, key: string, requests: readonly string[]): Promise<number[]> {
  const { hostname, port } = new URL(url);
  const statuses: number[] = [];
  const waiting = new Set<() => void>();
  const wake = (): void => waiting.forEach((resolve) => resolve());
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, bytes) {
        const status = /^HTTP\/1\.1 (\d+)/.exec(bytes.toString("latin1"))?.[1];
        if (status !== undefined) statuses.push(Number(status));
        wake();
      },
      close: wake,
      error: wake,
    },
  });
  for (const [index, request] of requests.entries()) {
    if (index > 0) await Bun.sleep(KEPT_MS);
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.add(resolve);
    const written = socket.write(
      `${request} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\ncontent-length: 0\r\n\r\n`,
    );
    if (written <= 0) break;
    await promise;
    waiting.delete(resolve);
  }
  socket.end();
  return statuses;
}
