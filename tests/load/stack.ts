import { readdir } from "node:fs/promises";

import { isObject, member, text } from "@leeway/shared/values/json";
import {
  serviceBusUrl,
  testBusKeys,
  testDatabase,
  testStreams,
  type TestDatabase,
} from "@leeway/shared/testing/testing";

import { BUS_PARTS } from "../../scripts/bus-parts.ts";
import { freePort } from "../../scripts/local/ports.ts";
import { SCHEMAS } from "../../scripts/schemas.ts";

const OPERATOR_TOKEN = "load-tests-only-load-tests-only-load";

/** Leeway as in production: each service in a process of its own, on a new database. */
export interface LoadStack {
  db: TestDatabase;
  baseUrl: string;
  /** Address of each gateway; the first is `baseUrl`. */
  gateways: readonly string[];
  newOrg(): Promise<{ id: string; key: string }>;
  /** Returns the resident megabytes of each service's largest process. */
  megabytes(): Promise<Record<string, number>>;
  /** Returns the number of open files of each service. */
  files(): Promise<Record<string, number>>;
  /** Kills every process of a service. */
  halt(service: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the services with `copies` processes each. */
export async function startStack({ copies = 1 } = {}): Promise<LoadStack> {
  await warnOfSessions();
  const db = await testDatabase(SCHEMAS);
  await testStreams(...BUS_PARTS);
  const ports = await Promise.all(
    Array.from({ length: copies }, async () => ({ port: await freePort(), healthPort: await freePort() })),
  );
  const services = ports.flatMap((own) =>
    SCHEMAS.map(({ service }) => ({ service, process: startService(db, service, own) })),
  );
  const gateways = ports.map(({ port }) => `http://127.0.0.1:${port}`);
  const [baseUrl = ""] = gateways;
  // The services must not outlive a program that fails.
  process.once("exit", () => services.forEach(({ process: child }) => child.kill()));
  for (const { healthPort } of ports)
    while (!(await isReady(`http://127.0.0.1:${healthPort}`))) await Bun.sleep(50);
  const most = async (figureOf: (pid: number) => Promise<number>): Promise<Record<string, number>> => {
    const figures: Record<string, number> = {};
    for (const { service, process: child } of services)
      figures[service] = Math.max(figures[service] ?? 0, await figureOf(child.pid));
    return figures;
  };
  return {
    db,
    baseUrl,
    gateways,
    async newOrg() {
      const made = await fetch(`${baseUrl}/operator/orgs`, {
        method: "POST",
        headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, "content-type": "application/json" },
        body: JSON.stringify({ name: "Load" }),
      });
      const answer: unknown = await made.json();
      if (!made.ok) throw new Error(`no organization: ${JSON.stringify(answer)}`);
      const body = isObject(answer) ? answer : {};
      return { id: text(member(body, "org"), "id") ?? "", key: text(member(body, "api_key"), "key") ?? "" };
    },
    megabytes: () => most(residentOf),
    files: () => most(filesOf),
    async halt(halted) {
      const meant = services.filter(({ service }) => service === halted);
      for (const { process } of meant) process.kill();
      await Promise.all(meant.map(({ process }) => process.exited));
    },
    async stop() {
      for (const { process } of services) process.kill();
      await Promise.all(services.map(({ process }) => process.exited));
      await db.drop();
    },
  };
}

/**
 * Warns about Linux's autogroup scheduling, which shares processors by session. Each PostgreSQL connection is one
 * session and all services of a terminal are one together. Containers aren't affected.
 */
async function warnOfSessions(): Promise<void> {
  const setting = Bun.file("/proc/sys/kernel/sched_autogroup_enabled");
  if ((await setting.exists()) && (await setting.text()).trim() === "1")
    console.warn("slower than in containers: set kernel.sched_autogroup_enabled to 0 (docs/sizing.md)");
}

interface Ports {
  port: number;
  /** Health port of the gateway. */
  healthPort: number;
}

function startService(db: TestDatabase, service: string, { port, healthPort }: Ports): Bun.Subprocess {
  return Bun.spawn([process.execPath, `${import.meta.dir}/../../services/${service}/src/main.ts`], {
    env: {
      ...process.env,
      DATABASE_URL: db.urlOf(service),
      NATS_URL: serviceBusUrl(service),
      LEEWAY_MASTER_KEYS: `load:${Buffer.alloc(32, 7).toString("base64")}`,
      LEEWAY_BUS_KEYS: testBusKeys(service),
      OPERATOR_TOKEN,
      PORT: String(port),
      HEALTH_PORT: service === "gateway" ? String(healthPort) : "0",
      LOG_LEVEL: "warn",
      RATE_LIMIT_KEY_PER_MINUTE: "0",
      RATE_LIMIT_ORGANIZATION_PER_MINUTE: "0",
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

/** Returns the resident megabytes of a process; NaN if the system doesn't report it. */
async function residentOf(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`)
    .text()
    .catch(() => "");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** Returns the number of a process's open files and sockets; NaN if the system doesn't report it. */
async function filesOf(pid: number): Promise<number> {
  return readdir(`/proc/${pid}/fd`).then(
    (files) => files.length,
    () => Number.NaN,
  );
}
