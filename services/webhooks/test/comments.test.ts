import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";

import type { Input, Output } from "@leeway/shared/contract";
import {
  GetPermission,
  PutComment,
  ReactToComment,
  ReplyToComment,
  type CommentTarget,
} from "@leeway/shared/contracts/webhooks/comments";

import { GetConfig, UpdateConfig } from "@leeway/shared/contracts/webhooks/configs";
import type { Egress } from "@leeway/shared/egress";

import { startGithub } from "../../../tests/code-hosts/github.ts";
import { startGitlab } from "../../../tests/code-hosts/gitlab.ts";
import { cut, flood, hang, page, redirect, slow, status } from "../../../tests/code-hosts/server.ts";
import { putComment } from "../src/code-host/comments.ts";
import { createGithubApp } from "../src/code-host/github-app.ts";
import { startTestWebhooks, type TestWebhooks } from "./kit.ts";

const VCS = "platform/network";
const PLANNER = "acme/infra";
const MARKER = "<!-- leeway:plan:prod -->";
const gitlab = startGitlab({ projects: [VCS, "platform/other"] });
const github = startGithub({ repositories: [PLANNER, "acme/other"] });
let webhooks: TestWebhooks;
const OPTIONS = {
  egressAllow: [gitlab.host, github.host],
  githubApp: {
    id: github.appId,
    privateKey: github.privateKey,
    apiUrl: github.url,
    owners: new Map([["*", new Set(["acme"])]]),
  },
};

beforeAll(async () => {
  webhooks = await startTestWebhooks(OPTIONS);
});
afterEach(() => {
  gitlab.recover();
  github.recover();
  gitlab.notes.length = 0;
  github.comments.length = 0;
});
afterAll(async () => {
  await webhooks.stop();
  await gitlab.stop();
  await github.stop();
});

type Parts = Input<typeof PutComment>["parts"];

const partMarker = (number: number): string =>
  number === 1 ? MARKER : MARKER.replace(" -->", ` part ${number} -->`);
const partsOf = (...texts: string[]): Parts =>
  texts.map((text, index) => {
    const marker = partMarker(index + 1);
    return { marker, body: `${marker}\n${text}` };
  });

/** An organization that may comment at both hosts. */
async function newOrg(): Promise<{ orgId: string; configId: string; token: string }> {
  const orgId = crypto.randomUUID();
  const token = gitlab.issue();
  const { id } = await webhooks.newConfig(orgId, {
    source: "vcs",
    api_token: token,
    provider_base_url: gitlab.url,
  });
  return { orgId, configId: id, token };
}

const put = (orgId: string, target: CommentTarget, parts: Parts): Promise<Output<typeof PutComment>> =>
  webhooks.call(PutComment, { org_id: orgId, target, parts });

const HOSTS = [
  {
    name: "a merge request of GitLab",
    host: gitlab,
    target: { source: "vcs", repository: VCS, number: 7 } satisfies CommentTarget,
    texts: () => gitlab.texts(7),
    write: (body: string) => void gitlab.write(body),
    removeAll: () => void (gitlab.notes.length = 0),
    edit: (body: string) => {
      const [note] = gitlab.notes;
      if (note) note.body = body;
    },
  },
  {
    name: "a pull request of GitHub",
    host: github,
    target: { source: "planner", repository: PLANNER, number: 7 } satisfies CommentTarget,
    texts: () => github.texts(7),
    write: (body: string) => void github.write(body),
    removeAll: () => void (github.comments.length = 0),
    edit: (body: string) => {
      const [comment] = github.comments;
      if (comment) comment.body = body;
    },
  },
];

