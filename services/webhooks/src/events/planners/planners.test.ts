import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { applyBody, bytes, driftBody, planBody } from "../bodies.fixture.ts";
import { readEvent } from "../read-event.ts";
import { eventIn, reasonOf } from "../reading.fixture.ts";
import type { Subject } from "../reading.ts";

describe("Leeway plan events", () => {
  test("contain the plan, its change request and its location", () => {
    const reading = readEvent("planner", bytes(planBody()));
    expect(reading).toMatchObject({ wanted: true, kind: "plan", repository: "platform/network" });
    const { event: _, version: __, planner: ___, ...sent } = planBody();
    expect<object>(eventIn(reading)).toEqual({ kind: "plan", ...sent });
  });

  test("are masked for any sender, and masks of the sender are kept", () => {
    const change = {
      actions: ["update"],
      before: { note: "hunter2" },
      after: { note: "hunter3" },
      before_sensitive: {},
      after_sensitive: { note: true },
    };
    const masked = {
      ...change,
      before: { note: "[redacted]" },
      after: { note: "[redacted]" },
      leeway_changed: [["note"]],
    };
    for (const sent of [change, masked]) {
      const body = planBody({ plan: planWith(sent) });
      expect(eventIn(readEvent("planner", bytes(body)))).toHaveProperty("plan", planWith(masked));
    }
  });

  test("of a failed plan are accepted without a plan", () => {
    const { plan: _, ...body } = planBody({ status: "failure" });
    expect(eventIn(readEvent("planner", bytes(body)))).not.toHaveProperty("plan");
    expect(eventIn(readEvent("planner", bytes({ ...body, plan: null })))).toMatchObject({
      status: "failure",
    });
  });

  test.each<[string, JsonObject]>([
    ["unsupported_version: 2", { version: 2 }],
    ["unsupported_version", { version: "1" }],
    ["invalid_field: event_id", { event_id: "42" }],
    ["missing_field: event_id", { event_id: null }],
    ["missing_field: repository", { repository: null }],
    ["invalid_field: repository", { repository: "x".repeat(1_001) }],
    ["invalid_field: repository", { repository: "a\nb" }],
    ["missing_field: project", { project: {} }],
    ["invalid_field: project", { project: { name: "", dir: 3 } }],
    ["invalid_field: project", { project: { name: "x".repeat(5_000) } }],
    ["invalid_field: project", { project: "network" }],
    ["invalid_field: change_request.number", { change_request: { number: 2 ** 31 } }],
    ["invalid_field: change_request.number", { change_request: { number: "12" } }],
    ["invalid_field: change_request.number", { change_request: { number: -12 } }],
    ["invalid_field: change_request", { change_request: 12 }],
    ["invalid_field: status", { status: "ok" }],
    ["missing_field: status", { status: null }],
    ["missing_field: plan", { plan: null }],
    ["invalid_field: plan", { plan: "…" }],
    ["invalid_field: plan", { plan: [], status: "failure" }],
    ["invalid_field: plan.resource_changes", { plan: { resource_changes: Array(50_001).fill(1) } }],
    ["invalid_field: plan.resource_drift", { plan: { resource_drift: Array(50_001).fill(1) } }],
    ["unsupported_kind: refresh", { event: "refresh" }],
  ])("are ignored: %s", (reason, more) => {
    expect(reasonOf(readEvent("planner", bytes(planBody(more))))).toBe(reason);
  });

  test.each<JsonObject>([
    { change_request: null },
    { change_request: {} },
    { change_request: { number: 0 } },
    { change_request: { number: null, url: "" } },
    { change_request: { number: "" } },
  ])("have no change request with %j", (more) => {
    expect(eventIn(readEvent("planner", bytes(planBody(more))))).not.toHaveProperty("change_request");
  });

  test("lose invalid optional fields", () => {
    const body = planBody({
      occurred_at: "yesterday",
      change_request: { number: 0, url: "https://example.com" },
      commit_sha: "HEAD",
      author: 7,
      tool: "<script>",
      project: { name: "network", dir: "x".repeat(1_001), workspace: 3 },
    });
    expect(eventIn(readEvent("planner", bytes(body)))).toEqual({
      kind: "plan",
      event_id: "0190d6a8-5d2c-7c36-9a3c-0d6d3f0f5c11",
      repository: "platform/network",
      project: { name: "network" },
      status: "success",
      plan: { format_version: "1.2", terraform_version: "1.8.1", resource_changes: [] },
    });
  });
});

