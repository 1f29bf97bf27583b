import { describe, expect, test } from "bun:test";

import { InboundEvent, SOURCES, type Source } from "@leeway/shared/contracts/webhooks/events";
import { decode } from "@leeway/shared/decode";
import { isObject, member, type Json, type JsonObject } from "@leeway/shared/json";
import fc from "fast-check";

import { applyBody, bytes, driftBody, mergeRequestBody, noteBody, planBody } from "./bodies.fixture.ts";
import { readEvent } from "./read-event.ts";
import { REASONS, type Reading, type Subject } from "./reading.ts";

const anyJson: fc.Arbitrary<Json> = fc.json().map((text) => JSON.parse(text));
const BOT = { botUsernames: ["project_31_bot"] };

function reasonOf(reading: Reading): string | undefined {
  return reading.wanted ? undefined : reading.reason;
}

function eventIn(reading: Reading): InboundEvent {
  if (!reading.wanted) throw new Error(`not wanted: ${reading.reason}`);
  return decode(InboundEvent, reading.event());
}

describe("merge requests", () => {
  test("one that was opened says where it is, what it brings and who opened it", () => {
    const reading = readEvent("vcs", bytes(mergeRequestBody()));
    expect(reading).toMatchObject({
      wanted: true,
      kind: "merge_request",
      repository: "platform/aws/network",
    });
    expect(eventIn(reading)).toEqual({
      kind: "merge_request",
      action: "opened",
      repository: "platform/aws/network",
      project_id: 31,
      change_request: {
        number: 12,
        url: "https://gitlab.example.com/platform/aws/network/-/merge_requests/12",
        head_branch: "open-port",
        base_branch: "main",
      },
      commit_sha: "0c5f0a1bd95a4d2d1bd3c04f11a5c9a1fd7d2a11",
      from_fork: false,
      author: { id: 7, username: "ada" },
    });
  });

  test.each<[string, JsonObject, string]>([
    ["reopened", { action: "reopen" }, "reopened"],
    [
      "updated with new commits",
      { action: "update", oldrev: "1ca7e340460796fe3eb17e2ea1b383ac4a1c95b7" },
      "updated",
    ],
  ])("one that was %s is wanted", (_, attributes, action) => {
    expect(eventIn(readEvent("vcs", bytes(mergeRequestBody(attributes))))).toMatchObject({ action });
  });

  test.each<[string, JsonObject]>([
    ["no_new_code", { action: "update" }],
    ["no_new_code", { action: "update", oldrev: null }],
    ["closed", { action: "close" }],
    ["merged", { action: "merge" }],
    ["approval", { action: "approved" }],
    ["approval", { action: "unapproved" }],
    ["approval", { action: "approval" }],
    ["approval", { action: "unapproval" }],
    ["unsupported_action: mark_draft", { action: "mark_draft" }],
    ["unsupported_action: constructor", { action: "constructor" }],
    ["missing_field: action", { action: "x".repeat(1_000) }],
    ["missing_field: action", { action: null }],
    ["missing_field: change_request.number", { iid: "12" }],
    ["missing_field: change_request.number", { iid: 1e300 }],
  ])("is ignored: %s", (reason, attributes) => {
    const reading = readEvent("vcs", bytes(mergeRequestBody(attributes)));
    expect(reasonOf(reading)).toBe(reason);
    expect(reading).toMatchObject({ kind: "merge_request", repository: "platform/aws/network" });
  });

  test.each<[string, JsonObject, boolean]>([
    ["of the project itself", {}, false],
    ["of a fork", { source_project_id: 44 }, true],
    ["of a fork that is gone", { source_project_id: null }, true],
    ["that doesn't tell its projects", { source_project_id: null, target_project_id: null }, true],
  ])("one %s: from_fork", (_, attributes, from_fork) => {
    expect(eventIn(readEvent("vcs", bytes(mergeRequestBody(attributes))))).toMatchObject({ from_fork });
  });

  test("older instances tell no user id, and none at all is no reason to refuse", () => {
    const named = mergeRequestBody({}, { user: { username: "ada" } });
    expect(eventIn(readEvent("vcs", bytes(named)))).toMatchObject({ author: { username: "ada" } });
    expect(eventIn(readEvent("vcs", bytes(mergeRequestBody({}, { user: null }))))).not.toHaveProperty(
      "author",
    );
  });

  test("one without the project's path can't be placed", () => {
    const body = mergeRequestBody({}, { project: { id: 31, name: "network" } });
    expect(readEvent("vcs", bytes(body))).toEqual({
      kind: "merge_request",
      wanted: false,
      reason: "missing_field: repository",
    });
  });

  test("an address that no browser should follow is left out", () => {
    const body = mergeRequestBody({ url: "javascript:alert(1)" });
    expect(eventIn(readEvent("vcs", bytes(body)))).toMatchObject({
      change_request: { number: 12, head_branch: "open-port", base_branch: "main" },
    });
    expect(JSON.stringify(eventIn(readEvent("vcs", bytes(body))))).not.toContain("javascript");
  });
});

