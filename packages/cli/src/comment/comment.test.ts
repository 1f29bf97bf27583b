import { afterAll, describe, expect, test } from "bun:test";

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { change, planOf } from "@leeway/analysis/plan/plan.fixture";

import { RESULT } from "../api/recorded.fixture.ts";
import { LeewayServer } from "../api/server.fixture.ts";
import { CodeHostServer, OTHER } from "../code-host/code-host.fixture.ts";
import { run, type Run } from "../run.fixture.ts";

const folder = await mkdtemp(join(tmpdir(), "leeway-comment-"));
afterAll(() => rm(folder, { recursive: true }));

const MARKER = "<!-- leeway:comment:report -->";

type Env = Record<string, string>;
const github = (server: CodeHostServer): Env => ({
  GITHUB_ACTIONS: "true",
  GITHUB_API_URL: server.url,
  GITHUB_REPOSITORY: "acme/infra",
  GITHUB_REF: "refs/pull/12/merge",
  GITHUB_TOKEN: "job-token",
});
const gitlab = (server: CodeHostServer): Env => ({
  GITLAB_CI: "true",
  CI_API_V4_URL: `${server.url}/api/v4`,
  CI_PROJECT_PATH: "acme/infra",
  CI_MERGE_REQUEST_IID: "12",
  CI_JOB_TOKEN: "job-token",
});
const HOSTS = [
  ["GitHub", github],
  ["GitLab", gitlab],
] as const;

/** Posts a text from standard input. */
function post(env: Env, text: string, args: string[] = []): Promise<Run> {
  return run(["comment", "-", "--tries", "2", ...args], env, text);
}