describe("Atlantis' own webhooks", () => {
  test("report an apply", () => {
    const reading = readEvent("planner", bytes(applyBody()));
    expect(reading).toMatchObject({ kind: "apply", repository: "platform/network" });
    expect(eventIn(reading)).toEqual({
      kind: "apply",
      repository: "platform/network",
      change_request: {
        number: 12,
        url: "https://github.com/platform/network/pull/12",
        head_branch: "open-port",
        base_branch: "main",
      },
      commit_sha: "0c5f0a1bd95a4d2d1bd3c04f11a5c9a1fd7d2a11",
      project: { dir: "live/network", workspace: "production" },
      status: "success",
    });
    expect(eventIn(readEvent("planner", bytes(applyBody({ Success: false }))))).toMatchObject({
      status: "failure",
    });
  });

  test("report an apply without a pull request", () => {
    expect(eventIn(readEvent("planner", bytes(applyBody({ Pull: { Num: 0 } }))))).not.toHaveProperty(
      "change_request",
    );
  });

  test("report drift for each project", () => {
    const report = driftBody({
      projects: [
        {
          path: "live/network",
          has_drift: true,
          to_add: 0,
          to_change: 2,
          summary: `a\0b password=hunter2 ${"x".repeat(3_000)}`,
        },
        { project_name: "vpc", has_drift: false, to_add: -1, to_destroy: "3" },
        { project_name: "who knows" },
        { has_drift: true },
        "vpc",
      ],
    });
    const reading = readEvent("planner", bytes(report));
    expect(reading).toMatchObject({ kind: "drift", repository: "platform/network" });
    expect(eventIn(reading)).toEqual({
      kind: "drift",
      repository: "platform/network",
      ref: "main",
      detection_id: "5b1b6bd5-9e57-4ab6-b1c2-2a4cd1c4b8de",
      projects: [
        {
          project: { dir: "live/network" },
          has_drift: true,
          to_add: 0,
          to_change: 2,
          summary: `ab password=[redacted] ${"x".repeat(1_977)}`,
        },
        { project: { name: "vpc" }, has_drift: false },
      ],
    });
  });

  test.each<[string, JsonObject, Subject & { reason: string }]>([
    [
      "an apply without a location",
      applyBody({ Repo: {} }),
      { kind: "apply", reason: "missing_field: repository" },
    ],
    [
      "a drift report without projects",
      driftBody({ projects: null }),
      { kind: "drift", repository: "platform/network", reason: "missing_field: projects" },
    ],
    [
      "an Atlantis API request",
      { repository: "a/b", ref: "main", type: "Github", projects: ["vpc"] },
      { repository: "a/b", reason: "not_an_event" },
    ],
    [
      "an Atlantis API response",
      { Error: null, Failure: "", ProjectResults: [] },
      { reason: "not_an_event" },
    ],
    [
      "a GitHub webhook",
      { action: "opened", repository: { full_name: "a/b" }, sender: { login: "ada" } },
      { repository: "a/b", reason: "unsupported_kind: github" },
    ],
  ])("%s is ignored with its reason", (_, body, expected) => {
    expect(readEvent("planner", bytes(body))).toEqual({ wanted: false, ...expected });
  });
});

function planWith(change: JsonObject): JsonObject {
  return {
    format_version: "1.2",
    resource_changes: [{ address: "a.b", change }],
    leeway_pruned: [{ step: "long_texts", count: 1 }],
  };
}
