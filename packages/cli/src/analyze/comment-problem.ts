import type { CommentProblem } from "@leeway/shared/contracts/webhooks/comments";

import { plain } from "../api/refusal.ts";

const REASONS: Readonly<Record<CommentProblem, string>> = {
  app_not_configured: "this server has no GitHub App (ask its operator; docs/code-hosts.md)",
  app_not_installed: "the GitHub App isn't installed on this repository",
  organization_not_named: "the repository's .github/leeway-organizations doesn't name this organization",
  token_missing: "no enabled webhook has a token for this repository",
  token_rejected: "the code host rejected the token of the webhook",
  not_found: "the token of the webhook can't see this repository or request",
  forbidden: "the token may not comment there, or the discussion is locked",
  too_large: "it is too large for the code host",
  unavailable: "the code host can't be reached; Leeway retries for two hours",
};

/** Explains why no comment was posted, given the server's code; newer servers may send other codes. */
export function commentProblem(word = "unknown reason"): string {
  const reason = Object.entries(REASONS).find(([known]) => known === word)?.[1];
  return `no comment posted: ${reason ?? plain(word)}`;
}
