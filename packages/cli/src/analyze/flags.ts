import type { FailOn, RiskProfile } from "@leeway/shared/contracts/analyzer/analysis";
import { integer, optional, variable, type Variable } from "@leeway/shared/platform/config";

import { flag, formed, maybe, maybeOneOf } from "../arguments.ts";
import { apiFlags, API_SWITCHES } from "../api/flags.ts";
import { parseTool, TOOLS } from "../plan/tool.ts";
import { FORMATS, parseFormat } from "./formats.ts";

export const FAIL_ON: readonly FailOn[] = ["critical", "high", "medium", "low", "never"];
export const PROFILES: readonly RiskProfile[] = ["standard", "lenient"];
export const MIN_RISK = ["critical", "high", "medium", "low"] as const;
const YES_OR_NO = ["yes", "no"] as const;
const LONGEST_NAME = 1000;
const URL_FORM = /^https?:\/\/[^/?#@]+(?:[/?#]|$)/;

/** Flags for the origin of a plan. Pipelines set them automatically; values that a flag would reject are dropped. */
export const ABOUT_FLAGS = {
  "--repository": flag("PATH", name("repository with its owner or group")),
  "--ref": flag("REF", name("planned branch or tag")),
  "--commit": flag(
    "SHA",
    formed("planned commit", (raw) => /^[0-9a-f]{7,64}$/.test(raw), "be a commit's SHA"),
  ),
  "--author": flag("NAME", name("author of the pull or merge request, or who pushed")),
  "--pull-number": flag("NUMBER", integer("number of the pull or merge request; 0 is none", 0)),
  "--pull-url": flag("URL", address("address of the pull or merge request")),
  "--speculative": flag(
    "YES/NO",
    maybeOneOf("yes if this branch is never applied, so its plan isn't compared with accounts", YES_OR_NO),
  ),
  "--project": flag("NAME", name("name of the project")),
  "--dir": flag("DIR", name("directory of the project in the repository")),
  "--workspace": flag("NAME", name("workspace"), "TF_WORKSPACE"),
  "--pipeline-url": flag("URL", address("address of the pipeline")),
  "--tool": flag("TOOL", maybe(`tool that planned: ${TOOLS.join(", ")}`, parseTool)),
};

/** Flags for judging the plan and writing the reports. */
export const REPORT_FLAGS = {
  "--fail-on": flag("LEVEL", maybeOneOf("exit with 2 at this risk or above", FAIL_ON)),
  "--risk-profile": flag(
    "PROFILE",
    maybeOneOf("profile for this plan instead of the organization's", PROFILES),
  ),
  "--format": flag("FORMAT", variable(`format of the output: ${FORMATS.join(", ")}`, parseFormat, "table")),
  "--min-risk": flag("LEVEL", maybeOneOf("omit findings below this level from tables", MIN_RISK)),
  "--output": flag("FILE", optional("write the output to this file")),
  "--report": flag("FORMAT=FILE", optional("also write a report to this file; repeatable")),
};

export const RULES_FLAG = {
  "--rules": flag(
    "FILE",
    optional("YAML file of rules that hide, raise or label findings; only with --local"),
  ),
};

export const API_FLAGS = apiFlags(600);

export const SWITCHES = {
  "--local": "analyze on this machine, without a server, a model or an organization's muted noise",
  "--no-narrative": "don't ask a model for an explanation; doesn't count against the quota",
  "--fallback": "continue without a model's explanation if the quota denies it, instead of exiting with 1",
  "--comment": "post the findings as a comment on the pull or merge request",
  "--detailed-exitcode": "exit with 3 instead of 0 if applying the plan would change something",
  ...API_SWITCHES,
};

function name(describe: string): Variable<string | undefined> {
  return formed(
    describe,
    (raw) => raw.length <= LONGEST_NAME,
    `be no longer than ${LONGEST_NAME} characters`,
  );
}

function address(describe: string): Variable<string | undefined> {
  return formed(describe, isAddress, "be an http:// or https:// address");
}

function isAddress(raw: string): boolean {
  return raw.length <= LONGEST_NAME && URL_FORM.test(raw);
}
