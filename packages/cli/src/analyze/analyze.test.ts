import { afterAll, describe, expect, test } from "bun:test";

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CANARY, change, planOf } from "@leeway/shared/plan/plan.fixture";

import { RESULT } from "../api/recorded.fixture.ts";
import { KEY, LeewayServer, refusal, type Reply, type Treatment } from "../api/server.fixture.ts";
import { run, type Run } from "../run.fixture.ts";

const folder = await mkdtemp(join(tmpdir(), "leeway-analyze-"));
afterAll(() => rm(folder, { recursive: true }));

const PLAN = planOf([change(["delete"], { before: { id: "db-1", password: CANARY } })]);

const file = (name: string): string => join(folder, "reports", name);

const denial = (status: number, code: string, more: object, headers = {}): Reply => ({
  status,
  headers,
  body: { code, error: code, message: "the plan's 5 analyses are used up", ...more },
});

/** `leeway analyze -` with the plan on its standard input. */
function analyze(server: LeewayServer, args: string[] = [], env: Record<string, string> = {}): Promise<Run> {
  return run(["analyze", "-", ...args], { ...server.env, ...env }, PLAN);
}

describe("a plan is analyzed", () => {
  test("and the table goes to the standard output, progress to the standard error", async () => {
    using server = new LeewayServer();
    server.pending = ["queued", "running"];
    const { code, output, messages } = await analyze(server);
    expect(code).toBe(0);
    expect(output).toContain("aws_db_instance.main");
    expect(messages).toEqual([
      expect.stringMatching(/^job [0-9a-f-]{36} is queued$/),
      expect.stringMatching(/^job [0-9a-f-]{36} is running, 1 s$/),
    ]);
    const polls = server.requests.filter(({ path }) => path.includes("/llm-jobs/"));
    expect(polls.map(({ query }) => query.get("wait"))).toEqual(["25", "25", "25"]);
  });

  test("without its secrets, and without what analysis doesn't need", async () => {
    using server = new LeewayServer();
    await analyze(server);
    const [request] = server.requests;
    expect(request?.body.toString()).not.toContain(CANARY);
    expect(server.bodies("/analyze")).toEqual([
      {
        narrative: true,
        comment: false,
        plan: expect.not.objectContaining({ prior_state: expect.anything() }),
      },
    ]);
    expect(request?.headers).toMatchObject({
      "user-agent": "leeway-cli/1.2.3",
      authorization: `Bearer ${KEY}`,
    });
  });

  test("packed when it is large, plain when it is small", async () => {
    using server = new LeewayServer();
    await analyze(server);
    const large = planOf([change(["create"], { after: { note: "x".repeat(200_000) } })]);
    await run(["analyze", "-"], server.env, large);
    const [small, packed] = server.requests.filter(({ method }) => method === "POST");
    expect(small?.headers["content-encoding"]).toBeUndefined();
    expect(packed?.headers["content-encoding"]).toBe("gzip");
    expect(packed?.sent.length).toBeLessThan(5_000);
    expect(JSON.parse(packed?.body.toString() ?? "")).toMatchObject({ plan: { format_version: "1.2" } });
  });

  test("pruned when it is larger than Leeway takes, which is told", async () => {
    using server = new LeewayServer();
    const resource = {
      size: 1,
      ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`note${at}`, "x".repeat(600)])),
    };
    const changes = Array.from({ length: 500 }, (_, at) =>
      change(
        ["update"],
        { before: resource, after: { ...resource, size: 2 } },
        { address: `aws_x.y[${at}]` },
      ),
    );
    const { code, messages } = await run(["analyze", "-"], server.env, planOf(changes));
    expect(code).toBe(0);
    expect(messages[0]).toContain("too large, so this stays behind");
    expect(server.requests[0]?.body.length).toBeLessThan(20 << 20);
  });

  test("from a file, in UTF-16 with a mark in front too, as PowerShell writes it", async () => {
    using server = new LeewayServer();
    const [plain, marked] = [join(folder, "plan.json"), join(folder, "utf16.json")];
    await Bun.write(plain, `\uFEFF${JSON.stringify(PLAN)}`);
    await Bun.write(marked, Buffer.from(`\uFEFF${JSON.stringify(PLAN)}`, "utf16le"));
    expect(await run(["analyze", plain], server.env)).toMatchObject({ code: 0 });
    expect(await run(["analyze", marked], server.env)).toMatchObject({ code: 0 });
    expect(await run(["analyze"], { ...server.env, SHOWFILE: plain })).toMatchObject({ code: 0 });
  });

  test("packed as gzip, from a file and from the standard input", async () => {
    using server = new LeewayServer();
    const [packed, file] = [Bun.gzipSync(JSON.stringify(PLAN)), join(folder, "plan.json.gz")];
    await Bun.write(file, packed);
    expect(await run(["analyze", file], server.env)).toMatchObject({ code: 0 });
    expect(await run(["analyze", "-"], server.env, [packed])).toMatchObject({ code: 0 });
    const [one, other] = server.bodies("/analyze");
    expect(one).toMatchObject({ plan: { format_version: PLAN["format_version"] } });
    expect(other).toEqual(one);
  });

  test("with what is known of it, and flags above what the pipeline says", async () => {
    using server = new LeewayServer();
    const pipeline = {
      GITLAB_CI: "true",
      CI_PROJECT_PATH: "acme/infra",
      CI_COMMIT_SHA: "8d5f3c2e9a1b4f6d7c8e9f0a1b2c3d4e5f6a7b8c",
      CI_MERGE_REQUEST_IID: "12",
    };
    const args = [
      "--commit",
      "0123456",
      "--project",
      "shop",
      "--fail-on",
      "high",
      "--comment",
      "--no-narrative",
    ];
    await analyze(server, args, pipeline);
    expect(server.bodies("/analyze")).toMatchObject([
      {
        repository: "acme/infra",
        commit_sha: "0123456",
        project: { name: "shop" },
        change_request: { number: 12 },
        fail_on: "high",
        comment: true,
        narrative: false,
      },
    ]);
  });

  test("without a comment where there is no change request, which is told", async () => {
    using server = new LeewayServer();
    const { code, messages } = await analyze(server, ["--comment"]);
    expect([code, messages[0]]).toEqual([0, expect.stringContaining("no comment")]);
    expect(server.bodies("/analyze")).toMatchObject([{ comment: false }]);
  });

  test("and a comment that couldn't be written is told, but fails nothing", async () => {
    using server = new LeewayServer();
    server.result = { ...RESULT, comment: { posted: false, error: "token_rejected" } };
    const { code, messages } = await analyze(server, ["--comment", "--pull-number", "12"]);
    expect([code, messages.at(-1)]).toEqual([0, "no comment was written: token_rejected"]);
  });
});

