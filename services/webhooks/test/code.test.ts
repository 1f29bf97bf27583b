import { beforeEach, describe, expect, test } from "bun:test";

import type { Input, Output } from "@leeway/shared/contracts/contract";
import type { SourceRepository } from "@leeway/shared/contracts/common";
import { CloseChangeRequest, PutChangeRequest, ReadCode } from "@leeway/shared/contracts/webhooks/code";

import { createRepository, type Repository } from "../../../tests/code-hosts/repository.ts";
import { cut, status } from "../../../tests/code-hosts/server.ts";
import { readCode } from "../src/code/read-code.ts";
import { commenting, PLANNER, VCS } from "./support/commenting.ts";

const hosts = commenting();
const { gitlab, github, newOrg } = hosts;
const FILES = {
  "prod/main.tf": "a = 1\n",
  "prod/m/x.tf": "b = 2\n",
  "prod/x.md": "text",
  "top.tf": "c = 3\n",
};
const BRANCH = "leeway/settle-2026-11-29";

const HOSTS = [
  { name: "GitLab", kind: "gitlab", host: gitlab, path: VCS },
  { name: "GitHub", kind: "github", host: github, path: PLANNER },
] as const;

describe.each(HOSTS)("on $name", ({ kind, host, path }) => {
  let code: Repository;
  let orgId: string;
  beforeEach(async () => {
    ({ orgId } = await newOrg());
    code = createRepository(FILES);
    host.code.set(path, code);
    host.recover();
    github.named.set(path, orgId);
  });

  const place = (changes: Partial<SourceRepository> = {}): SourceRepository => ({
    host: kind,
    path,
    dir: "prod",
    ...changes,
  });
  const read = (changes: Partial<SourceRepository> = {}): Promise<Output<typeof ReadCode>> =>
    hosts.webhooks.call(ReadCode, { org_id: orgId, repository: place(changes) });
  const put = (files: Record<string, string>, changes: Partial<Input<typeof PutChangeRequest>> = {}) =>
    hosts.webhooks.call(PutChangeRequest, {
      org_id: orgId,
      repository: place(),
      branch: BRANCH,
      commit: code.branches.get("main") ?? "",
      title: "Settle",
      body: "Text",
      files: Object.entries(files).map(([path, text]) => ({ path, text })),
      ...changes,
    });
  const contents = (): number => host.requests.filter(({ path: asked }) => asked.includes("blobs")).length;

  test("the configuration of a folder is read at its commit, once", async () => {
    const commit = code.branches.get("main") ?? "";
    const page = { kind, url: expect.stringMatching(new RegExp(`/${path}/.*blob/${commit}$`)) };
    const files = [
      { path: "prod/main.tf", text: "a = 1\n" },
      { path: "prod/m/x.tf", text: "b = 2\n" },
    ];
    expect(await read()).toEqual({ done: true, ref: "main", commit, files, page });
    expect(await read({ ref: "main" })).toMatchObject({ done: true, files });
    expect(contents()).toBe(2);
    code.commit("main", { "prod/main.tf": "a = 5\n" });
    expect(await read()).toMatchObject({ files: [{ text: "a = 5\n" }, { text: "b = 2\n" }] });
  });

  test("what isn't there is named", async () => {
    expect(await read({ ref: "gone" })).toEqual({ done: false, problem: "ref_not_found" });
    expect(await read({ dir: "gone" })).toEqual({ done: false, problem: "folder_not_found" });
    const elsewhere = await read({ host: "git.example.net" });
    expect(elsewhere).toMatchObject({ done: false, problem: "token_missing" });
  });

  test("a folder with too many files is refused before they are read", async () => {
    const many = Array.from({ length: 301 }, (_, index) => [`prod/${index}.tf`, ""]);
    code.commit("main", Object.fromEntries(many));
    expect(await read()).toEqual({ done: false, problem: "folder_too_large" });
    expect(contents()).toBe(0);
  });

  test("a truncated answer and a rate limit change nothing and end by themselves", async () => {
    host.fail(cut, /(blobs|commits)/, 1);
    expect(await read()).toMatchObject({ done: false, problem: "unavailable" });
    expect(await read()).toMatchObject({ done: true });
    host.fail(status(429, { "retry-after": "1" }), /./, 1);
    expect(await put({ "prod/main.tf": "a = 5\n" })).toEqual({
      done: false,
      problem: "unavailable",
      retry_after_seconds: 1,
    });
    expect(code.requests).toEqual([]);
  });

  test("the same files twice are one commit and one request", async () => {
    expect(await put({ "prod/main.tf": "a = 5\n" })).toMatchObject({ outcome: "created", number: 1 });
    expect(await put({ "prod/main.tf": "a = 5\n" })).toMatchObject({ outcome: "unchanged", number: 1 });
    expect(await put({ "prod/main.tf": "a = 5\n" }, { body: "New" })).toMatchObject({ outcome: "updated" });
    expect(code.compare("main", BRANCH).commits).toHaveLength(1);
    expect(code.openRequests()).toMatchObject([{ branch: BRANCH, target: "main", body: "New" }]);
  });

  test("a file that is no longer changed is put back", async () => {
    await put({ "prod/main.tf": "a = 5\n", "prod/m/x.tf": "b = 5\n" });
    await put({ "prod/main.tf": "a = 5\n" });
    expect(code.files(BRANCH)).toEqual({ ...FILES, "prod/main.tf": "a = 5\n" });
    expect(await put({ "prod/main.tf": "a = 5\n" })).toMatchObject({ outcome: "unchanged" });
    expect(code.compare("main", BRANCH).commits).toHaveLength(2);
  });

  test("a branch with a person's commit is left alone", async () => {
    await put({ "prod/main.tf": "a = 5\n" });
    const theirs = code.commit(BRANCH, { "prod/main.tf": "a = 6\n" });
    expect(await put({ "prod/main.tf": "a = 7\n" })).toMatchObject({
      problem: "foreign_commit",
      author: kind === "github" ? "ada" : "Ada",
    });
    const closed = await hosts.webhooks.call(CloseChangeRequest, {
      org_id: orgId,
      repository: place(),
      branch: BRANCH,
    });
    expect(closed).toMatchObject({ done: false, problem: "foreign_commit" });
    expect(code.branches.get(BRANCH)).toBe(theirs);
    expect(code.openRequests()).toHaveLength(1);
  });

  test("neither a protected branch nor the target is ever written", async () => {
    code.commit(BRANCH, {}, { message: "x" });
    code.protectedBranches.add(BRANCH);
    const main = code.branches.get("main");
    expect(await put({ "prod/main.tf": "a = 5\n" })).toEqual({ done: false, problem: "protected_branch" });
    expect(await put({ "prod/main.tf": "a = 5\n" }, { repository: place({ ref: BRANCH }) })).toMatchObject({
      problem: "protected_branch",
    });
    const refused = await put({ "prod/main.tf": "a = 5\n" }, { branch: "main" }).catch(
      (error: Error) => error.message,
    );
    expect(refused).toContain("branch");
    expect(code.branches.get("main")).toBe(main ?? "");
    expect(code.requests).toEqual([]);
  });

  test("files of an older commit are refused", async () => {
    const commit = code.branches.get("main") ?? "";
    code.commit("main", { "prod/main.tf": "a = 2\n" });
    expect(await put({ "prod/main.tf": "a = 5\n" }, { commit })).toEqual({ done: false, problem: "moved" });
    expect(code.branches.has(BRANCH)).toBe(false);
  });

  test("a branch that moves during the commit isn't overwritten", async () => {
    await put({ "prod/main.tf": "a = 5\n" });
    const moves = kind === "github" ? /PATCH .*refs/ : /POST .*repository\/commits/;
    host.fail(
      (_, usual) => {
        code.commit(BRANCH, { "prod/main.tf": "a = 6\n" });
        return usual();
      },
      moves,
      1,
    );
    expect(await put({ "prod/main.tf": "a = 7\n" })).toEqual({ done: false, problem: "moved" });
    expect(code.files(BRANCH)["prod/main.tf"]).toBe("a = 6\n");
  });

  test("a token without the right to push is named, and nothing is left", async () => {
    host.fail(status(403), /POST .*(repository\/commits|git\/(trees|refs))/);
    expect(await put({ "prod/main.tf": "a = 5\n" })).toEqual({ done: false, problem: "forbidden" });
    expect([...code.branches.keys()]).toEqual(["main"]);
    expect(code.requests).toEqual([]);
  });

  test("an attempt that died at any step is completed by the next, with one request", async () => {
    const died = status(500);
    for (const step of [/POST .*(repository\/commits|git\/refs)/, /POST .*(merge_requests|pulls)$/]) {
      host.fail(died, step, 1);
      expect(await put({ "prod/main.tf": "a = 5\n" })).toMatchObject({ problem: "unavailable" });
    }
    // its answer is lost, but it was opened
    host.fail(
      async (_, usual) => {
        await usual();
        return new Response(null, { status: 502 });
      },
      /POST .*(merge_requests|pulls)$/,
      1,
    );
    expect(await put({ "prod/main.tf": "a = 5\n" })).toMatchObject({ problem: "unavailable" });
    expect(await put({ "prod/main.tf": "a = 5\n" })).toMatchObject({ done: true, number: 1 });
    expect(code.compare("main", BRANCH).commits).toHaveLength(1);
    expect(code.requests).toHaveLength(1);
  });

  test("a request is closed with its branch, and closing again does nothing", async () => {
    await put({ "prod/main.tf": "a = 5\n" });
    const input = { org_id: orgId, repository: place(), branch: BRANCH };
    expect(await hosts.webhooks.call(CloseChangeRequest, input)).toMatchObject({ outcome: "closed" });
    expect(await hosts.webhooks.call(CloseChangeRequest, input)).toEqual({ done: true, outcome: "absent" });
    expect(code.openRequests()).toEqual([]);
    expect(code.branches.has(BRANCH)).toBe(false);
  });
});

test("an app reads code with the right to read alone", async () => {
  const { orgId } = await newOrg();
  github.code.set(PLANNER, createRepository(FILES));
  github.uninstall(PLANNER);
  github.install(PLANNER);
  github.recover();
  await readCode(hosts.webhooks.dependencies, {
    org_id: orgId,
    repository: { host: "github", path: PLANNER },
  });
  const asked = github.requests.find(({ path }) => path.endsWith("/access_tokens"));
  expect(JSON.parse(asked?.body ?? "").permissions).toEqual({ contents: "read", metadata: "read" });
});

test("an operator who lets any organization comment doesn't show it code that doesn't name it", async () => {
  const { orgId } = await newOrg();
  github.code.set(PLANNER, createRepository(FILES));
  github.recover();
  github.named.set(PLANNER, crypto.randomUUID());
  const repository = { host: "github", path: PLANNER, dir: "prod" };
  const read = () => hosts.webhooks.call(ReadCode, { org_id: orgId, repository });
  expect(await read()).toEqual({ done: false, problem: "organization_not_named" });
  github.named.set(PLANNER, `# ours\n${orgId}\n`);
  expect(await read()).toMatchObject({ done: true });
});
