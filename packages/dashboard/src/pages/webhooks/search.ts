import { given, oneOf, textOf } from "../search.ts";

export const OUTCOMES = ["pending", "processed", "ignored", "failed"] as const;
const SOURCES = ["vcs", "planner"] as const;

/** The source that the wizard makes a webhook for, and the webhook once it is made. */
export function newWebhookSearch(search: Record<string, unknown>) {
  return given({ source: oneOf(SOURCES, search["source"]), made: textOf(search["made"]) });
}

/** The filters of a webhook's deliveries. */
export function webhookSearch(search: Record<string, unknown>) {
  return given({ outcome: oneOf(OUTCOMES, search["outcome"]) });
}
