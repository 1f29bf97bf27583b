import { afterAll, describe, expect, test } from "bun:test";

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CANARY, change, planOf } from "@leeway/analysis/plan/plan.fixture";

import { version } from "../../package.json" with { type: "json" };
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

/** Runs `leeway analyze -` with the plan on standard input. */
function analyze(server: LeewayServer, args: string[] = [], env: Record<string, string> = {}): Promise<Run> {
  return run(["analyze", "-", ...args], { ...server.env, ...env }, PLAN);
}

describe("a plan is analyzed", () => {
  test("and the table is printed to stdout, ending with the verdict and the link", async () => {
    using server = new LeewayServer();
    server.pending = ["queued", "running"];
    const { code, output, messages } = await analyze(server);
    expect([code, messages]).toEqual([0, []]);
    expect(output).toContain("aws_db_instance.main");
    expect(output).toEndWith(`no gate (--fail-on isn't set)\n${RESULT.report_url}\n`);
    const polls = server.requests.filter(({ path }) => path.includes("/llm-jobs/"));
    expect(polls.map(({ query }) => query.get("wait"))).toEqual(["25", "25", "25"]);
  });

  test("without secrets and parts that the analysis doesn't need", async () => {
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
      "user-agent": `leeway-cli/${version}`,
      authorization: `Bearer ${KEY}`,
    });
  });

  test("compressed if it is large", async () => {
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

  test("pruned above Leeway's limit, with a message", async () => {
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
    expect(messages).toEqual([
      "plan is over 20 MiB: sent without unchanged attributes of 500 resources; risk rules still see what they need",
    ]);
    expect(server.requests[0]?.body.length).toBeLessThan(20 << 20);
  });

  test("from a file, also in UTF-16 with a BOM, as written by PowerShell", async () => {
    using server = new LeewayServer();
    const [plain, marked] = [join(folder, "plan.json"), join(folder, "utf16.json")];
    await Bun.write(plain, `\uFEFF${JSON.stringify(PLAN)}`);
    await Bun.write(marked, Buffer.from(`\uFEFF${JSON.stringify(PLAN)}`, "utf16le"));
    expect(await run(["analyze", plain], server.env)).toMatchObject({ code: 0 });
    expect(await run(["analyze", marked], server.env)).toMatchObject({ code: 0 });
    expect(await run(["analyze"], { ...server.env, SHOWFILE: plain })).toMatchObject({ code: 0 });
  });

  test("from gzip, in a file and on stdin", async () => {
    using server = new LeewayServer();
    const [packed, file] = [Bun.gzipSync(JSON.stringify(PLAN)), join(folder, "plan.json.gz")];
    await Bun.write(file, packed);
    expect(await run(["analyze", file], server.env)).toMatchObject({ code: 0 });
    expect(await run(["analyze", "-"], server.env, [packed])).toMatchObject({ code: 0 });
    const [one, other] = server.bodies("/analyze");
    expect(one).toMatchObject({ plan: { format_version: PLAN["format_version"] } });
    expect(other).toEqual(one);
  });

  test("with values from the pipeline, overridden by flags", async () => {
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
      "--risk-profile",
      "lenient",
    ];
    await analyze(server, args, pipeline);
    expect(server.bodies("/analyze")).toMatchObject([
      {
        repository: "acme/infra",
        commit_sha: "0123456",
        project: { name: "shop" },
        change_request: { number: 12 },
        fail_on: "high",
        risk_profile: "lenient",
        comment: true,
        narrative: false,
      },
    ]);
  });

  test("without a comment outside a change request, with a message", async () => {
    using server = new LeewayServer();
    const { code, messages } = await analyze(server, ["--comment"]);
    expect([code, messages[0]]).toEqual([0, expect.stringContaining("no comment")]);
    expect(server.bodies("/analyze")).toMatchObject([{ comment: false }]);
  });

  test("even if the comment couldn't be posted, which is reported", async () => {
    using server = new LeewayServer();
    server.result = { ...RESULT, comment: { posted: false, error: "token_rejected" } };
    const { code, messages } = await analyze(server, ["--comment", "--pull-number", "12"]);
    expect([code, messages.at(-1)]).toEqual([
      0,
      "no comment posted: the code host rejected the token of the webhook",
    ]);
  });
});