describe.each(HOSTS)("at $name", ({ host, target, texts, write, removeAll, edit }) => {
  const writes = (): string[] =>
    host.requests
      .filter(({ method, path }) => method !== "GET" && !path.startsWith("/app/"))
      .map(({ method }) => method);

  test("a comment is created, then updated in place, and not written when it says the same", async () => {
    const { orgId } = await newOrg();
    host.recover();
    const created = await put(orgId, target, partsOf("first"));
    expect(created).toMatchObject({ done: true, outcome: "created", url: expect.stringMatching(/\d+$/) });
    expect(await put(orgId, target, partsOf("second"))).toMatchObject({ ...created, outcome: "updated" });
    expect(await put(orgId, target, partsOf("second"))).toMatchObject({ ...created, outcome: "unchanged" });
    expect(texts()).toEqual([`${MARKER}\nsecond`]);
    expect(writes()).toHaveLength(2);
  });

  test("twenty at once from two instances end as exactly one comment", async () => {
    const { orgId } = await newOrg();
    host.fail(slow(5));
    // Requests go to either, as the bus likes.
    const second = await startTestWebhooks({ ...OPTIONS, beside: webhooks });
    const puts = Array.from({ length: 20 }, (_, index) => put(orgId, target, partsOf(`text ${index % 3}`)));
    const outcomes = await Promise.all(puts);
    await second.stop();
    expect(outcomes.every(({ done }) => done)).toBe(true);
    expect(outcomes.filter((put) => put.done && put.outcome === "created")).toHaveLength(1);
    expect(texts()).toHaveLength(1);
    expect(host.mostAtOnce()).toBe(1);
  });

  test("parts grow and shrink with the text", async () => {
    const { orgId } = await newOrg();
    await put(orgId, target, partsOf("a"));
    expect(await put(orgId, target, partsOf("a", "b", "c"))).toMatchObject({ outcome: "updated" });
    expect(texts().map((text) => text.split("\n")[1])).toEqual(["a", "b", "c"]);
    expect(await put(orgId, target, partsOf("a", "d"))).toMatchObject({ outcome: "updated" });
    expect(texts().map((text) => text.split("\n")[1])).toEqual(["a", "d"]);
    expect(await put(orgId, target, partsOf("a"))).toMatchObject({ outcome: "updated" });
    expect(texts()).toEqual([`${MARKER}\na`]);
  });

  test("another project's comment stays when parts of ours go", async () => {
    const { orgId } = await newOrg();
    const other = "<!-- leeway:plan:prod-eu -->";
    await put(orgId, target, partsOf("a", "b"));
    await put(orgId, target, [{ marker: other, body: `${other}\nelsewhere` }]);
    await put(orgId, target, partsOf("a"));
    expect(texts()).toEqual([`${MARKER}\na`, `${other}\nelsewhere`]);
  });

  test("a comment of somebody else with our marker is left alone", async () => {
    const { orgId } = await newOrg();
    write(`${MARKER}\nnot ours`);
    expect(await put(orgId, target, partsOf("ours"))).toMatchObject({ outcome: "created" });
    expect(await put(orgId, target, partsOf("ours"))).toMatchObject({ outcome: "unchanged" });
    expect(texts()).toEqual([`${MARKER}\nnot ours`, `${MARKER}\nours`]);
  });

  test("what a person made of our comment is put right", async () => {
    const { orgId } = await newOrg();
    await put(orgId, target, partsOf("ours"));
    edit(`${MARKER}\r\nnothing to see here`);
    expect(await put(orgId, target, partsOf("ours"))).toMatchObject({ outcome: "updated" });
    expect(texts()).toEqual([`${MARKER}\nours`]);
  });

  test("other ends of lines are no change", async () => {
    const { orgId } = await newOrg();
    await put(orgId, target, partsOf("one\ntwo"));
    edit(`${MARKER}\r\none\r\ntwo\r\n`);
    expect(await put(orgId, target, partsOf("one\ntwo"))).toMatchObject({ outcome: "unchanged" });
  });

  test("a comment that was deleted is written again", async () => {
    const { orgId } = await newOrg();
    await put(orgId, target, partsOf("ours"));
    removeAll();
    expect(await put(orgId, target, partsOf("ours"))).toMatchObject({ outcome: "created" });
    expect(texts()).toHaveLength(1);
  });

  test("a comment that is deleted while it is being updated is written again", async () => {
    const { orgId } = await newOrg();
    await put(orgId, target, partsOf("ours"));
    host.fail(
      (_, usual) => {
        removeAll();
        return usual();
      },
      /^(?:PUT|PATCH) /,
      1,
    );
    expect(await put(orgId, target, partsOf("newer"))).toMatchObject({ done: true, outcome: "created" });
    expect(texts()).toEqual([`${MARKER}\nnewer`]);
  });

  test("a comment whose creation was never answered isn't written twice", async () => {
    const { orgId } = await newOrg();
    host.fail(cut, /^POST .*(?:notes|comments)$/, 1);
    expect(await put(orgId, target, partsOf("ours"))).toEqual({ done: false, problem: "unavailable" });
    expect(await put(orgId, target, partsOf("ours"))).toMatchObject({ outcome: "unchanged" });
    expect(texts()).toHaveLength(1);
  });

  test("a double that only shows after it was created is removed at once", async () => {
    const { orgId } = await newOrg();
    const before = await put(orgId, target, partsOf("ours"));
    host.fail(() => Response.json([]), /^GET .*(?:notes|comments)\?/, 1);
    const after = await put(orgId, target, partsOf("newer"));
    expect(after).toMatchObject({ done: true, outcome: "created", url: before.done && before.url });
    expect(texts()).toEqual([`${MARKER}\nnewer`]);
  });

  test("doubles that came up all the same are removed, the oldest stays", async () => {
    const { orgId } = await newOrg();
    // Two processes that don't know of each other: the list of one is from before the other's comment.
    host.fail(() => Response.json([]), /^GET .*(?:notes|comments)\?/, 2);
    await put(orgId, target, partsOf("ours"));
    await put(orgId, target, partsOf("ours"));
    expect(await put(orgId, target, partsOf("newest"))).toMatchObject({ done: true });
    expect(texts()).toEqual([`${MARKER}\nnewest`]);
  });

  test("ours is found behind hundreds of others'", async () => {
    const { orgId } = await newOrg();
    for (let count = 0; count < 250; count += 1) write("chatter");
    await put(orgId, target, partsOf("ours"));
    host.requests.length = 0;
    expect(await put(orgId, target, partsOf("newer"))).toMatchObject({ outcome: "updated" });
    expect(host.requests.filter(({ path }) => /(?:notes|comments)\?/.test(path))).toHaveLength(3);
  });

  test("requests for one repository go one after the other, whatever their number", async () => {
    const { orgId } = await newOrg();
    host.recover();
    await Promise.all([1, 2, 3, 7].map((number) => put(orgId, { ...target, number }, partsOf("a"))));
    expect(host.mostAtOnce()).toBe(1);
  });

  test("a text that the host doesn't take is too large, and nothing is written", async () => {
    const { orgId } = await newOrg();
    const length = target.source === "vcs" ? 1_000_001 : 65_537;
    const body = `${MARKER}\n`.padEnd(length, "x");
    expect(await put(orgId, target, [{ marker: MARKER, body }])).toEqual({
      done: false,
      problem: "too_large",
    });
    const most = [{ marker: MARKER, body: body.slice(0, length - 1) }];
    expect(await put(orgId, target, most)).toMatchObject({ outcome: "created" });
    expect(texts()).toHaveLength(1);
  });

  test("a request that isn't there, and a repository that isn't, are not found", async () => {
    const { orgId } = await newOrg();
    const gone = { ...target, number: 404 };
    expect(await put(orgId, gone, partsOf("a"))).toEqual({ done: false, problem: "not_found" });
    const repository = target.source === "vcs" ? "no/such" : "acme/none";
    const problem = target.source === "vcs" ? "not_found" : "app_not_installed";
    expect(await put(orgId, { ...target, repository }, partsOf("a"))).toEqual({ done: false, problem });
    expect(await put(orgId, { ...target, repository: "acme/.." }, partsOf("a"))).toMatchObject({
      done: false,
      problem: "not_found",
    });
  });

  test.each([
    ["403", status(403), { problem: "forbidden" }],
    ["404", status(404), { problem: "not_found" }],
    ["500", status(500), { problem: "unavailable" }],
    ["200 that is no JSON", page, { problem: "unavailable" }],
    ["an answer of 17 MB", flood(17 << 20), { problem: "unavailable" }],
    ["a body that breaks off", cut, { problem: "unavailable" }],
    [
      "429 with a time",
      status(429, { "retry-after": "17" }),
      { problem: "unavailable", retry_after_seconds: 17 },
    ],
    ["429 without one", status(429), { problem: "unavailable", retry_after_seconds: 60 }],
    [
      "a secondary limit",
      status(403, { "retry-after": "5" }, { message: "You have exceeded a secondary rate limit" }),
      { problem: "unavailable", retry_after_seconds: 5 },
    ],
  ] as const)("%s of the host is said in our words, and nothing is written", async (_, fault, refused) => {
    const { orgId } = await newOrg();
    host.fail(fault, /^GET .*(?:notes|comments)\?/);
    expect(await put(orgId, target, partsOf("a"))).toEqual({ done: false, ...refused });
    expect(texts()).toEqual([]);
  });

  test("a redirect isn't followed", async () => {
    const { orgId } = await newOrg();
    let contacts = 0;
    const canary = Bun.serve({
      port: 0,
      fetch: () => {
        contacts += 1;
        return new Response();
      },
    });
    host.fail(redirect(canary.url.href), /(?:notes|comments)/);
    expect(await put(orgId, target, partsOf("a"))).toEqual({ done: false, problem: "unavailable" });
    expect(contacts).toBe(0);
    await canary.stop(true);
  });

  test("after a 429 the host is left alone until its time is over, for this organization only", async () => {
    const [limited, other] = [await newOrg(), await newOrg()];
    host.fail(status(429, { "retry-after": "30" }), /(?:notes|comments)\?/, 1);
    await put(limited.orgId, target, partsOf("a"));
    host.requests.length = 0;
    expect(await put(limited.orgId, target, partsOf("a"))).toMatchObject({
      done: false,
      problem: "unavailable",
      retry_after_seconds: expect.any(Number),
    });
    expect(host.requests).toEqual([]);
    expect(await put(other.orgId, target, partsOf("a"))).toMatchObject({ done: true });
  });

  test("a host that hangs costs its own organization the time limit, and others nothing", async () => {
    const [stuck, other] = [await newOrg(), await newOrg()];
    await put(other.orgId, target, partsOf("a"));
    host.fail(hang, /(?:notes|comments)\?/, 1);
    const { dependencies } = webhooks;
    const { egress } = dependencies;
    const hasty: Egress = {
      ...egress,
      fetch: (url, init) => egress.fetch(url, { ...init, timeoutMs: 500 }),
    };
    const input = { org_id: stuck.orgId, target, parts: partsOf("a") };
    const started = performance.now();
    const failing = putComment({ ...dependencies, egress: hasty }, input);
    host.requests.length = 0;
    while (!host.requests.some(({ path }) => /(?:notes|comments)\?/.test(path))) await Bun.sleep(5);
    expect(await put(other.orgId, target, partsOf("b"))).toMatchObject({ outcome: "updated" });
    expect(performance.now() - started).toBeLessThan(450);
    expect(await failing).toEqual({ done: false, problem: "unavailable" });
  });

  test("a host that fails five times in a row is left alone for a while", async () => {
    const { orgId } = await newOrg();
    host.fail(status(500));
    for (let count = 0; count < 5; count += 1) await put(orgId, target, partsOf("a"));
    host.requests.length = 0;
    expect(await put(orgId, target, partsOf("a"))).toMatchObject({ problem: "unavailable" });
    expect(host.requests).toEqual([]);
  });

  test("a reply is written once, however often it is asked for", async () => {
    const { orgId } = await newOrg();
    const marker = "<!-- leeway:reply:d1 -->";
    const reply = () =>
      webhooks.call(ReplyToComment, {
        org_id: orgId,
        target,
        marker,
        body: "**Help**",
        discussion_id: "d404",
      });
    const answers = await Promise.all([reply(), reply(), reply()]);
    for (const answer of answers) expect(answer).toEqual({ done: true, url: expect.any(String) });
    expect(texts()).toEqual([`${marker}\n**Help**`]);
  });
});

