import { hostKindOf } from "@leeway/shared/contracts/webhooks/code-hosts";

import { hostOf } from "./change-url.ts";
import { USUAL_CODE_HOST } from "./code-hosts.ts";
import type { AnalyzeSubject } from "../jobs/subject.ts";
import { projectKey } from "./project-key.ts";
import type { NewReview } from "./store.ts";

/** Returns the project in a merge or pull request that a plan belongs to; undefined if it belongs to none. */
export function placeOf({
  target,
  repository,
  change_request: change,
  project,
}: AnalyzeSubject): Omit<NewReview, "jobId"> | undefined {
  if (repository === undefined || !change) return undefined;
  const { source, config_id: configId } = target ?? {};
  const codeHost = source === undefined ? USUAL_CODE_HOST : hostKindOf(source);
  const key = { host: hostOf(change), repository, number: change.number, project: projectKey({ project }) };
  return { ...key, codeHost, configId };
}
