import { posix } from "node:path";

import { member, text, type JsonObject } from "@leeway/shared/json";

import type { Environment, Flags } from "../arguments.ts";
import { ABOUT_FLAGS } from "./flags.ts";

type AboutFlag = keyof typeof ABOUT_FLAGS;

/** What runs pipelines, and how its variables say what flags say: the first text whose variables are all there. */
interface Pipeline {
  name: string;
  /** The variable that it alone sets. */
  mark: string;
  says: Partial<Record<AboutFlag, readonly string[]>>;
}

/** In the order in which they are looked for: Atlantis may itself run in a pipeline. */
export const PIPELINES: readonly Pipeline[] = [
  {
    name: "Atlantis",
    mark: "ATLANTIS_TERRAFORM_VERSION",
    says: {
      "--repository": ["$BASE_REPO_OWNER/$BASE_REPO_NAME"],
      "--ref": ["$HEAD_BRANCH_NAME"],
      "--commit": ["$HEAD_COMMIT"],
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
 * What the pipeline that this runs in says of a plan, by the flags of the same meaning. `event` is what GitHub
 * has in the file of `GITHUB_EVENT_PATH`. What wouldn't pass as a flag's value is left out.
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

/** What variables come to: directories as seen from the repository's root, numbers within references. */
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

/** The pull request of GitHub's event. A comment's workflow runs for the default branch, whatever it plans. */
function pullIn(event: JsonObject | undefined): Environment {
  const [pull, issue] = [member(event, "pull_request"), member(event, "issue")];
  if (!pull && member(issue, "pull_request")) {
    const number = textOf(issue?.["number"]);
    return { "GITHUB_EVENT_PATH.number": number, GITHUB_REF_NAME: undefined, GITHUB_SHA: undefined };
  }
  return {
    "GITHUB_EVENT_PATH.number": textOf(pull?.["number"]),
    "GITHUB_EVENT_PATH.sha": textOf(member(pull, "head")?.["sha"]),
  };
}

/**
 * Whether a branch was pushed from which, as far as can be told, nothing is applied. Those that something is applied
 * from are the default one, protected, or an environment's; schedules, tags and runs that somebody begins are for
 * what runs.
 */
function isSpeculativeAtGitlab(env: Environment): boolean {
  const { CI_PIPELINE_SOURCE: source, CI_COMMIT_BRANCH: branch, CI_DEFAULT_BRANCH: main } = env;
  const isElsewhere = Boolean(branch) && Boolean(main) && branch !== main;
  const isApplied = env["CI_COMMIT_REF_PROTECTED"] !== "false" || Boolean(env["CI_ENVIRONMENT_NAME"]);
  return source === "push" && isElsewhere && !isApplied;
}

/** As at GitLab; what waits in a merge queue isn't merged yet. */
function isSpeculativeAtGithub(env: Environment, event: JsonObject | undefined): boolean {
  const { GITHUB_EVENT_NAME: name, GITHUB_REF_TYPE: type, GITHUB_REF_NAME: branch } = env;
  const main = text(member(event, "repository"), "default_branch");
  const isElsewhere = type === "branch" && Boolean(main) && branch !== main;
  return (
    name === "merge_group" || (name === "push" && isElsewhere && env["GITHUB_REF_PROTECTED"] === "false")
  );
}

/** A branch's merge requests, `group/project!12,…`; none when there are several, since nothing tells which is meant. */
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
