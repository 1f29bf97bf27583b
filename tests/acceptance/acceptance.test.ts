import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { existsSync } from "node:fs";

import { build } from "@leeway/dashboard/build";
import { DASHBOARD_DIR } from "@leeway/dashboard/folder";

import { seed } from "../../scripts/up/seed.ts";
import { OPERATOR_TOKEN, send, type Answered } from "../../services/gateway/test/support/gateway.ts";
import { planEvent, signed } from "../../services/webhooks/test/kit.ts";
import { destroysDatabase } from "../analyzer/kit.ts";
import { startFleet, type Fleet } from "../chaos/fleet.ts";
import { until } from "../chaos/until.ts";

/**
 * Checks Leeway's main promises from the outside. Runs against the installation at `LEEWAY_URL` with
 * `OPERATOR_TOKEN`, or against a fleet of its own when `LEEWAY_URL` isn't set.
 */
const INSTALLED = process.env["LEEWAY_URL"];
const WAIT_MS = 30_000;

let fleet: Fleet | undefined;
let baseUrl = INSTALLED ?? "";
const operatorToken = INSTALLED ? (process.env["OPERATOR_TOKEN"] ?? "") : OPERATOR_TOKEN;
let org: { id: string; key: string };

beforeAll(async () => {
  if (!INSTALLED) {
    if (!existsSync(DASHBOARD_DIR)) await build();
    fleet = await startFleet();
    ({ baseUrl } = fleet);
  }
  const demo = await seed({ baseUrl, operatorToken, previous: undefined, keep: async () => undefined });
  org = { id: demo.org_id, key: demo.api_key };
}, 120_000);

afterAll(() => fleet?.stop(), 60_000);

function ask(method: string, path: string, body?: object | string): Promise<Answered> {
  return send(baseUrl, method, `/api/v2/orgs/${org.id}${path}`, { as: org.key, ...(body && { body }) });
}

test("services, API, reference, dashboard and keys are available", async () => {
  for (const path of ["/healthz", "/api/v2/openapi.json", "/docs", "/", "/.well-known/jwks.json"])
    expect([path, (await fetch(baseUrl + path)).status]).toEqual([path, 200]);
});

describe("the listed and declared resources", () => {
  test("are matched and give a posture ordered by coverage", async () => {
    const { body } = await ask("GET", "/posture");
    expect(body.data).toHaveLength(3);
    const covered: number[] = body.data.map(({ coverage_pct }: { coverage_pct: number }) => coverage_pct);
    expect(covered).toEqual(covered.toSorted((a, b) => a - b));
    expect(covered.every((pct) => pct > 0 && pct < 100)).toBe(true);
  });

  test("are listed page by page, each once, with the reason for its match", async () => {
    const ids: string[] = [];
    for (let path = "/resources?limit=100"; path !== "";) {
      const { body } = await ask("GET", path);
      for (const { id } of body.data) ids.push(id);
      path = body.next_cursor ? `/resources?limit=100&cursor=${body.next_cursor}` : "";
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(400);
    const { body } = await ask("GET", "/resources?match=matched&limit=1");
    const { body: resource } = await ask("GET", `/resources/${body.data[0].id}`);
    expect(resource.match).toMatchObject({ status: "matched", level: expect.any(String) });
  });

  test("differ: drift has changes with their risk, and one can be acknowledged", async () => {
    const { body } = await ask("GET", "/drift-changes");
    expect(body.data.length).toBeGreaterThan(0);
    const { fingerprint } = body.data[0];
    const { status } = await ask("PATCH", `/drift-changes/${fingerprint}`, {
      status: "acknowledged",
      reason: "known",
    });
    expect(status).toBe(200);
  });
});

test("a plan that destroys a database is critical, with the reason", async () => {
  const { status, body } = await ask("POST", "/analyze", { plan: destroysDatabase(), fail_on: "high" });
  expect(status).toBe(202);
  const { body: job } = await ask("GET", `/llm-jobs/${body.job_id}?wait=25`);
  expect(job).toMatchObject({
    status: "done",
    result: {
      risk_level: "critical",
      gate: { passed: false },
      findings: [{ address: "aws_db_instance.orders" }],
    },
  });
});

test("a planner event is stored, processed once and creates a job", async () => {
  const { body: config } = await ask("POST", "/webhooks", { source: "planner" });
  const event = planEvent({ plan: destroysDatabase() });
  const headers = {
    "content-type": "application/json",
    "x-planner-signature": signed(config.raw_secret, event),
  };
  const deliver = () =>
    fetch(`${baseUrl}/webhooks/planner/${org.id}`, { method: "POST", body: event, headers });
  const [first, again] = [await deliver(), await deliver()];
  expect([first.status, again.status]).toEqual([202, 202]);
  const { delivery_id }: { delivery_id: string } = JSON.parse(await first.text());
  expect(await again.json()).toEqual({ delivery_id, status: "duplicate" });
  const deliveries = `/webhooks/${config.id}/deliveries`;
  await until(async () => (await ask("GET", deliveries)).body.data[0]?.outcome === "processed", WAIT_MS);
  await until(
    async () => (await ask("GET", "/llm-jobs?status=done")).body.data.length >= 2,
    WAIT_MS,
    "the event's job",
  );
  const forged = await fetch(`${baseUrl}/webhooks/planner/${org.id}`, {
    method: "POST",
    body: event,
    headers: { ...headers, "x-planner-signature": signed("another secret", event) },
  });
  expect(forged.status).toBe(401);
});

test("usage of the platform's model is reported", async () => {
  expect((await ask("GET", "/llm-usage")).body).toMatchObject({ weekly_used: expect.any(Number) });
});

describe("a caller", () => {
  test("without a key is refused", async () => {
    const answer = await send(baseUrl, "GET", `/api/v2/orgs/${org.id}/posture`, {});
    expect(answer.status).toBe(401);
  });

  test("of another organization gets 404", async () => {
    const made = await send(baseUrl, "POST", "/operator/orgs", {
      as: operatorToken,
      body: { name: "Other" },
    });
    const answer = await send(baseUrl, "GET", `/api/v2/orgs/${org.id}/posture`, {
      as: made.body.api_key.key,
    });
    expect(answer.status).toBe(404);
  });

  test("sending an unknown field gets its name", async () => {
    const { status, text } = await ask("POST", "/analyze", { plan: {}, llm_config: {} });
    expect(status).toBe(400);
    expect(text).toContain(String.raw`json: unknown field \"llm_config\"`);
  });
});
