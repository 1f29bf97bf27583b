import {
  serviceBusUrl,
  testBusKeys,
  testDatabase,
  testStreams,
  type TestDatabase,
} from "@leeway/shared/testing/testing";

import { BUS_PARTS } from "../../scripts/bus-parts.ts";
import { freePort } from "../../scripts/local/ports.ts";
import {
  OPERATOR_TOKEN,
  send,
  type Answered,
  type Ask,
} from "../../services/gateway/test/support/gateway.ts";
import { SCHEMAS } from "./stack.ts";

const READY_LIMIT_MS = 60_000;

/** Every service in a process of its own, as in production, and all their output. */
export interface Processes {
  db: TestDatabase;
  masterKey: string;
  /** Key of the platform's own model. */
  platformKey: string;
  ask(method: string, path: string, ask?: Ask): Promise<Answered>;
  /** Stops the services cleanly. Returns everything they wrote on both streams. */
  stop(): Promise<string>;
}

export async function startProcesses(
  egressAllow = "",
  more: Record<string, string> = {},
): Promise<Processes> {
  const db = await testDatabase(SCHEMAS);
  await testStreams(...BUS_PARTS);
  const masterKey = crypto.getRandomValues(new Uint8Array(32)).toBase64();
  const platformKey = crypto.getRandomValues(new Uint8Array(32)).toBase64();
  const [port, healthPort] = [await freePort(), await freePort()];
  const children = SCHEMAS.map(({ service, migrations }) => {
    const child = Bun.spawn([process.execPath, `${migrations}/../src/main.ts`], {
      env: {
        PATH: process.env["PATH"] ?? "",
        DATABASE_URL: db.urlOf(service),
        NATS_URL: serviceBusUrl(service),
        LEEWAY_MASTER_KEYS: `main:${masterKey}`,
        LEEWAY_BUS_KEYS: testBusKeys(service),
        OPERATOR_TOKEN,
        EGRESS_ALLOW: egressAllow,
        PLATFORM_LLM_PROVIDER: "openai",
        PLATFORM_LLM_API_KEY: platformKey,
        PORT: String(port),
        HEALTH_PORT: service === "gateway" ? String(healthPort) : "0",
        LOG_LEVEL: "debug",
        ...more,
      },
      stdout: "pipe",
      stderr: "pipe",
    });
    const said = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    return { child, said };
  });
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + READY_LIMIT_MS;
  while (
    !(await fetch(`http://127.0.0.1:${healthPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (performance.now() > deadline) throw new Error("the services don't get ready");
    await Bun.sleep(30);
  }
  return {
    db,
    masterKey,
    platformKey,
    ask: (method, path, ask = {}) => send(url, method, path, ask),
    async stop() {
      for (const { child } of children) child.kill("SIGTERM");
      const said = await Promise.all(children.map((one) => one.said));
      return said.flat().join("\n");
    },
  };
}