describe("the exit code", () => {
  const NOTHING = { create: 0, update: 0, replace: 0, delete: 0, import: 0, forget: 0, read: 2, no_op: 5 };
  const BLOCKED = { gate: { fail_on: "high", passed: false } };
  test.each<[string, object, string[], number]>([
    ["0: the gate is passed", {}, [], 0],
    ["0: there are changes, but nobody asked", { summary: { ...NOTHING, update: 1 } }, [], 0],
    ["3: there are changes", { summary: { ...NOTHING, update: 1 } }, ["--detailed-exitcode"], 3],
    ["3: something is to be imported", { summary: { ...NOTHING, import: 1 } }, ["--detailed-exitcode"], 3],
    [
      "3: something only gets another address",
      { summary: { ...NOTHING, move: 1 } },
      ["--detailed-exitcode"],
      3,
    ],
    ["0: there is nothing to apply", { summary: NOTHING }, ["--detailed-exitcode"], 0],
    [
      "0: there are changes, but the plan failed",
      { errored: true, summary: { ...NOTHING, update: 1 } },
      ["--detailed-exitcode"],
      0,
    ],
    ["2: the gate isn't passed", BLOCKED, [], 2],
    ["2: the gate isn't passed, whatever changes", BLOCKED, ["--detailed-exitcode"], 2],
  ])("%s", async (_, result, args, code) => {
    using server = new LeewayServer();
    server.pending = [];
    server.result = { ...RESULT, ...result };
    expect(await analyze(server, args)).toMatchObject({ code });
  });

  test("2: the plan failed, and the message says so", async () => {
    using server = new LeewayServer();
    server.pending = [];
    server.result = { ...RESULT, ...BLOCKED, errored: true };
    const { code, messages } = await analyze(server);
    expect([code, messages.at(-1)]).toEqual([2, "the gate is not passed: the plan failed"]);
  });

  test("1: the job failed", async () => {
    using server = new LeewayServer();
    server.pending = [];
    server.jobError = { code: "internal", message: "something went\u001b[2J wrong" };
    const { code, output, messages } = await analyze(server);
    expect([code, output]).toEqual([1, ""]);
    expect(messages.at(-1)).toBe("the job failed: something went [2J wrong (internal)");
  });
});

