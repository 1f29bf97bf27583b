import { markerOf } from "@leeway/analysis/comment/marker";
import { markdownReport } from "@leeway/analysis/report/markdown";
import type { AnalyzeResult } from "@leeway/shared/contracts/analyzer/analysis";

import { accessOf, HOST, hostOf } from "../code-host/access.ts";
import { openComments } from "../code-host/comments.ts";
import { openHost } from "../code-host/host-api.ts";
import { putComment } from "../code-host/put-comment.ts";
import { Failure, failureOf } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import { commentProblem } from "./comment-problem.ts";
import type { SubmissionOptions } from "./submission.ts";

/** Reasons for which the server can't comment on any plan of the repository, so that the job does it. */
const WITHOUT_SERVER: ReadonlySet<string> = new Set([
  "app_not_configured",
  "app_not_installed",
  "organization_not_named",
  "token_missing",
]);
const PATIENCE = { tries: 3, maxSeconds: 60 };

/**
 * Posts the findings with the job's own token if the server can't, or if there is none. The analysis counts whatever
 * happens to its comment: a problem is only logged.
 */
export async function commentUnlessPosted(
  result: AnalyzeResult,
  options: SubmissionOptions,
  { terminal, isLocal }: { terminal: Terminal; isLocal: boolean },
): Promise<void> {
  // A server that doesn't mention the comment chose not to post one.
  const { posted = !isLocal, error } = result.comment ?? {};
  if (posted) return;
  if (error !== undefined && !WITHOUT_SERVER.has(error)) return terminal.log(commentProblem(error));
  try {
    terminal.log(await postByJob(result, options, terminal));
  } catch (problem) {
    const { message } = failureOf(problem);
    terminal.log(error === undefined ? message : `${commentProblem(error)}; ${message}`);
  }
}

/** Posts the findings. @returns the outcome in words @throws {Failure} with the reason for which there is no comment */
async function postByJob(
  result: AnalyzeResult,
  options: SubmissionOptions,
  terminal: Terminal,
): Promise<string> {
  const { repository, change_request: request } = options;
  const host = hostOf(terminal.env);
  if (!host || repository === undefined || !request) {
    throw new Failure("refused", "a job can only comment in GitHub Actions and GitLab CI");
  }
  const access = accessOf(host, terminal.env);
  const [, own = ""] = HOST[host].tokens;
  if (!access) throw new Failure("refused", `set ${own} to comment with the job's token`);
  const { version, log } = terminal;
  const api = openHost(access, { ...PATIENCE, userAgent: `leeway-cli/${version}`, log });
  const comments = openComments(host, api, { repository, number: request.number });
  const { outcome } = await terminal.during("posting the comment", () =>
    putComment(comments, markerOf(options.project), markdownReport(result, options)),
  );
  return `comment ${outcome}`;
}
