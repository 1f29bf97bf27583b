import { choice, integer, optional, text, variable } from "@leeway/shared/config";

import { flag } from "../arguments.ts";
import { parseTool, TOOLS } from "../plan/tool.ts";
import { parseUrl } from "../url.ts";

/** 5 MB in either reading, below the 5,242,880 bytes that Leeway takes. */
const DEFAULT_MAX_BYTES = 5_000_000;
const MOST_BYTES = 5_242_880;

const STATUSES = ["success", "failure"] as const;

/** What a plan is of, and where it is. */
export const PLAN_FLAGS = {
  "--plan": flag("FILE", optional("the plan as JSON; - reads standard input"), "SHOWFILE"),
  "--status": flag(
    "STATUS",
    choice("success, or failure where there is no plan to send", STATUSES, "success"),
  ),
  "--repository": flag(
    "PATH",
    text("the repository with its owner or group, as the code host writes it"),
    "BASE_REPO_OWNER",
    "BASE_REPO_NAME",
  ),
  "--project": flag("NAME", optional("the project's name"), "PROJECT_NAME"),
  "--dir": flag("DIR", text("the project's directory in the repository", "."), "REPO_REL_DIR"),
  "--workspace": flag("NAME", optional("the workspace"), "WORKSPACE"),
  "--pull-number": flag("NUMBER", integer("the pull or merge request; 0 is none", 0), "PULL_NUM"),
  "--pull-url": flag("URL", optional("its address"), "PULL_URL"),
  "--head-branch": flag("BRANCH", optional("the branch that it merges"), "HEAD_BRANCH_NAME"),
  "--base-branch": flag("BRANCH", optional("the branch that it merges into"), "BASE_BRANCH_NAME"),
  "--commit": flag("SHA", optional("the commit that was planned"), "HEAD_COMMIT"),
  "--tool": flag(
    "TOOL",
    variable(`what planned: ${TOOLS.join(", ")}`, parseTool, "terraform"),
    "ATLANTIS_TERRAFORM_DISTRIBUTION",
  ),
  "--planner-name": flag("NAME", optional("what ran it; Atlantis is recognised")),
  "--planner-version": flag("VERSION", optional("and of which version")),
  "--max-bytes": flag(
    "BYTES",
    integer("prunes the plan until the body is no larger", DEFAULT_MAX_BYTES, 1000, MOST_BYTES),
  ),
};

/** Where it goes, and how often that is tried. */
export const DELIVERY_FLAGS = {
  "--url": flag("URL", variable("{base}/webhooks/planner/<org_id>", parseUrl), "LEEWAY_WEBHOOK_URL"),
  "--tries": flag("COUNT", integer("how often to try", 5, 1, 100)),
  "--max-seconds": flag("SECONDS", integer("how long to try in all, waiting included", 30, 1, 3600)),
};

/** The one setting without a flag: arguments can be seen by everybody on the machine. */
export const SECRET_VARIABLE = "LEEWAY_WEBHOOK_SECRET";
export const SECRET_FLAG = {
  [SECRET_VARIABLE]: flag("", variable("the webhook's secret, all of it", parseSecret), SECRET_VARIABLE),
};

export const SWITCHES = {
  "--soft":
    "ends with 0 whatever became of the plan, so that a planner goes on, and where no secret is; wrong usage still ends with 2",
  "--dry-run": "prints the body that would be sent, and sends nothing",
  "--allow-http": "lets --url be plain http:// of another machine",
};

function parseSecret(raw: string): string {
  if (!/^whsec_[\w+/=]+$/.test(raw))
    throw new Error("must be the whole secret, which starts with whsec_, and nothing else");
  return raw;
}
