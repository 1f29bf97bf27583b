import type { Row } from "../api/client.ts";

export type ListedJob = Row<"GET /orgs/{id}/llm-jobs">;

export const KIND_NAMES: Readonly<Record<ListedJob["kind"], string>> = {
  analyze: "Plan",
  plan_noise_fix: "Noise fix",
  drift_narrative: "Drift summary",
};

/** Returns a job's title. */
export function titleOf({ kind, repository, change_request: request }: ListedJob): string {
  if (repository === undefined) return KIND_NAMES[kind];
  return request === undefined ? repository : `${repository} #${request.number}`;
}

/** Returns the project's label; undefined if the project is the whole repository. */
export function projectOf({ project = {} }: Pick<ListedJob, "project">): string {
  const { name, dir, workspace } = project;
  return [name ?? (dir === "." ? "" : dir), workspace].filter(Boolean).join(", ");
}
