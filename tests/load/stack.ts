import { isObject, member, text } from "@leeway/shared/json";
import { serviceBusUrl, testDatabase, type TestDatabase } from "@leeway/shared/testing";

import { SCHEMAS } from "../../scripts/schemas.ts";

const OPERATOR_TOKEN = "load-tests-only";

/** Leeway as it runs in earnest, each service in a process of its own, on a database of its own. */
export interface LoadStack {
  db: TestDatabase;
  baseUrl: string;
  newOrg(): Promise<{ id: string; key: string }>;
  /** Resident megabytes of every service now, by its name. */
  megabytes(): Promise<Record<string, number>>;
  stop(): Promise<void>;
}

export async function startStack(): Promise<LoadStack> {
  const db = await testDatabase(SCHEMAS);
  const port = await freePort();
  const services = SCHEMAS.map(({ service }) => ({ service, process: startService(db, service, port) }));
  const baseUrl = `http://127.0.0.1:${port}`;
  // A program that fails leaves nobody behind.
  process.once("exit", () => services.forEach(({ process: child }) => child.kill()));
  while (!(await isReady(baseUrl))) await Bun.sleep(50);
  return {
    db,
    baseUrl,
    async newOrg() {
      const made = await fetch(`${baseUrl}/operator/orgs`, {
        method: "POST",
        headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, "content-type": "application/json" },
        body: JSON.stringify({ name: "Load" }),
      });
      const answer: unknown = await made.json();
      const body = isObject(answer) ? answer : {};
      return { id: text(member(body, "org"), "id") ?? "", key: text(member(body, "api_key"), "key") ?? "" };
    },
    async megabytes() {
      const sizes = services.map(
        async ({ service, process }) => [service, await residentOf(process.pid)] as const,
      );
      return Object.fromEntries(await Promise.all(sizes));
    },
    async stop() {
      for (const { process } of services) process.kill();
      await Promise.all(services.map(({ process }) => process.exited));
      await db.drop();
    },
  };
}

function startService(db: TestDatabase, service: string, port: number): Bun.Subprocess {
  return Bun.spawn([process.execPath, `${import.meta.dir}/../../services/${service}/src/main.ts`], {
    env: {
      ...process.env,
      DATABASE_URL: db.urlOf(service),
      NATS_URL: serviceBusUrl(service),
      LEEWAY_MASTER_KEYS: `load:${Buffer.alloc(32, 7).toString("base64")}`,
      OPERATOR_TOKEN,
      PORT: String(port),
      HEALTH_PORT: "0",
      LOG_LEVEL: "warn",
      RATE_LIMIT_KEY_PER_MINUTE: "0",
      RATE_LIMIT_WEBHOOK_PER_MINUTE: "0",
    },
    stdout: "inherit",
    stderr: "inherit",
  });
}

async function isReady(baseUrl: string): Promise<boolean> {
  return fetch(`${baseUrl}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

export async function freePort(): Promise<number> {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const { port } = server;
  server.stop();
  return port;
}

/** Resident megabytes of a process; NaN where the system doesn't tell. */
async function residentOf(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`)
    .text()
    .catch(() => "");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}
