import { inWords } from "../words.ts";

/** Explanations for calls that were rejected before they became a delivery. */
const REJECTS: Readonly<Record<string, string>> = {
  credential_missing: "A request came without a secret. Fill in the sender’s secret field.",
  credential_wrong: "A request came with the wrong secret. Paste all of it again.",
  repository_mismatch: "An event came from a repository other than this webhook’s.",
};

/** Explanations for events that were ignored, failed, or got no comment. */
const REASONS: Readonly<Record<string, string>> = {
  not_json: "The body isn’t a JSON object.",
  not_an_event: "The body isn’t an event.",
  unsupported_kind: "Leeway ignores events of this kind",
  unsupported_action: "Leeway ignores this action",
  unsupported_version: "The event’s format version isn’t supported",
  missing_field: "The event lacks a required field",
  invalid_field: "A field of the event is malformed",
  closed: "The merge request was closed.",
  merged: "The merge request was merged.",
  approval: "The merge request was approved or unapproved.",
  no_new_code: "The merge request was updated without new commits.",
  not_a_merge_request_note: "The comment isn’t on a merge request.",
  system_note: "The code host wrote the comment itself.",
  edited: "The comment was edited. Commands run only when a comment is created.",
  own_note: "Leeway wrote the comment itself.",
  no_command: "The comment contains no command.",
  job: "It couldn’t be processed",
  app_not_configured: "No comment: this server has no GitHub App. Ask its operator.",
  app_not_installed: "No comment: the GitHub App isn’t installed on the repository.",
  organization_not_named:
    "No comment: the repository’s .github/leeway-organizations doesn’t name this organization.",
  token_missing: "No comment: no enabled webhook has a token for the repository.",
  token_rejected: "No comment: the code host rejects the token.",
  not_found: "No comment: the merge request was deleted, or the token can’t see it.",
  forbidden: "No comment: the token may not comment there.",
  too_large: "No comment: it would exceed the code host’s limit.",
  unavailable: "No comment yet: the code host can’t be reached.",
};

/** Describes a delivery's reason; unknown reasons are returned unchanged. */
export function reasonText(reason: string): string {
  const [code = "", ...rest] = reason.replace(/^comment: /, "").split(": ");
  const words = REASONS[code];
  if (words === undefined) return reason;
  return rest.length === 0 ? words : `${words}: ${rest.join(": ")}`;
}

/** Describes why a call was rejected. */
export function rejectText(reason: string): string {
  return REJECTS[reason] ?? inWords(reason);
}
