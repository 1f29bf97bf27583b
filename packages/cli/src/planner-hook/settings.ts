import { loadFlags, type Environment, type Given, type Syntax } from "../arguments.ts";
import { Failure, OUTCOMES } from "../failure.ts";
import { requireTls } from "../url.ts";
import type { About } from "./event.ts";
import { DELIVERY_FLAGS, PLAN_FLAGS, SECRET_FLAG, SECRET_VARIABLE, SWITCHES } from "./flags.ts";
import type { Delivery } from "./post.ts";

export interface PlanSettings {
  planFile: string | undefined;
  about: About;
  maxBytes: number;
}

export const SYNTAX: Syntax = {
  command: "planner-hook",
  about:
    "Sends a plan to Leeway from a planner's workflow step: signed, without secrets, and only what the analysis needs.",
  flags: { ...PLAN_FLAGS, ...DELIVERY_FLAGS, ...SECRET_FLAG },
  switches: SWITCHES,
  exits: Object.values(OUTCOMES),
};

/**
 * Reads the plan's settings.
 * @throws {Failure} `usage`, which lists everything that is wrong with them
 */
export function planSettings(given: Given, env: Environment): PlanSettings {
  const values = loadFlags(PLAN_FLAGS, given, env);
  return {
    planFile: values["--plan"],
    about: {
      repository: values["--repository"],
      changeRequest: {
        number: values["--pull-number"],
        url: values["--pull-url"],
        head_branch: values["--head-branch"],
        base_branch: values["--base-branch"],
      },
      commitSha: values["--commit"],
      author: values["--author"],
      project: { name: values["--project"], dir: values["--dir"], workspace: values["--workspace"] },
      status: values["--status"],
      tool: values["--tool"],
      planner: { name: values["--planner-name"] ?? plannerOf(env), version: values["--planner-version"] },
    },
    maxBytes: values["--max-bytes"],
  };
}

/**
 * Reads the webhook's URL and secret.
 * @throws {Failure} `usage`, which lists everything that is wrong with them and quotes neither. With `--soft` a
 * missing secret is `unauthorized`, because pipelines of forks get none.
 */
export function deliverySettings(given: Given, env: Environment): Delivery {
  if (given.isOn("--soft") && !env[SECRET_VARIABLE]) {
    const problem = `${SECRET_VARIABLE} isn't set; pipelines of forks and of Dependabot get no secrets`;
    throw new Failure("unauthorized", problem);
  }
  const values = loadFlags({ ...DELIVERY_FLAGS, ...SECRET_FLAG }, given, env);
  if (!given.isOn("--allow-http")) requireTls(values["--url"]);
  return {
    url: values["--url"],
    secret: values[SECRET_VARIABLE],
    tries: values["--tries"],
    maxSeconds: values["--max-seconds"],
  };
}

/** Detects the planner: only Atlantis sets this variable. */
function plannerOf(env: Environment): string | undefined {
  return env["ATLANTIS_TERRAFORM_VERSION"] ? "atlantis" : undefined;
}