const vcs = (changes: Partial<CommentTarget> = {}): CommentTarget => ({
  source: "vcs",
  repository: VCS,
  number: 7,
  ...changes,
});
const planner = (changes: Partial<CommentTarget> = {}): CommentTarget => ({
  source: "planner",
  repository: PLANNER,
  number: 7,
  ...changes,
});

describe("an emoji", () => {
  test.each([
    ["eyes", "eyes"],
    ["thumbsup", "+1"],
    ["confused", "confused"],
  ] as const)("%s is awarded once, however often it is asked for", async (emoji, reaction) => {
    const { orgId } = await newOrg();
    const note = gitlab.write("/leeway help");
    const comment = github.write("/leeway help");
    const react = (target: CommentTarget, comment_id: number) =>
      webhooks.call(ReactToComment, { org_id: orgId, target, comment_id, emoji });
    for (let count = 0; count < 2; count += 1) {
      expect(await react(vcs(), note.id)).toEqual({ done: true });
      expect(await react(planner(), comment.id)).toEqual({ done: true });
    }
    expect(note.awards.map(({ name }) => name)).toEqual([emoji]);
    expect(comment.reactions.map(({ content }) => content)).toEqual([reaction]);
    expect(await react(vcs(), 404)).toEqual({ done: false, problem: "not_found" });
    expect(await react(planner(), 404)).toEqual({ done: false, problem: "not_found" });
  });

  test("that somebody else gave doesn't stand for ours", async () => {
    const { orgId } = await newOrg();
    const note = gitlab.write("/leeway help");
    note.awards.push({ name: "eyes", user: { id: 5, username: "somebody" } });
    await webhooks.call(ReactToComment, { org_id: orgId, target: vcs(), comment_id: note.id, emoji: "eyes" });
    expect(note.awards).toHaveLength(2);
  });
});

