import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { Submission } from "@leeway/shared/contracts/analyzer/jobs";
import { decode } from "@leeway/shared/values/decode";
import { strict } from "@leeway/shared/contracts/contract";
import type { JsonObject } from "@leeway/shared/values/json";

import { loadFlags, readArguments } from "../arguments.ts";
import { ANALYZE } from "./analyze.ts";
import { ABOUT_FLAGS } from "./flags.ts";
import { PIPELINES, pipelineValues } from "./pipeline.ts";
import { submissionOptions } from "./submission.ts";

const SHA = "8d5f3c2e9a1b4f6d7c8e9f0a1b2c3d4e5f6a7b8c";
const HEAD_SHA = "1111111111111111111111111111111111111111";

const GITLAB = {
  GITLAB_CI: "true",
  CI_SERVER_URL: "https://gitlab.example.com",
  CI_PROJECT_PATH: "acme/infra",
  CI_PROJECT_DIR: "/builds/acme/infra",
  CI_COMMIT_SHA: SHA,
  CI_COMMIT_REF_NAME: "bigger-database",
  CI_PIPELINE_URL: "https://gitlab.example.com/acme/infra/-/pipelines/7",
  PWD: "/builds/acme/infra",
};
const GITHUB = {
  GITHUB_ACTIONS: "true",
  GITHUB_SERVER_URL: "https://github.com",
  GITHUB_REPOSITORY: "acme/infra",
  GITHUB_WORKSPACE: "/home/runner/work/infra/infra",
  GITHUB_REF: "refs/heads/main",
  GITHUB_REF_NAME: "main",
  GITHUB_SHA: SHA,
  GITHUB_RUN_ID: "99",
  PWD: "/home/runner/work/infra/infra/envs/prod",
};
const PULL_EVENT: JsonObject = {
  pull_request: { number: 12, head: { sha: HEAD_SHA }, user: { login: "grace" } },
};

/** Returns the members submitted with the plan. */
function sent(env: Record<string, string | undefined>, event?: JsonObject, args: string[] = []): object {
  const about = loadFlags(ABOUT_FLAGS, readArguments(ANALYZE, args), env, pipelineValues(env, event));
  return submissionOptions(about, {
    failOn: undefined,
    riskProfile: undefined,
    narrative: true,
    comment: false,
  });
}

const PLAIN = { narrative: true, comment: false };

