import { Failure, type Outcome } from "../failure.ts";

/** What to check when Leeway refuses a body, by its status. */
const REFUSALS: Readonly<Record<number, readonly [Outcome, string]>> = {
  401: [
    "unauthorized",
    "check that LEEWAY_WEBHOOK_SECRET is the whole whsec_… text of an enabled planner webhook, and that " +
      "LEEWAY_WEBHOOK_URL ends with the id of its organization",
  ],
  403: [
    "repository_mismatch",
    "check that repo_path of the webhook is the repository that was planned, letter by letter",
  ],
  404: ["not_found", "check that LEEWAY_WEBHOOK_URL is {base}/webhooks/planner/<org_id>"],
  413: ["body_refused", "check whether a proxy takes less than 5 MB, and lower --max-bytes to what it takes"],
};

/** Why a status that isn't worth another try was given, as the end of the command. */
export function refusalOf(status: number, bytes: number): Failure {
  const [outcome, advice] = REFUSALS[status] ?? ["refused", adviceFor(status)];
  return new Failure(outcome, `Leeway refuses the plan of ${bytes} bytes (${status}): ${advice}`);
}

function adviceFor(status: number): string {
  if (status < 300 || status >= 400)
    return "check that LEEWAY_WEBHOOK_URL leads to Leeway and to nothing else";
  return "redirects are not followed; check LEEWAY_WEBHOOK_URL, its https:// above all";
}
