import { inWords } from "../words.ts";

/** Why a call was refused before it became a delivery. */
const REJECTS: Readonly<Record<string, string>> = {
  credential_missing: "A call came without the secret: the field for it was left empty.",
  credential_wrong: "A call came with another secret: paste it again, whole.",
  repository_mismatch: "An event came from another repository than the one that this webhook is for.",
};

/** Why an event was ignored or failed, or has no comment. */
const REASONS: Readonly<Record<string, string>> = {
  not_json: "The body is no JSON object.",
  not_an_event: "It has no form of an event.",
  unsupported_kind: "Nothing is done for events of this kind",
  unsupported_action: "Nothing is done for this",
  unsupported_version: "The format is of a version that isn’t known",
  missing_field: "The event lacks a field that it must have",
  invalid_field: "A field of the event is malformed",
  closed: "The merge request was closed.",
  merged: "The merge request was merged.",
  approval: "It was approved, or an approval was taken back.",
  no_new_code: "It was updated without new commits.",
  not_a_merge_request_note: "A comment on something else than a merge request.",
  system_note: "A comment that the code host itself wrote.",
  edited: "A comment was changed; commands count when they are written.",
  own_note: "A comment of Leeway’s own.",
  no_command: "A comment without a command.",
  job: "It couldn’t be worked off",
  app_not_configured: "No comment: whoever runs Leeway has set up no GitHub App.",
  app_not_installed: "No comment: the GitHub App isn’t installed on the repository.",
  organization_not_named:
    "No comment: the repository’s .github/leeway-organizations doesn’t name this organization.",
  token_missing: "No comment: no enabled webhook has a token for the repository.",
  token_rejected: "No comment: the code host turns the token away.",
  not_found: "No comment: the merge request is gone, or hidden from the token.",
  forbidden: "No comment: the token may not comment there.",
  too_large: "No comment: it would be longer than the code host takes.",
  unavailable: "No comment yet: the code host can’t be reached.",
};

/** The reason of a delivery in words; what isn't known is shown as it is. */
export function reasonText(reason: string): string {
  const [code = "", ...rest] = reason.replace(/^comment: /, "").split(": ");
  const words = REASONS[code];
  if (words === undefined) return reason;
  return rest.length === 0 ? words : `${words}: ${rest.join(": ")}`;
}

/** The reason for which a call was refused, in words. */
export function rejectText(reason: string): string {
  return REJECTS[reason] ?? inWords(reason);
}