describe("the values sent with a plan", () => {
  test.each<[string, Record<string, string>, JsonObject | undefined, object]>([
    ["outside pipelines: none", { CI_COMMIT_SHA: SHA, HEAD_COMMIT: SHA }, undefined, {}],
    [
      "in a GitLab branch pipeline",
      { ...GITLAB, GITLAB_USER_LOGIN: "grace" },
      undefined,
      {
        repository: "acme/infra",
        ref: "bigger-database",
        commit_sha: SHA,
        author: "grace",
        project: { dir: "." },
        pipeline_url: "https://gitlab.example.com/acme/infra/-/pipelines/7",
      },
    ],
    [
      "in a GitLab merge request pipeline of a fork and a merged result",
      {
        ...GITLAB,
        CI_PROJECT_PATH: "somebody/infra",
        CI_MERGE_REQUEST_IID: "12",
        CI_MERGE_REQUEST_PROJECT_PATH: "acme/infra",
        CI_MERGE_REQUEST_PROJECT_URL: "https://gitlab.example.com/acme/infra",
        CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: "bigger-database",
        CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: HEAD_SHA,
        CI_COMMIT_REF_NAME: "refs/merge-requests/12/merge",
        TF_ROOT: "/builds/acme/infra/envs/prod/",
        TF_WORKSPACE: "prod",
      },
      undefined,
      {
        repository: "acme/infra",
        ref: "bigger-database",
        commit_sha: HEAD_SHA,
        change_request: { number: 12, url: "https://gitlab.example.com/acme/infra/-/merge_requests/12" },
        project: { dir: "envs/prod", workspace: "prod" },
      },
    ],
    [
      "in a GitLab branch pipeline with one open merge request",
      { ...GITLAB, CI_OPEN_MERGE_REQUESTS: "acme/infra!14" },
      undefined,
      { change_request: { number: 14, url: "https://gitlab.example.com/acme/infra/-/merge_requests/14" } },
    ],
    [
      "in a GitHub pull request workflow",
      {
        ...GITHUB,
        GITHUB_HEAD_REF: "bigger-database",
        GITHUB_REF: "refs/pull/12/merge",
        GITHUB_REF_NAME: "12/merge",
      },
      PULL_EVENT,
      {
        repository: "acme/infra",
        ref: "bigger-database",
        commit_sha: HEAD_SHA,
        author: "grace",
        change_request: { number: 12, url: "https://github.com/acme/infra/pull/12" },
        project: { dir: "envs/prod" },
        pipeline_url: "https://github.com/acme/infra/actions/runs/99",
      },
    ],
    [
      "in a GitHub pull request workflow without a readable event",
      { ...GITHUB, GITHUB_REF: "refs/pull/12/merge" },
      undefined,
      { change_request: { number: 12, url: "https://github.com/acme/infra/pull/12" }, commit_sha: SHA },
    ],
    [
      "in an Atlantis step",
      {
        ATLANTIS_TERRAFORM_VERSION: "1.9.0",
        ATLANTIS_TERRAFORM_DISTRIBUTION: "tofu",
        BASE_REPO_OWNER: "acme/platform",
        BASE_REPO_NAME: "infra",
        HEAD_BRANCH_NAME: "bigger-database",
        HEAD_COMMIT: SHA,
        PULL_AUTHOR: "grace",
        PULL_NUM: "12",
        PULL_URL: "https://gitlab.example.com/acme/platform/infra/-/merge_requests/12",
        PROJECT_NAME: "shop",
        REPO_REL_DIR: "infra/shop",
        WORKSPACE: "default",
        TF_WORKSPACE: "other",
      },
      undefined,
      {
        repository: "acme/platform/infra",
        ref: "bigger-database",
        commit_sha: SHA,
        author: "grace",
        tool: "opentofu",
        change_request: {
          number: 12,
          url: "https://gitlab.example.com/acme/platform/infra/-/merge_requests/12",
        },
        project: { name: "shop", dir: "infra/shop", workspace: "default" },
      },
    ],
  ])("%s", (_, env, event, known) => {
    expect(sent(env, event)).toMatchObject({ ...PLAIN, ...known });
  });

  test("in a GitHub comment workflow include the pull request, but not the default branch", () => {
    const pull = { url: "https://api.github.com/repos/acme/infra/pulls/12" };
    const known = sent(GITHUB, { issue: { number: 12, pull_request: pull }, comment: { body: "/plan" } });
    expect(known).toMatchObject({
      change_request: { number: 12, url: "https://github.com/acme/infra/pull/12" },
    });
    expect(known).not.toHaveProperty("ref");
    expect(known).not.toHaveProperty("commit_sha");
    expect(sent(GITHUB, { issue: { number: 12 } })).not.toHaveProperty("change_request");
  });

  const pushedTo = (branch: string, more: Record<string, string> = {}) => ({
    ...GITLAB,
    CI_PIPELINE_SOURCE: "push",
    CI_COMMIT_BRANCH: branch,
    CI_DEFAULT_BRANCH: "main",
    CI_COMMIT_REF_PROTECTED: "false",
    ...more,
  });
  const pushedAtGithub = (branch: string, more: Record<string, string> = {}) => ({
    ...GITHUB,
    GITHUB_EVENT_NAME: "push",
    GITHUB_REF_TYPE: "branch",
    GITHUB_REF_NAME: branch,
    GITHUB_REF_PROTECTED: "false",
    ...more,
  });
  const PUSH: JsonObject = { repository: { default_branch: "main" } };

  test.each<[string, Record<string, string>]>([
    ["at GitLab", pushedTo("bigger-database")],
    ["at GitLab, with several open merge requests", pushedTo("x", { CI_OPEN_MERGE_REQUESTS: "a/b!1,a/b!2" })],
    ["at GitHub", pushedAtGithub("bigger-database")],
    [
      "in a GitHub merge queue",
      { ...pushedAtGithub("gh-readonly-queue/main/pr-12-8d5f"), GITHUB_EVENT_NAME: "merge_group" },
    ],
  ])("a branch pushed %s, which isn't applied, has a speculative plan", (_, env) => {
    expect(sent(env, PUSH)).toMatchObject({ speculative: true });
  });

  test.each<[string, Record<string, string>, JsonObject | undefined]>([
    ["the default branch at GitLab", pushedTo("main"), undefined],
    ["a protected branch at GitLab", pushedTo("production", { CI_COMMIT_REF_PROTECTED: "true" }), undefined],
    [
      "a branch with an environment at GitLab",
      pushedTo("staging", { CI_ENVIRONMENT_NAME: "staging" }),
      undefined,
    ],
    ["a schedule at GitLab", pushedTo("production", { CI_PIPELINE_SOURCE: "schedule" }), undefined],
    ["a tag at GitLab", pushedTo("", { CI_COMMIT_TAG: "v1" }), undefined],
    ["a merge request at GitLab", pushedTo("x", { CI_PIPELINE_SOURCE: "merge_request_event" }), undefined],
    ["the default branch at GitHub", pushedAtGithub("main"), PUSH],
    ["a protected branch at GitHub", pushedAtGithub("production", { GITHUB_REF_PROTECTED: "true" }), PUSH],
    ["a schedule at GitHub", pushedAtGithub("main", { GITHUB_EVENT_NAME: "schedule" }), PUSH],
    ["a manual run at GitHub", pushedAtGithub("x", { GITHUB_EVENT_NAME: "workflow_dispatch" }), PUSH],
    ["a tag at GitHub", pushedAtGithub("v1", { GITHUB_REF_TYPE: "tag" }), PUSH],
    ["a push at GitHub without a readable event", pushedAtGithub("x"), undefined],
  ])("%s has no speculative plan by default", (_, env, event) => {
    expect(sent(env, event)).not.toHaveProperty("speculative");
  });

  test("--speculative sets it when the pipeline can't detect it", () => {
    expect(sent({}, undefined, ["--speculative", "yes"])).toEqual({ ...PLAIN, speculative: true });
    expect(sent(pushedTo("staging"), undefined, ["--speculative", "no"])).not.toHaveProperty("speculative");
  });

  test("several open merge requests give no change request", () => {
    expect(sent({ ...GITLAB, CI_OPEN_MERGE_REQUESTS: "acme/infra!14,acme/infra!15" })).not.toHaveProperty(
      "change_request",
    );
  });

  test("a directory outside the repository gives no project", () => {
    expect(sent({ ...GITLAB, PWD: "/tmp" })).not.toHaveProperty("project");
    expect(sent({ ...GITLAB, PWD: "/builds/acme/infra-too" })).not.toHaveProperty("project");
  });

  test("an Atlantis run without a pull request has number 0", () => {
    expect(sent({ ATLANTIS_TERRAFORM_VERSION: "1.9.0", PULL_NUM: "0" })).toEqual(PLAIN);
  });
});