describe("the exit code", () => {
  const NOTHING = { create: 0, update: 0, replace: 0, delete: 0, import: 0, forget: 0, read: 2, no_op: 5 };
  const BLOCKED = { gate: { fail_on: "high", passed: false } };
  test.each<[string, object, string[], number]>([
    ["0: the gate passed", {}, [], 0],
    ["0: there are changes, without --detailed-exitcode", { summary: { ...NOTHING, update: 1 } }, [], 0],
    ["3: there are changes", { summary: { ...NOTHING, update: 1 } }, ["--detailed-exitcode"], 3],
    ["3: there are imports", { summary: { ...NOTHING, import: 1 } }, ["--detailed-exitcode"], 3],
    ["3: there are moves", { summary: { ...NOTHING, move: 1 } }, ["--detailed-exitcode"], 3],
    ["0: there is nothing to apply", { summary: NOTHING }, ["--detailed-exitcode"], 0],
    [
      "0: there are changes, but the plan failed",
      { errored: true, summary: { ...NOTHING, update: 1 } },
      ["--detailed-exitcode"],
      0,
    ],
    ["2: the gate failed", BLOCKED, [], 2],
    ["2: the gate failed, with any changes", BLOCKED, ["--detailed-exitcode"], 2],
  ])("%s", async (_, result, args, code) => {
    using server = new LeewayServer();
    server.pending = [];
    server.result = { ...RESULT, ...result };
    expect(await analyze(server, args)).toMatchObject({ code });
  });

  test("2: the plan failed, as the output says", async () => {
    using server = new LeewayServer();
    server.pending = [];
    server.result = { ...RESULT, ...BLOCKED, errored: true };
    const { code, output, messages } = await analyze(server);
    expect([code, messages]).toEqual([2, []]);
    expect(output).toContain("\ngate failed: the plan failed, limit is high\n");
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
  test("are written in every format at once, even if the gate failed", async () => {
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

  test("are appended to GitHub's step summary and replaced in other files", async () => {
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

  test("list at most 50 findings on stdout, and all in a file", async () => {
    using server = new LeewayServer();
    server.pending = [];
    const [finding] = RESULT.findings;
    const findings = Array.from({ length: 60 }, (_, at) => ({ ...finding, address: `aws_x.y${at}` }));
    server.result = { ...RESULT, findings };
    const { output } = await analyze(server, ["--report", `table=${file("all")}`]);
    expect(output.match(/ aws_x\.y\d+$/gm)).toHaveLength(50);
    expect(output).toContain("… and 10 more findings; --min-risk lists fewer, --report json=FILE has all");
    expect((await Bun.file(file("all")).text()).match(/ aws_x\.y\d+$/gm)).toHaveLength(60);
  });

  test("leave findings below --min-risk out of tables", async () => {
    using server = new LeewayServer();
    server.pending = [];
    const findings = RESULT.findings.flatMap((one) => [one, { ...one, address: "a.low", risk_level: "low" }]);
    server.result = { ...RESULT, findings };
    const { output } = await analyze(server, ["--min-risk", "high"]);
    expect(output).toContain("aws_db_instance.main");
    expect(output).not.toContain("a.low");
    expect(output).toContain("… and 1 finding below high");
  });

  test("in other formats print the gate and the link to stderr", async () => {
    using server = new LeewayServer();
    server.pending = [];
    const { messages } = await analyze(server, ["--format", "json"]);
    expect(messages).toEqual(["no gate (--fail-on isn't set)", `report: ${RESULT.report_url}`]);
  });

  test("go to stdout in the requested format", async () => {
    using server = new LeewayServer();
    server.pending = [];
    const { output } = await analyze(server, ["--format", "json"]);
    expect(JSON.parse(output)).toEqual(JSON.parse(JSON.stringify(RESULT)));
  });

  test("that can't be written exit with 1 and name the file", async () => {
    using server = new LeewayServer();
    server.pending = [];
    await Bun.write(join(folder, "file"), "");
    const { code, messages } = await analyze(server, ["--output", join(folder, "file", "below")]);
    expect([code, messages.at(-1)]).toEqual([
      1,
      expect.stringMatching(
        /^can't write .*below: (?:a file exists where its directory should be|a part of the path isn't a directory)$/,
      ),
    ]);
  });
});

test.each([
  ["--risk-profile=strict", /--risk-profile must be one of standard, lenient, not "strict"/],
  ["--fail-on=hihg", /--fail-on must be one of .*, not "hihg"/],
  [
    "--format=xml",
    /--format must be one of table, json, markdown, sarif, junit, gitlab-codequality, github-annotations, not "xml"/,
  ],
  ["--report=xml=x", /the format of --report must be one of .*, not "xml"/],
  ["--report=sarif", /--report must be FORMAT=FILE/],
])("%s is a usage error, and nothing is sent", async (arg, problem) => {
  using server = new LeewayServer();
  expect(await analyze(server, [arg])).toMatchObject({
    code: 64,
    messages: [expect.stringMatching(problem)],
  });
  expect(server.requests).toEqual([]);
});

test("--min-risk without a table is a usage error, and nothing is sent", async () => {
  using server = new LeewayServer();
  expect(await analyze(server, ["--min-risk", "high", "--format", "json"])).toMatchObject({
    code: 64,
    messages: [expect.stringContaining("--min-risk applies to tables only, and no output is a table")],
  });
  expect(server.requests).toEqual([]);
});

describe("a quota that denies a model's explanation", () => {
  const RESETS = "2026-10-12T00:00:00Z";
  const DENIALS: [string, Reply, RegExp][] = [
    [
      "for the week",
      denial(402, "plan_weekly_quota_exhausted", { week_resets_at: RESETS }),
      /available again at 2026-10-12T00/,
    ],
    ["permanently", denial(402, "plan_hard_off", { week_resets_at: RESETS }), /used up \(plan_hard_off\)/],
    [
      "for the hour",
      denial(429, "plan_hourly_rate_limit", { hour_resets_at: RESETS }, { "retry-after": "1800" }),
      /in 1800 s/,
    ],
    [
      "because the organization's own key fails",
      denial(429, "byok_rate_limited", { retry_at: RESETS }, { "retry-after": "60" }),
      /in 60 s/,
    ],
  ];

  test.each(DENIALS)("%s: exits with 1 and suggests alternatives", async (_, reply, words) => {
    using server = new LeewayServer();
    server.denial = reply;
    const { code, output, messages } = await analyze(server);
    expect([code, output, messages.length, server.requests.length]).toEqual([1, "", 1, 1]);
    expect(messages[0]).toMatch(words);
    expect(messages[0]).toContain("--no-narrative");
  });

  test.each(DENIALS)("%s: continues without a model with --fallback", async (_, reply) => {
    using server = new LeewayServer();
    server.denial = reply;
    const { code, output, messages } = await analyze(server, ["--fallback"]);
    expect([code, output]).toEqual([0, expect.stringContaining("aws_db_instance.main")]);
    expect(messages[0]).toContain("continuing without a model's explanation");
    expect(server.bodies("/analyze").map(({ narrative }) => narrative)).toEqual([true, false]);
    const keys = server.requests.slice(0, 2).map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(2);
  });
});

describe("a temporary failure is retried, and the plan is analyzed once", () => {
  test.each<[string, Treatment, string]>([
    ["500", { status: 500, body: "<html>" }, "answers 500"],
    ["503", refusal(503, "unavailable", "busy"), "answers 503 (unavailable)"],
    [
      "too many requests",
      { ...refusal(429, "rate_limited", "slow down"), headers: { "retry-after": "0" } },
      "429 (rate_limited)",
    ],
    ["a proxy's page with 429", { status: 429, body: "<html>" }, "answers 429"],
    ["a proxy's JSON with 429", { status: 429, body: { message: "slow down" } }, "answers 429"],
    ["a reset connection", "reset", "connection closed; a proxy may do this when a body is too large"],
    ["a truncated response", "truncate", "retrying in"],
    [
      "a response that isn't JSON",
      { status: 202, body: "{", headers: { "content-type": "application/json" } },
      "is incomplete",
    ],
    [
      "a first try that is still being processed",
      { ...refusal(409, "conflict", "under way"), headers: { "retry-after": "1" } },
      "an earlier try is still being processed; retrying in 1 s",
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

  test("also while waiting for the job", async () => {
    using server = new LeewayServer("leeway", "reset", { status: 502, body: "<html>" });
    server.pending = [];
    expect(await analyze(server)).toMatchObject({ code: 0 });
    expect(server.requests).toHaveLength(4);
  });
});

describe("a failure is explained and exits with 1:", () => {
  test.each<[string, Treatment, RegExp]>([
    ["a web page", { status: 200, body: "<html>" }, /isn't a Leeway server \(200, text\/html\): check --url/],
    ["a proxy's page", { status: 403, body: "<html>" }, /isn't a Leeway server \(403, text\/html\)/],
    [
      "a redirect",
      { status: 301, headers: { location: "/" } },
      /redirects \(301\), which leeway doesn't follow/,
    ],
    ["a refusal", refusal(400, "unsupported_plan_format", "format 9"), /\(400\): format 9 \(request req-1\)/],
    [
      "a proxy's page for a plan that is too large",
      { status: 413, body: "<html>" },
      /rejected the plan \(413\): the body is too large for Leeway or a proxy in front of it/,
    ],
    [
      "a proxy's JSON for a plan that is too large",
      { status: 413, body: { message: "slim down" } },
      /\(413\): the body is too large/,
    ],
    [
      "a rejected key",
      refusal(401, "unauthenticated", "no"),
      /^Leeway rejected the API key \(401\): check that it is complete and hasn't been revoked or expired/,
    ],
    ["an insufficient role", refusal(403, "forbidden", "no"), /check the role/],
    ["an unknown organization", refusal(404, "not_found", "no"), /check --url and --org/],
    ["an unknown field", { status: 400, body: { error: "invalid request body" } }, /invalid request body/],
    [
      "a response without a job",
      { status: 202, body: { status: "queued" } },
      /can't read the server's answer about the job/,
    ],
    ["a list", { status: 202, body: [] }, /is incomplete or isn't from Leeway; gave up after 2 tries/],
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

  test("a job that doesn't finish in time, with the URL of its result", async () => {
    using server = new LeewayServer();
    server.pending = Array.from({ length: 100 }, () => "running");
    const { code, messages } = await analyze(server, ["--max-seconds", "2"]);
    expect([code, messages.at(-1)]).toEqual([
      1,
      expect.stringMatching(
        /still running\. Raise --max-seconds, or get the result later with .*\/llm-jobs\/[0-9a-f-]{36}$/,
      ),
    ]);
    expect(server.requests.length).toBeLessThan(6);
  });

  test.each<[string, object]>([
    ["without a result", {}],
    ["with an incomplete result", { ...RESULT, findings: [{ rule: "R01" }] }],
  ])("a job %s", async (_, result) => {
    using server = new LeewayServer();
    server.pending = [];
    server.result = result;
    expect(await analyze(server)).toMatchObject({
      code: 1,
      output: "",
      messages: [expect.stringContaining("compare their versions")],
    });
  });

  test("but an unknown enum value of a newer Leeway is accepted", async () => {
    using server = new LeewayServer();
    server.pending = [];
    server.result = { ...RESULT, narrative: { text: "x", source: "oracle" }, further: 1 };
    expect(await analyze(server, ["--format", "json"])).toMatchObject({ code: 0 });
  });

  test.each<[string, string | Uint8Array[], RegExp]>([
    [
      "a binary plan",
      "PK\u0003\u0004…",
      /^standard input is a binary plan\. Convert it with: terraform show -json/,
    ],
    ["a state", JSON.stringify({ serial: 1, lineage: "x" }), /is a state, not a plan/],
    ["incomplete gzip", [Bun.gzipSync(JSON.stringify(PLAN)).subarray(0, 40)], /is corrupt or truncated gzip/],
    ["empty input", "", /is empty: look for the error/],
  ])("%s instead of a plan, before anything is sent", async (_, input, words) => {
    using server = new LeewayServer();
    const { code, messages } = await run(["analyze", "-"], server.env, input);
    expect([code, messages, server.requests]).toEqual([1, [expect.stringMatching(words)], []]);
  });
});
