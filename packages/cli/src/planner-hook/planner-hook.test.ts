import { afterAll, describe, expect, test } from "bun:test";

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CANARY, change, planOf } from "@leeway/analysis/plan/plan.fixture";

import { OUTCOMES, type Outcome } from "../failure.ts";
import { Endpoint, ORG_ID, SECRET } from "./endpoint.fixture.ts";
import { ATLANTIS, run, type Run } from "../run.fixture.ts";

const DELETE = change(["delete"], { before: { id: "db-1", password: CANARY } });
const PLAN = planOf([DELETE, DELETE, DELETE, DELETE]);
const folder = await mkdtemp(join(tmpdir(), "planner-hook-"));
const SHOWFILE = join(folder, "shop-default.json");
await Bun.write(SHOWFILE, JSON.stringify(PLAN));
afterAll(() => rm(folder, { recursive: true }));

/** Runs the command as the workflow's step does. */
function step(endpoint: Endpoint, args: string[] = [], env: Record<string, string> = {}): Promise<Run> {
  return run(["planner-hook", ...args], { ...ATLANTIS, SHOWFILE, LEEWAY_WEBHOOK_URL: endpoint.url, ...env });
}

test("a plan is delivered signed and without secrets, and the output names the delivery", async () => {
  using endpoint = new Endpoint();
  const { code, output, messages } = await step(endpoint);
  expect([code, messages]).toEqual([0, []]);
  expect(output).toMatch(/^leeway: accepted, delivery [0-9a-f-]{36}\n$/);
  expect(endpoint.events).toMatchObject([
    {
      event: "plan",
      status: "success",
      repository: "acme/platform/infra",
      plan: { resource_changes: Array.from({ length: 4 }, () => ({ address: "aws_db_instance.main" })) },
    },
  ]);
  expect(endpoint.requests[0]?.body.toString()).not.toContain(CANARY);
});

test("the tries of a run share one event id, and each run has its own", async () => {
  using endpoint = new Endpoint({ status: 503 }, "truncate");
  expect((await step(endpoint)).output).toStartWith("leeway: duplicate, delivery ");
  expect((await step(endpoint)).output).toStartWith("leeway: accepted, delivery ");
  const [first, second, third, other] = endpoint.events.map((event) => event["event_id"]);
  expect([second, third]).toEqual([first, first]);
  expect(other).not.toBe(first);
});

test("a failed plan is sent as a failure, and no plan is read", async () => {
  using endpoint = new Endpoint();
  const { code } = await step(endpoint, ["--status", "failure"], { SHOWFILE: join(folder, "absent.json") });
  expect(code).toBe(0);
  expect(endpoint.events).toMatchObject([{ status: "failure", project: { name: "shop" } }]);
  expect(endpoint.events[0]).not.toHaveProperty("plan");
});

test("a plan that ended with an error is sent as a failure", async () => {
  using endpoint = new Endpoint();
  const showfile = join(folder, "errored.json");
  await Bun.write(showfile, JSON.stringify({ ...PLAN, errored: true }));
  const { code, messages } = await step(endpoint, ["--plan", showfile]);
  expect([code, messages]).toEqual([0, ["planning failed: sent as a failure, without the plan"]]);
  expect(endpoint.events[0]).toMatchObject({ status: "failure" });
  expect(endpoint.events[0]).not.toHaveProperty("plan");
});

test("an event that Leeway ignores is accepted with a message", async () => {
  using endpoint = new Endpoint({ status: 202, body: '{"status":"ignored","delivery_id":"d-1"}' });
  expect(await step(endpoint)).toMatchObject({
    code: 0,
    output: "leeway: ignored, delivery d-1\n",
    messages: [expect.stringContaining("Leeway ignored this event")],
  });
});

