import { readFile } from "node:fs/promises";
import { posix } from "node:path";

import { isObject, member, text, type JsonObject } from "@leeway/shared/values/json";

import type { Environment, Flags } from "../arguments.ts";
import { parseJson } from "../http.ts";
import { ABOUT_FLAGS } from "./flags.ts";

type AboutFlag = keyof typeof ABOUT_FLAGS;

/** A CI system, with templates of its variables by flag: the first template whose variables are all set is used. */
interface Pipeline {
  name: string;
  /** Variable that only this system sets. */
  mark: string;
  says: Partial<Record<AboutFlag, readonly string[]>>;
}

/** Systems in search order, because Atlantis may itself run in a pipeline. */
export const PIPELINES: readonly Pipeline[] = [
  {
    name: "Atlantis",
    mark: "ATLANTIS_TERRAFORM_VERSION",
    says: {
      "--repository": ["$BASE_REPO_OWNER/$BASE_REPO_NAME"],
      "--ref": ["$HEAD_BRANCH_NAME"],
      "--commit": ["$HEAD_COMMIT"],
      "--author": ["$PULL_AUTHOR"],
      "--pull-number": ["$PULL_NUM"],
      "--pull-url": ["$PULL_URL"],
      "--project": ["$PROJECT_NAME"],
      "--dir": ["$REPO_REL_DIR"],
      "--workspace": ["$WORKSPACE"],
      "--tool": ["$ATLANTIS_TERRAFORM_DISTRIBUTION"],
    },
  },
  {
    name: "GitLab CI",
    mark: "GITLAB_CI",
    says: {
      "--repository": ["$CI_MERGE_REQUEST_PROJECT_PATH", "$CI_OPEN_MERGE_REQUESTS.path", "$CI_PROJECT_PATH"],
      "--ref": ["$CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "$CI_COMMIT_REF_NAME"],
      "--commit": ["$CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", "$CI_COMMIT_SHA"],
      "--author": ["$GITLAB_USER_LOGIN"],
      "--pull-number": ["$CI_MERGE_REQUEST_IID", "$CI_OPEN_MERGE_REQUESTS.iid"],
      "--pull-url": [
        "$CI_MERGE_REQUEST_PROJECT_URL/-/merge_requests/$CI_MERGE_REQUEST_IID",
        "$CI_SERVER_URL/$CI_OPEN_MERGE_REQUESTS.path/-/merge_requests/$CI_OPEN_MERGE_REQUESTS.iid",
      ],
      "--speculative": ["$CI_COMMIT_BRANCH.speculative"],
      "--dir": ["$TF_ROOT.dir", "$PWD.dir"],
      "--pipeline-url": ["$CI_PIPELINE_URL"],
    },
  },
  {
    name: "GitHub Actions",
    mark: "GITHUB_ACTIONS",
    says: {
      "--repository": ["$GITHUB_REPOSITORY"],
      "--ref": ["$GITHUB_HEAD_REF", "$GITHUB_REF_NAME"],
      "--commit": ["$GITHUB_EVENT_PATH.sha", "$GITHUB_SHA"],
      "--author": ["$GITHUB_EVENT_PATH.author", "$GITHUB_ACTOR"],
      "--pull-number": ["$GITHUB_EVENT_PATH.number", "$GITHUB_REF.number"],
      "--pull-url": [
        "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/pull/$GITHUB_EVENT_PATH.number",
        "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/pull/$GITHUB_REF.number",
      ],
      "--speculative": ["$GITHUB_REF.speculative"],
      "--dir": ["$PWD.dir"],
      "--pipeline-url": ["$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID"],
    },
  },
];

/**
 * Returns the values of the current pipeline, by flag. `event` is the content of `GITHUB_EVENT_PATH`. Values that a
 * flag would reject are dropped.
 */
export function pipelineValues(env: Environment, event?: JsonObject): Environment {
  const pipeline = PIPELINES.find(({ mark }) => env[mark]);
  if (!pipeline) return {};
  const known = { ...env, ...derived(env, event) };
  return Object.fromEntries(
    Object.entries(pipeline.says).map(([flag, texts]) => [
      flag,
      texts.map((text) => filled(text, known)).find((value) => value !== undefined && passes(flag, value)),
    ]),
  );
}

/** Reads the GitHub event that triggered the pipeline. */
export async function eventOf({ GITHUB_EVENT_PATH: file }: Environment): Promise<JsonObject | undefined> {
  const event = file && parseJson(await readFile(file, "utf8").catch(() => ""));
  return isObject(event) ? event : undefined;
}

/** Returns derived values: directories relative to the repository's root, and numbers from refs. */
function derived(env: Environment, event: JsonObject | undefined): Environment {
  const [open] = openMergeRequests(env["CI_OPEN_MERGE_REQUESTS"]);
  const root = env["CI_PROJECT_DIR"] || env["GITHUB_WORKSPACE"];
  return {
    "CI_OPEN_MERGE_REQUESTS.path": open?.path,
    "CI_OPEN_MERGE_REQUESTS.iid": open?.iid,
    "GITHUB_REF.number": /^refs\/pull\/(\d+)\//.exec(env["GITHUB_REF"] ?? "")?.[1],
    "CI_COMMIT_BRANCH.speculative": isSpeculativeAtGitlab(env) ? "yes" : undefined,
    "GITHUB_REF.speculative": isSpeculativeAtGithub(env, event) ? "yes" : undefined,
    "TF_ROOT.dir": within(root, env["TF_ROOT"]),
    "PWD.dir": within(root, env["PWD"]),
    ...pullIn(event),
  };
}

/**
 * Returns the pull request of GitHub's event. A workflow triggered by a comment runs on the default branch, even if
 * it plans another.
 */
function pullIn(event: JsonObject | undefined): Environment {
  const [pull, issue] = [member(event, "pull_request"), member(event, "issue")];
  if (!pull && member(issue, "pull_request")) {
    const number = textOf(issue?.["number"]);
    const author = text(member(issue, "user"), "login");
    return {
      "GITHUB_EVENT_PATH.number": number,
      "GITHUB_EVENT_PATH.author": author,
      GITHUB_REF_NAME: undefined,
      GITHUB_SHA: undefined,
    };
  }
  return {
    "GITHUB_EVENT_PATH.number": textOf(pull?.["number"]),
    "GITHUB_EVENT_PATH.sha": textOf(member(pull, "head")?.["sha"]),
    "GITHUB_EVENT_PATH.author": text(member(pull, "user"), "login"),
  };
}

/**
 * Returns whether the variables show a push to a branch from which nothing is applied. Default, protected and
 * environment branches are applied. Schedules, tags and manual runs count as applied, too.
 */
function isSpeculativeAtGitlab(env: Environment): boolean {
  const { CI_PIPELINE_SOURCE: source, CI_COMMIT_BRANCH: branch, CI_DEFAULT_BRANCH: main } = env;
  const isElsewhere = Boolean(branch) && Boolean(main) && branch !== main;
  const isApplied = env["CI_COMMIT_REF_PROTECTED"] !== "false" || Boolean(env["CI_ENVIRONMENT_NAME"]);
  return source === "push" && isElsewhere && !isApplied;
}

/** Applies the same rule to GitHub; changes in a merge queue aren't merged yet. */
function isSpeculativeAtGithub(env: Environment, event: JsonObject | undefined): boolean {
  const { GITHUB_EVENT_NAME: name, GITHUB_REF_TYPE: type, GITHUB_REF_NAME: branch } = env;
  const main = text(member(event, "repository"), "default_branch");
  const isElsewhere = type === "branch" && Boolean(main) && branch !== main;
  return (
    name === "merge_group" || (name === "push" && isElsewhere && env["GITHUB_REF_PROTECTED"] === "false")
  );
}

/** Parses the merge request of a branch from `group/project!12,…`; none if there are several. */
function openMergeRequests(list = ""): { path: string; iid: string }[] {
  const all = [...list.matchAll(/([^,!]+)!(\d+)/g)].map(([, path = "", iid = ""]) => ({ path, iid }));
  return all.length === 1 ? all : [];
}

function within(root: string | undefined, dir: string | undefined): string | undefined {
  if (!root || !dir) return undefined;
  const path = posix.relative(root, posix.resolve(root, dir)) || ".";
  return path === ".." || path.startsWith("../") ? undefined : path;
}

function filled(text: string, known: Environment): string | undefined {
  let isWhole = true;
  const value = text.replaceAll(/\$(\w+(?:\.\w+)?)/g, (_, name: string) => {
    isWhole &&= Boolean(known[name]);
    return known[name] ?? "";
  });
  return isWhole ? value : undefined;
}

function passes(flag: string, value: string): boolean {
  try {
    const flags: Flags = ABOUT_FLAGS;
    flags[flag]?.reads.parse(value);
    return true;
  } catch {
    return false;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