describe("comments", () => {
  test("a command on a merge request says who gave it, where, and what to do", () => {
    const reading = readEvent("vcs", bytes(noteBody("/leeway ignore pn1_abc --until 30d\nthank you")), BOT);
    expect(eventIn(reading)).toEqual({
      kind: "comment",
      repository: "platform/aws/network",
      project_id: 31,
      change_request: {
        number: 12,
        url: "https://gitlab.example.com/platform/aws/network/-/merge_requests/12",
        head_branch: "open-port",
        base_branch: "main",
      },
      commit_sha: "0c5f0a1bd95a4d2d1bd3c04f11a5c9a1fd7d2a11",
      from_fork: false,
      author: { id: 7, username: "ada" },
      comment: {
        id: 901,
        url: "https://gitlab.example.com/platform/aws/network/-/merge_requests/12#note_901",
        discussion_id: "6a9c1750b37d513a43987b574953fceb50b03ce7",
      },
      command: { verb: "ignore", fingerprint: "pn1_abc", until: "30d" },
    });
  });

  test("older instances tell neither an action nor the id beside the user's name", () => {
    const { action: _, ...attributes } = member(noteBody("/leeway status"), "object_attributes") ?? {};
    const body = { ...noteBody(""), object_attributes: attributes, user: { username: "ada" } };
    expect(eventIn(readEvent("vcs", bytes(body)))).toMatchObject({ author: { id: 7, username: "ada" } });
  });

  test.each<[string, JsonObject, string]>([
    ["no command", noteBody("Looks good to me"), "no_command"],
    ["no text", noteBody("", { note: null }), "no_command"],
    ["of an issue", noteBody("/leeway status", { noteable_type: "Issue" }), "not_a_merge_request_note"],
    ["of a commit", noteBody("/leeway status", { noteable_type: "Commit" }), "not_a_merge_request_note"],
    ["of who knows what", noteBody("/leeway status", { noteable_type: null }), "not_a_merge_request_note"],
    ["by the instance", noteBody("/leeway status", { system: true }), "system_note"],
    ["edited", noteBody("/leeway status", { action: "update" }), "edited"],
    ["our own", noteBody("/leeway status", {}, { user: { id: 9, username: "Project_31_Bot" } }), "own_note"],
    ["nobody's", noteBody("/leeway status", {}, { user: null }), "missing_field: author.username"],
    ["no id", noteBody("/leeway status", { id: null }), "missing_field: comment.id"],
  ])("%s: ignored with its reason", (_, body, reason) => {
    const reading = readEvent("vcs", bytes(body), BOT);
    expect(reasonOf(reading)).toBe(reason);
    expect(reading).toMatchObject({ kind: "comment", repository: "platform/aws/network" });
  });
});

describe("whatever else comes to the vcs endpoint", () => {
  test.each<[string, Json, Subject & { reason: string }]>([
    [
      "a push",
      { object_kind: "push", project: { path_with_namespace: "a/b" } },
      { kind: "push", repository: "a/b", reason: "unsupported_kind: push" },
    ],
    [
      "a system hook of another kind",
      { event_name: "user_create", username: "ada" },
      { kind: "user_create", reason: "unsupported_kind: user_create" },
    ],
    [
      "a webhook of GitHub",
      { action: "opened", pull_request: {}, repository: { full_name: "a/b" }, sender: { login: "ada" } },
      { reason: "unsupported_kind: github" },
    ],
    ["an answer of an API", { id: 1, iid: 2, state: "opened" }, { reason: "not_an_event" }],
    ["a kind that can't be shown", { object_kind: "<b>\n" }, { reason: "not_an_event" }],
  ])("%s is ignored with its reason", (_, body, expected) => {
    expect(readEvent("vcs", bytes(body))).toEqual({ wanted: false, ...expected });
  });
});

