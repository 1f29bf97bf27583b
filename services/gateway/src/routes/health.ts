import { call } from "@leeway/shared/bus/request";
import { healthOf } from "@leeway/shared/contracts/common";
import { ping } from "@leeway/shared/database/ping";
import { metricsResponse } from "@leeway/shared/service";
import { words } from "@leeway/shared/contract";
import { Type as t, type Static } from "@sinclair/typebox";

import type { Gateway } from "../gateway.ts";
import { json } from "../http/answer.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";

const TAG = "Service";
/** Whom the gateway asks on behalf of its callers. */
const SERVICES = ["analyzer", "inventory", "quota", "webhooks"] as const;
const CHECKS = SERVICES.map((name) => ({ name, contract: healthOf(name) }));

const Readiness = t.Object({
  status: words(["ready", "degraded", "not_ready"]),
  not_ready: t.Array(t.String({ description: "`database`, `bus` or the name of a service" })),
  degraded: t.Array(
    t.String({ description: "What doesn't get on though all answer, such as `analyzer-jobs`" }),
  ),
});

const live = endpoint({
  method: "GET",
  path: "/healthz",
  operationId: "getHealth",
  tag: TAG,
  summary: "Is the process up?",
  description: "Answers as long as the process does.",
  who: "public",
  success: {
    status: 200,
    description: "It is up",
    schema: t.Object({ status: t.Literal("ok") }),
    example: { status: "ok" },
  },
  handle: async () => json({ status: "ok" }),
});

const ready = endpoint({
  method: "GET",
  path: "/readyz",
  operationId: "getReadiness",
  tag: TAG,
  summary: "Can requests be answered?",
  description:
    "Asks the database, which must take writes, the bus and every service. `degraded` is ready: requests are answered.",
  who: "public",
  success: {
    status: 200,
    description: "All of them answer",
    schema: Readiness,
    example: { status: "ready", not_ready: [], degraded: [] },
  },
  otherwise: [
    {
      status: 503,
      description: "One of them doesn't",
      schema: Readiness,
      example: { status: "not_ready", not_ready: ["inventory"], degraded: [] },
    },
  ],
  async handle(_, gateway) {
    const { not_ready, degraded } = await readinessOf(gateway);
    if (not_ready.length > 0) return json({ status: "not_ready", not_ready, degraded }, 503);
    return json({ status: degraded.length > 0 ? "degraded" : "ready", not_ready, degraded });
  },
});

const metrics = endpoint({
  method: "GET",
  path: "/metrics",
  operationId: "getMetrics",
  tag: TAG,
  summary: "Metrics of this process",
  description: "In Prometheus' text format.",
  who: "public",
  success: { status: 200, description: "The metrics", mediaType: "text/plain" },
  async handle() {
    const response = await metricsResponse();
    const type = response.headers.get("content-type") ?? "text/plain";
    return { status: 200, headers: { "content-type": type }, body: await response.text() };
  },
});

export const health: readonly Endpoint[] = [live, ready, metrics];

/** What doesn't answer, and what those that answer say doesn't get on. */
async function readinessOf({ database, bus }: Gateway): Promise<Omit<Static<typeof Readiness>, "status">> {
  const answers = await Promise.all([
    check("database", async () => ({ ready: await ping(database.system).then(() => true) })),
    check("bus", async () => ({ ready: bus.connected })),
    ...CHECKS.map(({ name, contract }) => check(name, () => call(bus, contract, {}))),
  ]);
  return {
    not_ready: answers.flatMap(({ name, ready }) => (ready ? [] : [name])),
    degraded: answers.flatMap(({ degraded = [] }) => degraded),
  };
}

interface Health {
  ready: boolean;
  degraded?: string[];
}

async function check(name: string, ask: () => Promise<Health>): Promise<Health & { name: string }> {
  return { name, ...(await ask().catch(() => ({ ready: false }))) };
}
