import type { Operations } from "../../api/openapi.gen.ts";

type AuditAction = NonNullable<Operations["GET /orgs/{id}/audit-log"]["query"]["action"]>;

/** Every action that is written down, as what somebody set out to do: whether they did is its outcome. */
const WORDS: Readonly<Record<AuditAction, string>> = {
  "api_key.create": "Make an API key",
  "api_key.delete": "Revoke an API key",
  "api_key.rotate": "Rotate an API key",
  "cloud_account.create": "Add an account",
  "cloud_account.delete": "Delete an account",
  "cloud_account.push": "Push a listing of an account",
  "cloud_account.update": "Edit an account",
  "cloud_account.verify": "Verify an account’s credentials",
  "drift_change.decide": "Decide about drift",
  "exclusion_rule.update": "Switch an exclusion rule",
  "iac_source.create": "Add a source",
  "iac_source.delete": "Delete a source",
  "iac_source.push": "Push a state",
  "iac_source.read": "Read a state from its backend",
  "iac_source.update": "Edit a source",
  "llm_config.create": "Add an own key for the model",
  "llm_config.delete": "Delete the own key for the model",
  "llm_config.update": "Change the own key for the model",
  "member.create": "Invite a person",
  "member.delete": "End a membership",
  "member.join": "Join the organization",
  "member.update": "Change a member’s role",
  "notification_channel.create": "Make a notification channel",
  "notification_channel.delete": "Delete a notification channel",
  "notification_channel.test": "Send a test to a notification channel",
  "notification_channel.update": "Change a notification channel",
  "notification_delivery.redeliver": "Send a notification again",
  "organization.create": "Make the organization",
  "organization.delete": "Delete the organization",
  "organization.set_plan": "Set the organization’s plan",
  "organization.update": "Rename the organization",
  "plan_noise.update": "Decide about plan noise",
  "scan.cancel": "Cancel a scan",
  "scan.create": "Start a scan",
  "scan_schedule.create": "Make a schedule",
  "scan_schedule.delete": "Delete a schedule",
  "scan_schedule.update": "Change a schedule",
  "settings.update": "Change the settings",
  "webhook_config.create": "Make a webhook",
  "webhook_config.delete": "Delete a webhook",
  "webhook_config.rotate": "Rotate a webhook’s secret",
  "webhook_config.update": "Change a webhook",
  "webhook_delivery.replay": "Replay a delivery",
};

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- they are what the record is made of
export const ACTIONS = Object.keys(WORDS) as AuditAction[];

/** What was done, for people; a gateway that is newer than the page may know more. */
export function actionText(action: string): string {
  return new Map<string, string>(Object.entries(WORDS)).get(action) ?? action;
}

/** A fact of an entry, for people: its name in words, and what it says. */
export function factText(name: string, value: string | number | boolean): string {
  const said = typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
  return `${spaced(name)}: ${name === "changed" ? spaced(said) : said}`;
}

/** Names of fields, as people write them. */
function spaced(names: string): string {
  return names.replaceAll("_", " ");
}
