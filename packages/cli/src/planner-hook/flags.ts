import { integer, optional, text, variable } from "@leeway/shared/platform/config";

import { choice, flag } from "../arguments.ts";
import { parseTool, TOOLS } from "../plan/tool.ts";
import { parseUrl } from "../url.ts";

/** 5 MB in decimal, which is below Leeway's binary limit. */
const DEFAULT_MAX_BYTES = 5_000_000;
const MAX_BYTES = 5_242_880;

const STATUSES = ["success", "failure"] as const;

/** Flags for the plan and its origin. */
export const PLAN_FLAGS = {
  "--plan": flag("FILE", optional("file with the plan as JSON; - is standard input"), "SHOWFILE"),
  "--status": flag("STATUS", choice("success, or failure without a plan", STATUSES, "success")),
  "--repository": flag(
    "PATH",
    text("repository with its owner or group, as the code host spells it"),
    "BASE_REPO_OWNER",
    "BASE_REPO_NAME",
  ),
  "--project": flag("NAME", optional("name of the project"), "PROJECT_NAME"),
  "--dir": flag("DIR", text("directory of the project in the repository", "."), "REPO_REL_DIR"),
  "--workspace": flag("NAME", optional("workspace"), "WORKSPACE"),
  "--pull-number": flag("NUMBER", integer("number of the pull or merge request; 0 is none", 0), "PULL_NUM"),
  "--pull-url": flag("URL", optional("address of the pull or merge request"), "PULL_URL"),
  "--head-branch": flag("BRANCH", optional("its branch"), "HEAD_BRANCH_NAME"),
  "--base-branch": flag("BRANCH", optional("its target branch"), "BASE_BRANCH_NAME"),
  "--commit": flag("SHA", optional("planned commit"), "HEAD_COMMIT"),
  "--author": flag("NAME", optional("author of the pull or merge request"), "PULL_AUTHOR"),
  "--tool": flag(
    "TOOL",
    variable(`tool that planned: ${TOOLS.join(", ")}`, parseTool, "terraform"),
    "ATLANTIS_TERRAFORM_DISTRIBUTION",
  ),
  "--planner-name": flag("NAME", optional("name of the planner; Atlantis is recognised")),
  "--planner-version": flag("VERSION", optional("version of the planner")),
  "--max-bytes": flag(
    "BYTES",
    integer("limit of the body; a larger plan is pruned", DEFAULT_MAX_BYTES, 1000, MAX_BYTES),
  ),
};

/** Flags for the webhook and the retry limits. */
export const DELIVERY_FLAGS = {
  "--url": flag("URL", variable("{base}/webhooks/planner/<org_id>", parseUrl), "LEEWAY_WEBHOOK_URL"),
  "--tries": flag("COUNT", integer("number of tries", 5, 1, 100)),
  "--max-seconds": flag("SECONDS", integer("time limit for all tries", 30, 1, 3600)),
};

/** The only setting without a flag, because other users of the machine can see arguments. */
export const SECRET_VARIABLE = "LEEWAY_WEBHOOK_SECRET";
export const SECRET_FLAG = {
  [SECRET_VARIABLE]: flag("", variable("the webhook's complete secret", parseSecret), SECRET_VARIABLE),
};

export const SWITCHES = {
  "--soft":
    "exit with 0 even if the plan can't be sent or the secret is missing; wrong usage still exits with 64",
  "--dry-run": "print the body instead of sending it",
  "--allow-http": "allow --url to be plain http:// on another machine",
};

function parseSecret(raw: string): string {
  if (!/^whsec_[\w+/=]+$/.test(raw))
    throw new Error("must be the complete secret (whsec_…) and nothing else");
  return raw;
}