const VARIABLES = [
  ...new Set(
    PIPELINES.flatMap(({ says }) =>
      Object.values(says).flatMap((texts) => texts.join(" ").match(/[A-Z_]{3,}/g) ?? []),
    ),
  ),
  "CI_PROJECT_DIR",
  "GITHUB_WORKSPACE",
];
const odd = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("", "0", "-1", "1e9", "99999999999999999999", "..", "/", "/a", "/a/b", "refs/pull/0/merge"),
  fc.constantFrom(
    SHA,
    SHA.toUpperCase(),
    "a!1",
    "a!1,b!2",
    "!!",
    "https://u:p@x",
    "$CI_COMMIT_SHA",
    "x".repeat(1001),
  ),
);

describe("for any pipeline environment", () => {
  const environment = fc
    .record(Object.fromEntries(VARIABLES.map((name) => [name, fc.option(odd, { nil: undefined })])))
    .map((env): Record<string, string | undefined> => ({ ...env, TF_WORKSPACE: undefined }));
  const mark = fc.constantFrom(...PIPELINES.map(({ mark }) => mark));

  test("the request is valid for Leeway", () => {
    const taken = strict(Submission);
    fc.assert(
      fc.property(environment, mark, fc.jsonValue(), (env, mark, number) => {
        const event = JSON.parse(JSON.stringify({ pull_request: { number, head: { sha: number } } }));
        const known = sent({ ...env, [mark]: "x" }, event);
        expect(() => decode(taken, { ...known, plan: {} })).not.toThrow();
      }),
    );
  });

  test("flags take precedence", () => {
    fc.assert(
      fc.property(environment, mark, (env, mark) => {
        const given = readArguments(ANALYZE, ["--repository", "a/b", "--pull-number", "0", "--ref", ""]);
        const about = loadFlags(ABOUT_FLAGS, given, env, pipelineValues({ ...env, [mark]: "x" }));
        expect(about).toMatchObject({ "--repository": "a/b", "--pull-number": 0, "--ref": undefined });
      }),
    );
  });
});