test("a reply goes into the command's discussion, and below it where that is gone", async () => {
  const { orgId } = await newOrg();
  const { discussion } = gitlab.write("/leeway help");
  const reply = (discussion_id: string) =>
    webhooks.call(ReplyToComment, {
      org_id: orgId,
      target: vcs(),
      marker: `<!-- leeway:reply:${discussion_id} -->`,
      body: "Help",
      discussion_id,
    });
  expect(await reply(discussion)).toMatchObject({ done: true });
  expect(await reply("gone")).toMatchObject({ done: true });
  const [, first, second] = gitlab.notes;
  expect(first?.discussion).toBe(discussion);
  expect(second?.discussion).not.toBe("gone");
});

const permission = (orgId: string, target: CommentTarget, user_id: number, username: string) =>
  webhooks.call(GetPermission, { org_id: orgId, target, user_id, username });

describe("whether somebody may write", () => {
  test.each([
    [50, true],
    [40, true],
    [30, true],
    [20, false],
    [10, false],
    [undefined, false],
  ])("GitLab's access level %p: %p", async (level, may_write) => {
    const { orgId } = await newOrg();
    const userId = 10_000 + (level ?? 0);
    if (level !== undefined) gitlab.setAccess(VCS, userId, level);
    expect(await permission(orgId, vcs(), userId, "mara")).toEqual({ done: true, may_write });
  });

  test.each([
    ["admin", true],
    ["write", true],
    ["read", false],
    ["none", false],
    [undefined, false],
  ])("GitHub's permission %p: %p", async (level, may_write) => {
    const { orgId } = await newOrg();
    const login = `mara-${level}`;
    if (level !== undefined) github.setPermission(PLANNER, { id: 9, login }, level);
    expect(await permission(orgId, planner(), 9, login)).toEqual({ done: true, may_write });
  });

  test("is not what the one may who has the name now", async () => {
    const { orgId } = await newOrg();
    github.setPermission(PLANNER, { id: 77, login: "renamed" }, "admin");
    expect(await permission(orgId, planner(), 9, "renamed")).toEqual({ done: true, may_write: false });
  });

  test("isn't told by a host that fails, nor found at another path", async () => {
    const { orgId } = await newOrg();
    gitlab.fail(status(500), /members/);
    expect(await permission(orgId, vcs(), 1, "mara")).toEqual({ done: false, problem: "unavailable" });
    expect(await permission(orgId, planner(), 1, "..")).toEqual({ done: false, problem: "not_found" });
  });
});

