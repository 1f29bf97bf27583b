import { call } from "@leeway/shared/bus/request";
import { healthOf } from "@leeway/shared/contracts/common";
import { ping } from "@leeway/shared/database/ping";
import type { Platform, Standing } from "@leeway/shared/service/service";

/** Services that the gateway calls for its callers. */
const SERVICES = ["analyzer", "inventory", "quota", "webhooks"] as const;
const CHECKS = SERVICES.map((name) => ({ name, contract: healthOf(name) }));

/**
 * Reports whether the gateway can answer requests. `not_ready` lists the database if it accepts no writes, the bus if
 * it is down, and services that don't answer. `degraded` lists parts that don't make progress although every service
 * answers.
 */
export async function standingOf({ database, bus }: Platform): Promise<Standing> {
  const answers = await Promise.all([
    check("database", async () => ({ ready: await ping(database.system).then(() => true) })),
    check("bus", async () => ({ ready: bus.connected })),
    ...CHECKS.map(({ name, contract }) => check(name, () => call(bus, contract, {}))),
  ]);
  const notReady = answers.flatMap(({ name, ready }) => (ready ? [] : [name]));
  const degraded = answers.flatMap((answer) => answer.degraded ?? []);
  const status = notReady.length > 0 ? "not_ready" : degraded.length > 0 ? "degraded" : "ready";
  return { status, not_ready: notReady, degraded };
}

interface Health {
  ready: boolean;
  degraded?: string[];
}

async function check(name: string, ask: () => Promise<Health>): Promise<Health & { name: string }> {
  return { name, ...(await ask().catch(() => ({ ready: false }))) };
}
