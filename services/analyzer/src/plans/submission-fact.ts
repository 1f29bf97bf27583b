import type { AuditFact } from "@leeway/shared/service/audit/write-audit";

import type { AnalyzeSubject } from "../jobs/subject.ts";

/** Returns the audit entry of a submitted plan. */
export function submissionFact(jobId: string, subject: AnalyzeSubject): AuditFact {
  const { repository, project: { name, dir, workspace } = {}, change_request: change, commit_sha } = subject;
  const project = { project: name, dir: name === undefined ? dir : undefined, workspace };
  return {
    action: "plan.submit",
    targetId: jobId,
    details: { repository, ...project, change_request: change?.number, commit_sha },
  };
}