describe.each(HOSTS)("at %s", (name, envOf) => {
  test("the first call posts a comment, and later calls update only that", async () => {
    using host = new CodeHostServer();
    const env = envOf(host);
    // Somebody else's comment with our marker must neither be taken for ours nor be changed.
    const forged = host.add(OTHER, `${MARKER}\nforged`);
    expect(await post(env, "# One\n")).toMatchObject({
      code: 0,
      output: expect.stringContaining("comment created"),
    });
    expect(await post(env, "# One\n")).toMatchObject({
      code: 0,
      output: expect.stringContaining("unchanged"),
    });
    expect(await post(env, "# Two\n")).toMatchObject({ code: 0, output: expect.stringContaining("updated") });
    expect(host.comments.map(({ author, body }) => [author, body.trim()])).toEqual([
      [OTHER, forged.body],
      [1, `${MARKER}\n# Two`],
    ]);
  });

  test("another marker is another comment, and no name can end the marker", async () => {
    using host = new CodeHostServer();
    await post(envOf(host), "one");
    await post(envOf(host), "two", ["--marker", "network --> prod"]);
    expect(host.comments.map(({ body }) => body.split("\n")[0])).toEqual([
      MARKER,
      "<!-- leeway:comment:network%20-%2D%3E%20prod -->",
    ]);
  });

  test("its own comment is found on a later page, and the token stays with the host", async () => {
    using host = new CodeHostServer();
    for (let count = 0; count < 250; count += 1) host.add(OTHER, "chatter");
    const own = host.add(1, `${MARKER}\nold`);
    expect(await post(envOf(host), "new")).toMatchObject({ code: 0, messages: [] });
    expect([own.body, host.comments.length]).toEqual([`${MARKER}\nnew`, 251]);
    expect(host.requests.every(({ path }) => path !== "/steal")).toBe(true);
  });

  test("two jobs at once leave one comment", async () => {
    using host = new CodeHostServer();
    host.beforeCreate = () => {
      host.beforeCreate = () => undefined;
      host.add(1, `${MARKER}\nof the other job`);
    };
    await post(envOf(host), "mine");
    expect(host.comments.map(({ body }) => body)).toEqual([`${MARKER}\nmine`]);
  });

  test("a long report is shortened to the host's limit, with open blocks closed", async () => {
    using host = new CodeHostServer();
    const text = `<details>\n\n\`\`\`diff\n${`+ ${"x".repeat(998)}\n`.repeat(1_500)}\`\`\`\n\n</details>\n`;
    expect((await post(envOf(host), text)).code).toBe(0);
    const [{ body } = { body: "" }] = host.comments;
    expect(body.length).toBeLessThanOrEqual(name === "GitHub" ? 65_536 : 1_000_000);
    expect(body).toMatch(/x\n```\n\n<\/details>\n\n_[\d]+ more lines don't fit in a comment\._$/);
  });

  test("a comment that was deleted meanwhile is posted again", async () => {
    using host = new CodeHostServer();
    await post(envOf(host), "one");
    host.comments = [];
    expect(await post(envOf(host), "one")).toMatchObject({
      output: expect.stringContaining("comment created"),
    });
  });

  test.each([429, 502])("%i is tried again after Retry-After", async (status) => {
    using host = new CodeHostServer();
    host.replies = [{ status, headers: { "retry-after": "0" } }];
    const { code, messages } = await post(envOf(host), "text");
    expect([code, messages]).toEqual([0, [expect.stringContaining(`answers ${status}; retrying`)]]);
    expect(host.comments).toHaveLength(1);
  });

  test("a host that stays busy exits with 1 and says so", async () => {
    using host = new CodeHostServer();
    host.replies = [{ status: 503 }, { status: 503 }];
    const { code, messages } = await post(envOf(host), "text");
    expect([code, messages.at(-1)]).toEqual([
      1,
      expect.stringMatching(/answers 503; gave up after 2 tries$/),
    ]);
  });

  test.each([
    [403, name === "GitHub" ? "pull-requests: write" : "set LEEWAY_COMMENT_TOKEN to a project access token"],
    [404, "check the repository and the number"],
    [422, "answers 422"],
    [301, "redirects (301)"],
  ])("%i exits with 1 and says what to do", async (status, advice) => {
    using host = new CodeHostServer();
    host.replies = [
      { status, headers: { location: "http://127.0.0.1:1/" }, body: { message: "no\u001B[31m" } },
    ];
    const { code, output, messages } = await post(envOf(host), "text");
    expect([code, output, messages]).toEqual([1, "", [expect.stringContaining(advice)]]);
    expect(messages[0]).not.toMatch(/\p{Cc}|job-token/u);
  });

  test("a token of a person writes as that person", async () => {
    using host = new CodeHostServer();
    expect((await post({ ...envOf(host), LEEWAY_COMMENT_TOKEN: "person-token" }, "text")).code).toBe(0);
    expect(host.comments.map(({ author }) => author)).toEqual([2]);
  });
});

test("an app's token at GitHub finds its own comment again", async () => {
  using host = new CodeHostServer();
  const env = { ...github(host), LEEWAY_COMMENT_TOKEN: "app-token" };
  host.add(1, `${MARKER}\nof the job`);
  await post(env, "one");
  await post(env, "two");
  expect(host.comments.map(({ author, body }) => [author, body])).toEqual([
    [1, `${MARKER}\nof the job`],
    [3, `${MARKER}\ntwo`],
  ]);
});

test("an address without TLS never gets the token", async () => {
  const env = { GITHUB_TOKEN: "job-token", GITHUB_REPOSITORY: "acme/infra", GITHUB_ACTIONS: "true" };
  const { code, messages } = await post({ ...env, GITHUB_API_URL: "http://192.0.2.1" }, "x", [
    "--pull-number",
    "1",
  ]);
  expect([code, messages]).toEqual([64, ["the code host's address must be https://, not http://192.0.2.1"]]);
});

test.each<[string, Env, string[], string]>([
  ["no host", {}, ["--repository", "a/b", "--pull-number", "1"], "--host is required: github or gitlab"],
  [
    "no token",
    { GITHUB_ACTIONS: "true" },
    ["--repository", "a/b", "--pull-number", "1"],
    "a token is required: set",
  ],
  ["no request", { GITHUB_ACTIONS: "true" }, ["--repository", "a/b"], "--pull-number is required"],
])("%s exits with 64", async (_, env, args, says) => {
  const { code, messages } = await post(env, "x", args);
  expect([code, messages]).toEqual([64, [expect.stringContaining(says)]]);
});

test("a missing or empty file is named", async () => {
  using host = new CodeHostServer();
  expect(await run(["comment", join(folder, "no.md")], github(host))).toMatchObject({
    code: 64,
    messages: [expect.stringMatching(/no\.md: no such file/)],
  });
  expect(await post(github(host), " \n")).toMatchObject({ code: 1, messages: ["standard input is empty"] });
});

describe("leeway analyze --comment", () => {
  const plan = planOf([change(["delete"], { before: { id: "db-1" } })]);
  const analyze = (env: Env, args: string[] = []): Promise<Run> =>
    run(["analyze", "-", "--comment", ...args], env, plan);

  test.each(HOSTS)("posts with the job's token if the server has no app for %s", async (_, envOf) => {
    using server = new LeewayServer();
    using host = new CodeHostServer();
    server.result = { ...RESULT, comment: { posted: false, error: "app_not_configured" } };
    const { code, messages } = await analyze({ ...server.env, ...envOf(host) });
    expect([code, messages]).toEqual([0, ["comment created"]]);
    expect(host.comments.map(({ body }) => body.split("\n")[0])).toEqual(["<!-- leeway:plan:.:default -->"]);
  });

  test("posts a plan's findings without a server, and updates them", async () => {
    using host = new CodeHostServer();
    expect((await analyze(github(host), ["--local"])).messages).toEqual(["comment created"]);
    expect((await analyze(github(host), ["--local"])).messages).toEqual(["comment unchanged"]);
    expect(host.comments.map(({ body }) => body)).toEqual([expect.stringContaining("aws_db_instance.main")]);
  });

  test("leaves the comment to a server that has posted it, or chose not to", async () => {
    using server = new LeewayServer();
    using host = new CodeHostServer();
    for (const comment of [{ posted: true }, undefined]) {
      server.result = { ...RESULT, comment };
      expect((await analyze({ ...server.env, ...github(host) })).code).toBe(0);
    }
    expect(host.requests).toEqual([]);
  });

  test("counts even if nobody can comment, and says why", async () => {
    using server = new LeewayServer();
    using host = new CodeHostServer();
    server.result = { ...RESULT, comment: { posted: false, error: "app_not_configured" } };
    const { GITHUB_TOKEN: _, ...tokenless } = github(host);
    expect(await analyze({ ...server.env, ...tokenless })).toMatchObject({
      code: 0,
      messages: [
        expect.stringMatching(/has no GitHub App.*; set GITHUB_TOKEN to comment with the job's token/),
      ],
    });
    host.replies = [{ status: 403 }];
    const { code, messages } = await analyze({ ...server.env, ...github(host) });
    expect([code, messages]).toEqual([0, [expect.stringContaining("no comment posted: GitHub answers 403")]]);
  });
});
