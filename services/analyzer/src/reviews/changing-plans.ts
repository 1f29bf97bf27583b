import type { ChangingPlan } from "@leeway/shared/contracts/analyzer/places";
import type { OrgStatements } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

import { plansChanging, type PlannedChange } from "./planned.ts";
import { sourceNames } from "./project-key.ts";

const MAX_SHOWN = 20;

/** Returns the latest plans of merge and pull requests that change a resource of a source. */
export async function changingPlans(
  sql: OrgStatements,
  { address, source }: { address: string; source: { name: string; repository?: { path: string } } },
): Promise<ChangingPlan[]> {
  const found = await plansChanging(sql, { address, repository: source.repository?.path });
  return found
    .filter(({ subject }) => sourceNames(subject).includes(source.name))
    .slice(0, MAX_SHOWN)
    .map(shown);
}

function shown({ jobId, actions, subject, riskLevel, plannedAt }: PlannedChange): ChangingPlan {
  const { repository, project, change_request, ref, commit_sha } = subject;
  return {
    job_id: jobId,
    actions: [...actions],
    ...present({ risk_level: riskLevel, repository, project, change_request, ref, commit_sha }),
    planned_at: plannedAt.toISOString(),
  };
}