describe("plans", () => {
  test("ours says what was planned, for which change and where", () => {
    const reading = readEvent("planner", bytes(planBody()));
    expect(reading).toMatchObject({ wanted: true, kind: "plan", repository: "platform/network" });
    const { event: _, version: __, planner: ___, ...told } = planBody();
    expect<object>(eventIn(reading)).toEqual({ kind: "plan", ...told });
  });

  test("its secrets are masked whoever sent it, and what its sender masked is taken as it came", () => {
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

  test("one that failed is wanted and has no plan", () => {
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
    ["invalid_field: status", { status: "ok" }],
    ["missing_field: status", { status: null }],
    ["missing_field: plan", { plan: null }],
    ["invalid_field: plan", { plan: "…" }],
    ["invalid_field: plan", { plan: [], status: "failure" }],
    ["unsupported_kind: refresh", { event: "refresh" }],
  ])("is ignored: %s", (reason, more) => {
    expect(reasonOf(readEvent("planner", bytes(planBody(more))))).toBe(reason);
  });

  test("what isn't needed and is wrong is left out", () => {
    const body = planBody({
      occurred_at: "yesterday",
      change_request: { number: 0, url: "https://example.com" },
      commit_sha: "HEAD",
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

describe("what Atlantis sends itself", () => {
  test("an apply", () => {
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

  test("an apply of no pull request has none", () => {
    expect(eventIn(readEvent("planner", bytes(applyBody({ Pull: { Num: 0 } }))))).not.toHaveProperty(
      "change_request",
    );
  });

  test("a drift report, project by project", () => {
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
    ["an apply of nowhere", applyBody({ Repo: {} }), { kind: "apply", reason: "missing_field: repository" }],
    [
      "a drift report without projects",
      driftBody({ projects: null }),
      { kind: "drift", repository: "platform/network", reason: "missing_field: projects" },
    ],
    [
      "a request to its API",
      { repository: "a/b", ref: "main", type: "Github", projects: ["vpc"] },
      { repository: "a/b", reason: "not_an_event" },
    ],
    ["an answer of its API", { Error: null, Failure: "", ProjectResults: [] }, { reason: "not_an_event" }],
    [
      "a webhook of GitHub",
      { action: "opened", repository: { full_name: "a/b" }, sender: { login: "ada" } },
      { repository: "a/b", reason: "unsupported_kind: github" },
    ],
  ])("%s is ignored with its reason", (_, body, expected) => {
    expect(readEvent("planner", bytes(body))).toEqual({ wanted: false, ...expected });
  });
});

describe("any body at all", () => {
  test.each<[string, Uint8Array | string]>([
    ["nothing", ""],
    ["no JSON", "payload=%7B%7D"],
    ["a list", "[{}]"],
    ["JSON that ends too early", '{"object_kind":"note"'],
    ["bytes that are no UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ["half of a surrogate pair in bytes", new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ["megabytes of brackets", "[".repeat(5_000_000)],
  ])("%s is not_json", (_, body) => {
    for (const source of SOURCES)
      expect(readEvent(source, typeof body === "string" ? bytes(body) : body)).toEqual({
        wanted: false,
        reason: "not_json",
      });
  });

  test("a body after a broken one is read as if nothing had been", () => {
    readEvent("vcs", new Uint8Array([0x7b, 0xe2]));
    expect(readEvent("vcs", bytes(mergeRequestBody())).wanted).toBe(true);
  });

  test("a byte order mark doesn't matter", () => {
    expect(readEvent("vcs", bytes(`\uFEFF${JSON.stringify(mergeRequestBody())}`)).wanted).toBe(true);
  });

  test("a plan nested by the hundred thousand is cut, not fatal", () => {
    const deep = `{"before":${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)},"after":null,"before_sensitive":${'{"a":'.repeat(200_000)}true${"}".repeat(200_000)}}`;
    const plan = `{"format_version":"1.2","resource_changes":[{"address":"a.b","change":${deep}}]}`;
    const body = JSON.stringify(planBody({ plan: "PLAN" })).replace('"PLAN"', plan);
    expect(JSON.stringify(eventIn(readEvent("planner", bytes(body)))).length).toBeLessThan(5_000);
  });

  test("members called __proto__ are data, and of duplicates the last counts", () => {
    const body = JSON.stringify(mergeRequestBody())
      .replace("{", '{"__proto__":{"object_kind":"push"},"object_kind":"push",')
      .replace('"action":"open"', '"action":"close","action":"open"');
    expect(readEvent("vcs", bytes(body))).toMatchObject({ wanted: true, kind: "merge_request" });
    expect(readEvent("vcs", bytes('{"__proto__":{"object_kind":"note"}}'))).toMatchObject({
      reason: "not_an_event",
    });
  });

  test("any bytes are read without an exception", () => {
    fc.assert(
      fc.property(fc.constantFrom(...SOURCES), fc.uint8Array({ maxLength: 200 }), (source, body) => {
        expectSound(source, body);
      }),
    );
  });

  test("any JSON is read without an exception", () => {
    fc.assert(
      fc.property(fc.constantFrom(...SOURCES), anyJson, (source, json) => {
        expectSound(source, bytes(JSON.stringify(json)));
      }),
    );
  });

  test("any event with anything anywhere in it fits the contract, or is refused with a reason", () => {
    fc.assert(
      fc.property(damagedBody, ([source, body]) => {
        expectSound(source, bytes(JSON.stringify(body)));
      }),
      { numRuns: 2_000 },
    );
  }, 60_000);
});

/** The good bodies, with one or two of their members, at whatever depth, replaced by anything. */
const damagedBody: fc.Arbitrary<[Source, Json]> = fc
  .constantFrom<[Source, JsonObject]>(
    ["vcs", mergeRequestBody()],
    ["vcs", noteBody("/leeway explain a.b")],
    ["planner", planBody({ plan: samplePlan() })],
    ["planner", applyBody()],
    ["planner", driftBody()],
  )
  .chain(([source, body]) => {
    const anything = fc.oneof(
      anyJson,
      fc.string({ unit: "binary" }),
      fc.constantFrom<Json>(
        "\0",
        "\uD800",
        "x".repeat(5_000),
        -1,
        0,
        1e308,
        1.5,
        {},
        [],
        [{}],
        [null],
        true,
        null,
      ),
    );
    const damage = fc.tuple(fc.constantFrom(...pathsIn(body)), anything);
    return fc
      .array(damage, { minLength: 1, maxLength: 2 })
      .map((damages): [Source, Json] => [
        source,
        damages.reduce<Json>((broken, [path, value]) => replaceAt(broken, path, value), body),
      ]);
  });

function planWith(change: JsonObject): JsonObject {
  return {
    format_version: "1.2",
    resource_changes: [{ address: "a.b", change }],
    leeway_pruned: [{ step: "long_texts", count: 1 }],
  };
}

function samplePlan(): JsonObject {
  const change = {
    actions: ["update"],
    before: { a: ["x"] },
    after: { a: ["y"] },
    after_sensitive: { a: [true] },
    leeway_changed: [["a", 0]],
  };
  return {
    format_version: "1.2",
    resource_changes: [{ address: "a.b", change }],
    output_changes: { url: { actions: ["create"], after: "x" } },
    leeway_pruned: [{ step: "values", count: 1 }],
  };
}

function pathsIn(value: Json, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

function replaceAt(value: Json, path: string[], replacement: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return replacement;
  if (Array.isArray(value))
    return value.map((item, at) => (String(at) === key ? replaceAt(item, rest, replacement) : item));
  return isObject(value) ? { ...value, [key]: replaceAt(value[key] ?? null, rest, replacement) } : value;
}

/** That what is wanted fits the contract and can be stored, and what isn't has a reason of the table. */
function expectSound(source: Source, body: Uint8Array): void {
  const reading = readEvent(source, body, BOT);
  if (!reading.wanted) {
    expect(Object.keys(REASONS)).toContain(reading.reason.split(":")[0] ?? "");
    expect(reading.reason.length).toBeLessThan(200);
    return;
  }
  const event = eventIn(reading);
  expect(event).toMatchObject({ kind: reading.kind ?? "", repository: reading.repository ?? "" });
  expect(JSON.stringify(event)).not.toMatch(/\\u0000|\\ud[89a-f]/);
}
