import { OUTCOMES, SOURCES } from "../../api/closed-sets.gen.ts";
import { given, oneOf, textOf } from "../search.ts";

/** Parses the source chosen in the wizard, and the created webhook. */
export function newWebhookSearch(search: Record<string, unknown>) {
  return given({ source: oneOf(SOURCES, search["source"]), made: textOf(search["made"]) });
}

/** Parses the filters of a webhook's deliveries. */
export function webhookSearch(search: Record<string, unknown>) {
  return given({ outcome: oneOf(OUTCOMES, search["outcome"]) });
}