test("a plan that is too large is pruned, as message and body say", async () => {
  using endpoint = new Endpoint();
  const changes = Array.from({ length: 7000 }, (_, index) =>
    change(
      [index % 2 ? "update" : "no-op"],
      {
        before: { id: `i-${index}`, note: "x".repeat(900) },
        after: { id: `i-${index}`, note: "y".repeat(900) },
      },
      { index },
    ),
  );
  const { code, messages } = await run(
    ["planner-hook", "--plan", "-"],
    { ...ATLANTIS, LEEWAY_WEBHOOK_URL: endpoint.url },
    planOf(changes),
  );
  expect(code).toBe(0);
  expect(messages).toEqual([
    "plan is over 4.8 MiB: sent without 3,500 resources that don't change and attributes of 3,500 resources " +
      "that no rule reads; risk rules still see what they need",
  ]);
  expect(endpoint.requests[0]?.body.byteLength).toBeLessThanOrEqual(5_000_000);
  expect(endpoint.events[0]).toHaveProperty("plan.leeway_pruned", [
    { step: "unchanged_resources", count: 3500 },
    { step: "other_attributes", count: 3500 },
  ]);
});

describe("every failure has its exit code, or 0 with --soft and the same message", () => {
  const ends: [
    Outcome,
    string,
    (endpoint: Endpoint) => { args?: string[]; env?: Record<string, string> },
    RegExp,
  ][] = [
    [
      "plan_unreadable",
      "a plan that doesn't exist",
      () => ({ env: { SHOWFILE: join(folder, "no.json") } }),
      /no\.json: no such file or directory\. Run the planner's show step first/,
    ],
    [
      "plan_unreadable",
      "a directory instead of a plan",
      () => ({ env: { SHOWFILE: folder } }),
      /: it is a directory$/,
    ],
    [
      "plan_unreadable",
      "an invalid plan",
      () => ({ args: ["--plan", import.meta.path] }),
      /isn't valid JSON/,
    ],
    [
      "plan_too_large",
      "a plan that doesn't fit",
      () => ({ args: ["--max-bytes", "1000"] }),
      /the plan is over 1,000 bytes: its 4 resource changes take .* even without attributes/,
    ],
    ["unauthorized", "another secret", () => ({ env: { LEEWAY_WEBHOOK_SECRET: `${SECRET}0` } }), /\(401\)/],
    [
      "unauthorized",
      "another organization",
      ({ url }) => ({ args: ["--url", url.replace(ORG_ID, SECRET.slice(6))] }),
      /\(401\)/,
    ],
    ["repository_mismatch", "another repository", () => ({ args: ["--repository", "acme/else"] }), /\(403\)/],
    [
      "not_found",
      "an unknown source",
      ({ url }) => ({ args: ["--url", url.replace("planner", "x")] }),
      /\(404\)/,
    ],
  ];

  test.each(ends)("%s: %s", async (outcome, _, how, message) => {
    using endpoint = new Endpoint();
    endpoint.repoPath = "acme/platform/infra";
    const { args = [], env = {} } = how(endpoint);
    const strict = await step(endpoint, args, env);
    expect(strict).toMatchObject({ code: OUTCOMES[outcome].code, output: "" });
    expect(strict.messages).toEqual([expect.stringMatching(message)]);
    const soft = await step(endpoint, ["--soft", ...args], env);
    expect(soft).toMatchObject({ code: 0, output: "" });
    expect(soft.messages).toEqual([
      expect.stringMatching(message),
      expect.stringContaining("because of --soft"),
    ]);
    expect([...strict.messages, ...soft.messages].join()).not.toContain(SECRET);
  });

  test.each<[Outcome, number]>([
    ["body_refused", 413],
    ["refused", 302],
    ["unavailable", 503],
  ])("%s: response %i", async (outcome, status) => {
    using endpoint = new Endpoint({ status }, { status });
    expect(await step(endpoint, ["--tries", "1"])).toMatchObject({ code: OUTCOMES[outcome].code });
    expect(await step(endpoint, ["--tries", "1", "--soft"])).toMatchObject({ code: 0 });
  });

  test("exit codes are unique", () => {
    const codes = Object.values(OUTCOMES).map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });
});