const config = (orgId: string, changes: object = {}) =>
  webhooks.newConfig(orgId, {
    source: "vcs",
    api_token: gitlab.issue(),
    provider_base_url: gitlab.url,
    ...changes,
  });
const tokensUsed = (): Set<string | null> =>
  new Set(gitlab.requests.map(({ headers }) => headers.get("private-token")));

describe("the token of a code host", () => {
  test("is the named config's, else the repository's own, else one for any repository", async () => {
    const orgId = crypto.randomUUID();
    const [any, own, named, foreign] = [gitlab.issue(), gitlab.issue(), gitlab.issue(), gitlab.issue()];
    await config(orgId, { api_token: foreign, repo_path: "platform/other" });
    await config(orgId, { api_token: any });
    const used = async (target: CommentTarget) => {
      gitlab.recover();
      await put(orgId, target, partsOf("a"));
      return [...tokensUsed()];
    };
    expect(await used(vcs())).toEqual([any]);
    await config(orgId, { api_token: own, repo_path: VCS });
    expect(await used(vcs())).toEqual([own]);
    const { id } = await config(orgId, { api_token: named });
    expect(await used(vcs({ config_id: id }))).toEqual([named]);
    await webhooks.call(UpdateConfig, { org_id: orgId, config_id: id, enabled: false });
    expect(await used(vcs({ config_id: id }))).toEqual([own]);
  });

  test("of another organization, another repository or a planner is none", async () => {
    const orgId = crypto.randomUUID();
    const theirs = await newOrg();
    await config(orgId, { repo_path: "platform/other" });
    await webhooks.newConfig(orgId);
    const target = vcs({ config_id: theirs.configId });
    expect(await put(orgId, target, partsOf("a"))).toEqual({ done: false, problem: "token_missing" });
  });

  test("that the host rejects is marked, told, and not tried again until it changes", async () => {
    const { orgId, configId, token } = await newOrg();
    gitlab.revoke(token);
    gitlab.recover();
    const rejected = { done: false, problem: "token_rejected" } as const;
    expect(await put(orgId, vcs(), partsOf("a"))).toEqual(rejected);
    expect(gitlab.requests).toHaveLength(1);
    expect(await put(orgId, vcs(), partsOf("a"))).toEqual(rejected);
    expect(gitlab.requests).toHaveLength(1);
    const one = { org_id: orgId, config_id: configId };
    expect((await webhooks.call(GetConfig, one)).api_token_status?.last_error).toBe(
      "api_token was rejected by the instance",
    );
    await webhooks.call(UpdateConfig, { ...one, api_token: gitlab.issue() });
    expect((await webhooks.call(GetConfig, one)).api_token_status).not.toHaveProperty("last_error");
    expect(await put(orgId, vcs(), partsOf("a"))).toMatchObject({ done: true, outcome: "created" });
  });

  test("that the host rejects gives way to another that is good", async () => {
    const { orgId, configId, token } = await newOrg();
    await config(orgId);
    gitlab.revoke(token);
    const target = vcs({ config_id: configId });
    expect(await put(orgId, target, partsOf("a"))).toMatchObject({ done: true, outcome: "created" });
  });

  test("can be rotated: the same user's comment is updated in place", async () => {
    const orgId = crypto.randomUUID();
    const user = { id: 31, username: "project_1_bot" };
    const old = gitlab.issue(user);
    const { id } = await config(orgId, { api_token: old });
    await put(orgId, vcs(), partsOf("a"));
    gitlab.revoke(old);
    await webhooks.call(UpdateConfig, { org_id: orgId, config_id: id, api_token: gitlab.issue(user) });
    expect(await put(orgId, vcs(), partsOf("b"))).toMatchObject({ outcome: "updated" });
    expect(gitlab.texts(7)).toEqual([`${MARKER}\nb`]);
  });

  test("that is rotated while the old one is turned away isn't marked", async () => {
    const orgId = crypto.randomUUID();
    const { id } = await config(orgId);
    const one = { org_id: orgId, config_id: id };
    const fresh = gitlab.issue();
    gitlab.fail(
      async () => {
        await webhooks.call(UpdateConfig, { ...one, api_token: fresh });
        return Response.json({ message: "401 Unauthorized" }, { status: 401 });
      },
      /^GET \/api\/v4\/user$/,
      1,
    );
    expect(await put(orgId, vcs(), partsOf("a"))).toEqual({
      done: false,
      problem: "unavailable",
      retry_after_seconds: 1,
    });
    expect((await webhooks.call(GetConfig, one)).api_token_status).not.toHaveProperty("last_error");
    expect(await put(orgId, vcs(), partsOf("a"))).toMatchObject({ done: true });
  });
});

