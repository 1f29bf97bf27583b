import { nothingReply, refusedReply, settleReply, unknownReply } from "@leeway/analysis/comment/replies";
import type { Command } from "@leeway/shared/contracts/webhooks/commands";
import { AppError } from "@leeway/shared/values/errors";

import type { Job } from "../jobs/store/jobs.ts";
import type { CommentSubject } from "../jobs/subject.ts";
import { settleChange } from "../settlements/settle-change.ts";
import type { SettleDependencies } from "../settlements/source.ts";
import { findJudgement } from "../settings/settings.ts";
import { commenterOf, repositoryOf } from "./commenter.ts";
import { isOfDrift } from "./decide-drift.ts";

/**
 * Replies with the code or the commands that settle a drift change of the comment's repository. Nothing is stored unless
 * the command opens the change request.
 * @returns the reply, in Markdown
 */
export async function settleByComment(
  deps: SettleDependencies,
  { orgId, subject }: Job & { subject: CommentSubject },
  { fingerprint, how = "accept", open: opens }: Extract<Command, { verb: "settle" }>,
): Promise<string> {
  if (!isOfDrift(fingerprint))
    return unknownReply(`${fingerprint} belongs to noise, and only drift can be settled; use fix`);
  if (opens && how === "revert")
    return unknownReply("settle revert gives commands, so it has no change request to open");
  const { comment_decisions: allowed } = await findJudgement(deps.database.org(orgId));
  if (allowed === "none")
    return refusedReply("settle", "this organization doesn't allow decisions in comments");
  const { path, host } = repositoryOf(subject);
  try {
    const settlement = await settleChange(deps, {
      org_id: orgId,
      fingerprint,
      how,
      open_change_request: opens === true,
      decided_by: commenterOf(subject),
      speaks_for: { repositories: [path], ...(host !== undefined && { host }) },
    });
    return settleReply(settlement);
  } catch (error) {
    const reply = error instanceof AppError ? replyTo(error, fingerprint) : undefined;
    if (reply === undefined) throw error;
    return reply;
  }
}

/** Returns the reply to an error that the comment's author can do something about. */
function replyTo({ code }: AppError, fingerprint: string): string | undefined {
  if (code === "not_found") return nothingReply(fingerprint);
  if (code !== "repository_mismatch") return undefined;
  return refusedReply("settle", "the change belongs to another repository; settle it there, or in Leeway");
}
