import type { FailOn } from "@leeway/shared/contracts/analyzer/analysis";
import { integer, optional, variable, type Variable } from "@leeway/shared/config";

import { flag, formed, maybe, maybeOneOf } from "../arguments.ts";
import { apiFlags, API_SWITCHES } from "../api/flags.ts";
import { parseTool, TOOLS } from "../plan/tool.ts";
import { FORMATS, parseFormat } from "./formats.ts";

const FAIL_ON: readonly FailOn[] = ["critical", "high", "medium", "low", "never"];
const YES_OR_NO = ["yes", "no"] as const;
const LONGEST_NAME = 1000;
const URL_FORM = /^https?:\/\/[^/?#@]+(?:[/?#]|$)/;

/** What a plan is of. Pipelines say it by themselves; what they say in another form is left out. */
export const ABOUT_FLAGS = {
  "--repository": flag("PATH", name("the repository with its owner or group")),
  "--ref": flag("REF", name("the branch or tag that was planned")),
  "--commit": flag(
    "SHA",
    formed("the commit that was planned", (raw) => /^[0-9a-f]{7,64}$/.test(raw), "be a commit's SHA"),
  ),
  "--pull-number": flag("NUMBER", integer("the pull or merge request; 0 is none", 0)),
  "--pull-url": flag("URL", address("its address")),
  "--speculative": flag(
    "YES/NO",
    maybeOneOf(
      "whether nobody applies what it was made of, so that it tells nothing of an account",
      YES_OR_NO,
    ),
  ),
  "--project": flag("NAME", name("the project's name")),
  "--dir": flag("DIR", name("the project's directory in the repository")),
  "--workspace": flag("NAME", name("the workspace"), "TF_WORKSPACE"),
  "--pipeline-url": flag("URL", address("the pipeline's address")),
  "--tool": flag("TOOL", maybe(`what planned: ${TOOLS.join(", ")}`, parseTool)),
};

/** What is wanted of the analysis, and where it goes. */
export const WISH_FLAGS = {
  "--fail-on": flag("LEVEL", maybeOneOf("ends with 2 from this risk on", FAIL_ON)),
  "--format": flag("FORMAT", variable(`how it is printed: ${FORMATS.join(", ")}`, parseFormat, "table")),
  "--output": flag("FILE", optional("writes it there instead of the standard output")),
  "--report": flag("FORMAT=FILE", optional("writes a report besides; may be given several times")),
};

export const API_FLAGS = apiFlags(600);

export const SWITCHES = {
  "--no-narrative": "asks no model for words: takes no slot of the plan's quota",
  "--fallback": "goes on without a model's words when the quota denies them, instead of ending with 1",
  "--comment": "has the findings written as a comment on the pull or merge request",
  "--detailed-exitcode": "ends with 3 instead of 0 when applying the plan would change something",
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
