import { Failure, type Outcome } from "../failure.ts";
import { mebibytes } from "../words.ts";

/** Advice after a rejection, by status. */
const REFUSALS: Readonly<Record<number, readonly [Outcome, string]>> = {
  401: [
    "unauthorized",
    "check that LEEWAY_WEBHOOK_SECRET is the complete whsec_… secret of an enabled planner webhook, and that " +
      "LEEWAY_WEBHOOK_URL ends with the id of its organization",
  ],
  403: [
    "repository_mismatch",
    "check that repo_path of the webhook equals the planned repository, including upper and lower case",
  ],
  404: ["not_found", "check that LEEWAY_WEBHOOK_URL is {base}/webhooks/planner/<org_id>"],
  413: ["body_refused", "lower --max-bytes to the limit of the proxy in front of Leeway"],
};

/** Builds the failure for a status that a retry doesn't change. */
export function refusalOf(status: number, bytes: number): Failure {
  const [outcome, advice] = REFUSALS[status] ?? ["refused", adviceFor(status)];
  return new Failure(outcome, `Leeway rejected the plan of ${mebibytes(bytes)} (${status}): ${advice}`);
}

function adviceFor(status: number): string {
  if (status < 300 || status >= 400) return "check that LEEWAY_WEBHOOK_URL is a Leeway server";
  return "redirects aren't followed; check LEEWAY_WEBHOOK_URL, especially https://";
}
