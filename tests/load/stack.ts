import { readdir } from "node:fs/promises";

import { isObject, member, text } from "@leeway/shared/json";
import { serviceBusUrl, testDatabase, type TestDatabase } from "@leeway/shared/testing";

import { freePort } from "../../scripts/local/ports.ts";
import { SCHEMAS } from "../../scripts/schemas.ts";

const OPERATOR_TOKEN = "load-tests-only";

/** Leeway as it runs in earnest, each service in a process of its own, on a database of its own. */
export interface LoadStack {
  db: TestDatabase;
  baseUrl: string;
  /** Where each gateway is; the first is `baseUrl`. */
  gateways: readonly string[];
  newOrg(): Promise<{ id: string; key: string }>;
  /** Resident megabytes of every service now, by its name; of several processes the most. */
  megabytes(): Promise<Record<string, number>>;
  /** Open files of every service now, by its name. */
  files(): Promise<Record<string, number>>;
  /** Ends every process of a service. */
  halt(service: string): Promise<void>;
  stop(): Promise<void>;
}

/** With so many processes of each service. */
export async function startStack({ copies = 1 } = {}): Promise<LoadStack> {
  await warnOfSessions();
  const db = await testDatabase(SCHEMAS);
  const ports = await Promise.all(Array.from({ length: copies }, () => freePort()));
  const services = ports.flatMap((port) =>
    SCHEMAS.map(({ service }) => ({ service, process: startService(db, service, port) })),
  );
  const gateways = ports.map((port) => `http://127.0.0.1:${port}`);
  const [baseUrl = ""] = gateways;
  // A program that fails leaves nobody behind.
  process.once("exit", () => services.forEach(({ process: child }) => child.kill()));
  for (const gateway of gateways) while (!(await isReady(gateway))) await Bun.sleep(50);
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
 * Linux can share processors between sessions before processes: each connection of PostgreSQL is one then, and all
 * services of a terminal together another. A container isn't subject to it.
 */
async function warnOfSessions(): Promise<void> {
  const setting = Bun.file("/proc/sys/kernel/sched_autogroup_enabled");
  if ((await setting.exists()) && (await setting.text()).trim() === "1")
    console.warn("slower than in containers: set kernel.sched_autogroup_enabled to 0 (docs/sizing.md)");
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

/** Resident megabytes of a process; NaN where the system doesn't tell. */
async function residentOf(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`)
    .text()
    .catch(() => "");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** How many files and sockets a process has open; NaN where the system doesn't tell. */
async function filesOf(pid: number): Promise<number> {
  return readdir(`/proc/${pid}/fd`).then(
    (files) => files.length,
    () => Number.NaN,
  );
}