const minted = (): number => github.requests.filter(({ path }) => path.endsWith("/access_tokens")).length;

describe("the app", () => {
  test("writes for an organization at its own owners only, where the operator names them", async () => {
    const { orgId } = await newOrg();
    const owners = new Map([[orgId, new Set(["acme"])]]);
    const dependencies = {
      ...webhooks.dependencies,
      githubApp: createGithubApp({ ...OPTIONS.githubApp, owners }),
    };
    const putAs = (org_id: string) =>
      putComment(dependencies, {
        org_id,
        target: planner({ repository: "Acme/infra" }),
        parts: partsOf("a"),
      });
    github.recover();
    expect(await putAs(crypto.randomUUID())).toEqual({ done: false, problem: "forbidden" });
    expect(github.requests).toEqual([]);
    expect(await putAs(orgId)).toEqual({ done: false, problem: "app_not_installed" });
  });

  test("writes for an organization that the repository itself names, where the operator names none", async () => {
    const { orgId } = await newOrg();
    const { owners: _, ...githubApp } = OPTIONS.githubApp;
    const dependencies = { ...webhooks.dependencies, githubApp: createGithubApp(githubApp) };
    const putAs = (org_id: string) =>
      putComment(dependencies, { org_id, target: planner(), parts: partsOf("a") });
    const refused = { done: false, problem: "organization_not_named" } as const;
    expect(await putAs(orgId)).toEqual(refused);
    github.named.set(PLANNER, `# ours\r\n${orgId.toUpperCase()} # the platform team\r\n`);
    expect(await putAs(orgId)).toMatchObject({ done: true });
    expect(await putAs(crypto.randomUUID())).toEqual(refused);
    github.named.set(PLANNER, `# ${orgId}\n${orgId.slice(1)}\n`);
    expect(await putAs(orgId)).toEqual(refused);
    github.named.delete(PLANNER);
    expect(github.texts(7)).toEqual([`${MARKER}\na`]);
  });

  test("takes one token for a repository, for no more than it needs, and keeps it", async () => {
    const { orgId } = await newOrg();
    const target = planner({ repository: "acme/other" });
    await put(orgId, target, partsOf("a"));
    await put(orgId, target, partsOf("b"));
    expect(minted()).toBe(1);
    const asked = github.requests.find(({ path }) => path.endsWith("/access_tokens"));
    expect(JSON.parse(asked?.body ?? "")).toEqual({
      repositories: ["other"],
      permissions: { pull_requests: "write", metadata: "read" },
    });
  });

  test("takes a new token when the one that it has is turned away", async () => {
    const { orgId } = await newOrg();
    await put(orgId, planner(), partsOf("a"));
    github.tokens.clear();
    github.requests.length = 0;
    expect(await put(orgId, planner(), partsOf("b"))).toMatchObject({ outcome: "updated" });
    expect(minted()).toBe(1);
  });

  test("says where it isn't installed any more", async () => {
    const { orgId } = await newOrg();
    await put(orgId, planner(), partsOf("a"));
    github.uninstall(PLANNER);
    expect(await put(orgId, planner(), partsOf("b"))).toEqual({ done: false, problem: "app_not_installed" });
    github.install(PLANNER);
    expect(await put(orgId, planner(), partsOf("b"))).toMatchObject({ outcome: "updated" });
  });

  test("whose key is turned away is told of as a rejected token", async () => {
    const { orgId } = await newOrg();
    github.uninstall(PLANNER);
    github.install(PLANNER);
    github.fail(status(401), /installation$/);
    expect(await put(orgId, planner(), partsOf("a"))).toEqual({ done: false, problem: "token_rejected" });
  });
});

test("a planner's plan gets no comment where no app is configured", async () => {
  const bare = await startTestWebhooks({ egressAllow: OPTIONS.egressAllow });
  const target = planner();
  const { dependencies } = bare;
  const input = { org_id: crypto.randomUUID(), target, parts: partsOf("a") };
  expect(await putComment(dependencies, input)).toEqual({ done: false, problem: "app_not_configured" });
  await bare.stop();
});
