import { call } from "@leeway/shared/bus/request";
import { healthOf } from "@leeway/shared/contracts/common";
import { metricsResponse } from "@leeway/shared/service";
import { words } from "@leeway/shared/contract";
import { Type as t } from "@sinclair/typebox";

import type { Gateway } from "../gateway.ts";
import { json } from "../http/answer.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { ping } from "../store/ping.ts";

const TAG = "Service";
/** Whom the gateway asks on behalf of its callers. */
const SERVICES = ["analyzer", "inventory", "quota", "webhooks"] as const;
const CHECKS = SERVICES.map((name) => ({ name, contract: healthOf(name) }));

const Readiness = t.Object({
  status: words(["ready", "not_ready"]),
  not_ready: t.Array(t.String({ description: "`database`, `bus` or the name of a service" })),
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
  description: "Asks the database, the bus and every service.",
  who: "public",
  success: {
    status: 200,
    description: "All of them answer",
    schema: Readiness,
    example: { status: "ready", not_ready: [] },
  },
  otherwise: [
    {
      status: 503,
      description: "One of them doesn't",
      schema: Readiness,
      example: { status: "not_ready", not_ready: ["inventory"] },
    },
  ],
  async handle(_, gateway) {
    const missing = await notReady(gateway);
    if (missing.length === 0) return json({ status: "ready", not_ready: [] });
    return json({ status: "not_ready", not_ready: missing }, 503);
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

async function notReady({ database, bus }: Gateway): Promise<string[]> {
  const answers = await Promise.all([
    check("database", () => ping(database.system)),
    check("bus", async () => bus.connected, Boolean),
    ...CHECKS.map(({ name, contract }) => check(name, () => call(bus, contract, {}), isReady)),
  ]);
  return answers.filter((name) => name !== undefined);
}

/** `name` unless `ask` gets an answer that is good. */
async function check<T>(
  name: string,
  ask: () => Promise<T>,
  good: (answer: T) => boolean = () => true,
): Promise<string | undefined> {
  return ask().then(
    (answer) => (good(answer) ? undefined : name),
    () => name,
  );
}

function isReady({ ready }: { ready: boolean }): boolean {
  return ready;
}
