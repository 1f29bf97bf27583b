import type { Operations } from "../../api/openapi.gen.ts";

type AuditAction = NonNullable<Operations["GET /orgs/{id}/audit-log"]["query"]["action"]>;

/** Labels of all recorded actions, as intentions: the outcome shows whether they succeeded. */
const WORDS: Readonly<Record<AuditAction, string>> = {
  "api_key.create": "Create an API key",
  "api_key.delete": "Revoke an API key",
  "api_key.rotate": "Rotate an API key",
  "ci_identity.create": "Add a CI identity",
  "ci_identity.delete": "Delete a CI identity",
  "cloud_account.create": "Add an account",
  "cloud_account.delete": "Delete an account",
  "cloud_account.push": "Push a listing of an account",
  "cloud_account.update": "Edit an account",
  "cloud_account.verify": "Verify an account’s credentials",
  "drift_change.decide": "Decide on drift",
  "drift_change.decide_many": "Decide on many drift changes",
  "drift_change.settle": "Settle drift in code",
  "drift_change.reopen": "Reopen drift after its ignore period",
  "drift_change.undo": "Undo a decision on many drift changes",
  "exclusion_rule.update": "Switch an exclusion rule on or off",
  "iac_source.bind": "Bind a source to its repository",
  "iac_source.create": "Add a source",
  "iac_source.delete": "Delete a source",
  "iac_source.push": "Push a state",
  "iac_source.read": "Read a state from its backend",
  "iac_source.update": "Edit a source",
  "llm_config.create": "Add a model key",
  "llm_config.delete": "Delete the model key",
  "llm_config.update": "Change the model key",
  "member.create": "Invite a person",
  "member.delete": "Remove a member",
  "member.join": "Join the organization",
  "member.update": "Change a member’s role",
  "notification_channel.create": "Create a notification channel",
  "notification_channel.delete": "Delete a notification channel",
  "notification_channel.disable": "Disable a failing notification channel",
  "notification_channel.test": "Send a test to a notification channel",
  "notification_channel.update": "Change a notification channel",
  "notification_delivery.redeliver": "Send a notification again",
  "notification_recipient.ask": "Send a confirmation link again",
  "notification_recipient.confirm": "Confirm an e-mail address",
  "notification_recipient.unsubscribe": "Unsubscribe an e-mail address",
  "organization.create": "Create the organization",
  "organization.delete": "Delete the organization",
  "organization.set_plan": "Set the organization’s plan",
  "organization.update": "Rename the organization",
  "plan.submit": "Submit a plan",
  "plan_noise.fix": "Request a fix of plan noise",
  "plan_noise.update": "Decide on plan noise",
  "rule.create": "Create a rule",
  "rule.delete": "Delete a rule",
  "rule.expire": "End an expired rule",
  "rule.update": "Change a rule",
  "scan.cancel": "Cancel a scan",
  "scan.create": "Start a scan",
  "scan_schedule.create": "Create a schedule",
  "scan_schedule.delete": "Delete a schedule",
  "scan_schedule.disable": "Disable a failing schedule",
  "scan_schedule.update": "Change a schedule",
  "settings.update": "Change the settings",
  "tool.call": "Call a tool as a language model",
  "view.create": "Save a view",
  "view.delete": "Delete a view",
  "view.update": "Change a view",
  "webhook_config.create": "Create a webhook",
  "webhook_config.delete": "Delete a webhook",
  "webhook_config.rotate": "Rotate a webhook’s secret",
  "webhook_config.update": "Change a webhook",
  "webhook_delivery.replay": "Replay a delivery",
};

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- they are the keys of the record
export const ACTIONS = Object.keys(WORDS) as AuditAction[];

/** Returns an action's label; a newer gateway may record unknown actions. */
export function actionText(action: string): string {
  return new Map<string, string>(Object.entries(WORDS)).get(action) ?? action;
}

/** Describes a fact of an entry: its name in words, and its value. */
export function factText(name: string, value: string | number | boolean): string {
  const said = typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
  return `${spaced(name)}: ${name === "changed" ? spaced(said) : said}`;
}

/** Returns field names with spaces. */
function spaced(names: string): string {
  return names.replaceAll("_", " ");
}
