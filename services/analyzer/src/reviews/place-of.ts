import { hostOf } from "../comments/change-url.ts";
import type { AnalyzeSubject } from "../jobs/subject.ts";
import { projectKey } from "./project-key.ts";
import type { Review } from "./store.ts";

/** The project of a merge or pull request that a plan is of; undefined when it is of none. */
export function placeOf({
  target,
  repository,
  change_request: change,
  project,
}: AnalyzeSubject): Omit<Review, "jobId" | "commentUrl"> | undefined {
  if (repository === undefined || !change) return undefined;
  const { source = "vcs", config_id: configId } = target ?? {};
  const key = { host: hostOf(change), repository, number: change.number, project: projectKey({ project }) };
  return { ...key, source, configId };
}