describe("reports", () => {
  test("are written in every format at once, the gate passed or not", async () => {
    using server = new LeewayServer();
    server.pending = [];
    server.result = { ...RESULT, gate: { fail_on: "high", passed: false } };
    const formats = ["sarif", "junit", "gitlab-codequality", "markdown", "json", "table"];
    const reports = formats.flatMap((format) => ["--report", `${format}=${file(format)}`]);
    const { code, output } = await analyze(server, [
      ...reports,
      "--format",
      "json",
      "--output",
      file("main"),
    ]);
    expect([code, output]).toEqual([2, ""]);
    expect(await Bun.file(file("main")).json()).toMatchObject({ risk_level: "critical" });
    expect(await Bun.file(file("sarif")).json()).toMatchObject({
      version: "2.1.0",
      runs: [{ results: [{}] }],
    });
    expect(await Bun.file(file("gitlab-codequality")).json()).toMatchObject([
      { severity: expect.any(String) },
    ]);
    expect(await Bun.file(file("junit")).text()).toContain("<testsuites");
    for (const name of ["markdown", "table"]) {
      expect(await Bun.file(file(name)).text()).toContain("aws_db_instance.main");
    }
  });

  test("of several projects are all in the summary of GitHub's step; in any other file the last one is", async () => {
    const summary = file("summary.md");
    const reports = ["--report", `markdown=${summary}`, "--report", `markdown=${file("last.md")}`];
    await Bun.write(summary, "Planned.\n");
    for (const dir of ["network", "shop"]) {
      using server = new LeewayServer();
      server.pending = [];
      await analyze(server, ["--dir", dir, ...reports], { GITHUB_STEP_SUMMARY: summary });
    }
    expect(await Bun.file(summary).text()).toMatch(/^Planned\.\n### .*`network`[^]*\n### .*`shop`/);
    expect(await Bun.file(file("last.md")).text()).not.toContain("`network`");
  });

  test("go to the standard output in the format that is asked for", async () => {
    using server = new LeewayServer();
    server.pending = [];
    const { output } = await analyze(server, ["--format", "json"]);
    expect(JSON.parse(output)).toEqual(JSON.parse(JSON.stringify(RESULT)));
  });

  test("that can't be written end with 1 and the file's name", async () => {
    using server = new LeewayServer();
    server.pending = [];
    await Bun.write(join(folder, "file"), "");
    const { code, messages } = await analyze(server, ["--output", join(folder, "file", "below")]);
    expect([code, messages.at(-1)]).toEqual([1, expect.stringMatching(/below can't be written \(\w+\)$/)]);
  });
});

describe("a quota that denies a model's words", () => {
  const RESETS = "2026-10-12T00:00:00Z";
  const DENIALS: [string, Reply, RegExp][] = [
    [
      "by the week",
      denial(402, "plan_weekly_quota_exhausted", { week_resets_at: RESETS }),
      /again from 2026-10-12T00/,
    ],
    ["for good", denial(402, "plan_hard_off", { week_resets_at: RESETS }), /used up \(plan_hard_off\)/],
    [
      "by the hour",
      denial(429, "plan_hourly_rate_limit", { hour_resets_at: RESETS }, { "retry-after": "1800" }),
      /in 1800 s/,
    ],
    [
      "since the organization's own key fails",
      denial(429, "byok_rate_limited", { retry_at: RESETS }, { "retry-after": "60" }),
      /in 60 s/,
    ],
  ];

  test.each(DENIALS)("%s: ends at once with 1, and says the ways out", async (_, reply, words) => {
    using server = new LeewayServer();
    server.denial = reply;
    const { code, output, messages } = await analyze(server);
    expect([code, output, messages.length, server.requests.length]).toEqual([1, "", 1, 1]);
    expect(messages[0]).toMatch(words);
    expect(messages[0]).toContain("--no-narrative");
  });

  test.each(DENIALS)("%s: goes on without them when that is asked for", async (_, reply) => {
    using server = new LeewayServer();
    server.denial = reply;
    const { code, output, messages } = await analyze(server, ["--fallback"]);
    expect([code, output]).toEqual([0, expect.stringContaining("aws_db_instance.main")]);
    expect(messages[0]).toContain("goes on without a model's words");
    expect(server.bodies("/analyze").map(({ narrative }) => narrative)).toEqual([true, false]);
    const keys = server.requests.slice(0, 2).map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(2);
  });
});

describe("what may pass is tried again, and the plan is analyzed once", () => {
  test.each<[string, Treatment, string]>([
    ["500", { status: 500, body: "<html>" }, "answers 500"],
    ["503", refusal(503, "unavailable", "busy"), "answers 503 (unavailable)"],
    [
      "too many requests",
      { ...refusal(429, "rate_limited", "slow down"), headers: { "retry-after": "0" } },
      "429 (rate_limited)",
    ],
    ["a proxy's page about too many requests", { status: 429, body: "<html>" }, "answers 429"],
    [
      "a proxy's JSON about too many requests",
      { status: 429, body: { message: "slow down" } },
      "answers 429",
    ],
    ["a connection that is reset", "reset", "a proxy in front of it may do that to what is too large"],
    ["an answer that is cut off", "truncate", ""],
    [
      "an answer that is no JSON",
      { status: 202, body: "{", headers: { "content-type": "application/json" } },
      "cut off",
    ],
    [
      "a first try that is still under way",
      { ...refusal(409, "conflict", "under way"), headers: { "retry-after": "1" } },
      "409 (conflict)",
    ],
  ])("%s", async (_, treatment, problem) => {
    using server = new LeewayServer(treatment);
    server.pending = [];
    const { code, messages } = await analyze(server);
    expect(code).toBe(0);
    expect(messages[0]).toContain(problem);
    const keys = server.requests.slice(0, 2).map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(1);
    expect(server.jobs.size).toBe(1);
  });

  test("while it waits for the job, too", async () => {
    using server = new LeewayServer("leeway", "reset", { status: 502, body: "<html>" });
    server.pending = [];
    expect(await analyze(server)).toMatchObject({ code: 0 });
    expect(server.requests).toHaveLength(4);
  });
});

describe("what can't be is told, and ends with 1", () => {
  test.each<[string, Treatment, RegExp]>([
    ["a page", { status: 200, body: "<html>" }, /not Leeway \(200, text\/html\)/],
    ["a page of a proxy", { status: 403, body: "<html>" }, /not Leeway \(403, text\/html\)/],
    ["a redirect", { status: 301, headers: { location: "/" } }, /redirects \(301\) are not followed/],
    ["a refusal", refusal(400, "unsupported_plan_format", "format 9"), /\(400\): format 9 \(request req-1\)/],
    [
      "a proxy's page about a plan that is too large",
      { status: 413, body: "<html>" },
      /refuses the plan \(413\): it is too large for Leeway or a proxy in front of it/,
    ],
    ["a proxy's JSON about it", { status: 413, body: { message: "slim down" } }, /\(413\): it is too large/],
    ["another key", refusal(401, "unauthenticated", "no"), /\(401\): check that the API key/],
    ["another role", refusal(403, "forbidden", "no"), /check the role/],
    ["another organization", refusal(404, "not_found", "no"), /check --url and --org/],
    ["an unknown field", { status: 400, body: { error: "invalid request body" } }, /invalid request body/],
    ["an answer without a job", { status: 202, body: { status: "queued" } }, /names no job/],
    ["a list", { status: 202, body: [] }, /cut off, or is not Leeway's/],
  ])("%s", async (_, treatment, words) => {
    using server = new LeewayServer(treatment, treatment);
    const { code, output, messages } = await analyze(server, ["--tries", "2"]);
    expect([code, output]).toEqual([1, ""]);
    expect(messages.at(-1)).toMatch(words);
  });

  test("a server that never answers", async () => {
    using server = new LeewayServer("hang");
    const { code, messages } = await analyze(server, ["--max-seconds", "1"]);
    expect([code, messages.at(-1)]).toEqual([1, expect.stringContaining("no answer in time")]);
  });

  test("a job that doesn't end in time, with the place where its result comes", async () => {
    using server = new LeewayServer();
    server.pending = Array.from({ length: 100 }, () => "running");
    const { code, messages } = await analyze(server, ["--max-seconds", "2"]);
    expect([code, messages.at(-1)]).toEqual([
      1,
      expect.stringMatching(/still running.*\/llm-jobs\/[0-9a-f-]{36}$/),
    ]);
    expect(server.requests.length).toBeLessThan(6);
  });

  test.each<[string, object]>([
    ["without a result", {}],
    ["with half a result", { ...RESULT, findings: [{ rule: "R01" }] }],
  ])("a job %s", async (_, result) => {
    using server = new LeewayServer();
    server.pending = [];
    server.result = result;
    expect(await analyze(server)).toMatchObject({
      code: 1,
      output: "",
      messages: [expect.stringContaining("compare the versions")],
    });
  });

  test("but words that a newer Leeway knows pass", async () => {
    using server = new LeewayServer();
    server.pending = [];
    server.result = { ...RESULT, narrative: { text: "x", source: "oracle" }, further: 1 };
    expect(await analyze(server, ["--format", "json"])).toMatchObject({ code: 0 });
  });

  test.each<[string, string | Uint8Array[], RegExp]>([
    ["a binary plan", "PK\u0003\u0004…", /binary plan: run `terraform show -json PLANFILE`/],
    ["a state", JSON.stringify({ serial: 1, lineage: "x" }), /is a state, not a plan/],
    ["half a gzip", [Bun.gzipSync(JSON.stringify(PLAN)).subarray(0, 40)], /gzip that is cut off or broken/],
    ["nothing", "", /is empty: look at what `terraform show -json/],
  ])("%s in place of a plan, before anything is sent", async (_, input, words) => {
    using server = new LeewayServer();
    const { code, messages } = await run(["analyze", "-"], server.env, input);
    expect([code, messages, server.requests]).toEqual([1, [expect.stringMatching(words)], []]);
  });
});
