import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import type { Repository } from "@leeway/shared/contracts/common";
import { ExpectPlan } from "@leeway/shared/contracts/inventory/plans";
import type { Output } from "@leeway/shared/contracts/contract";
import { derivedId } from "@leeway/shared/values/derived-id";
import { AppError } from "@leeway/shared/values/errors";
import { present } from "@leeway/shared/values/json";
import { LRUCache } from "lru-cache";

import { hostOf } from "../reviews/code-hosts.ts";
import type { Job, NewJob } from "../jobs/store/jobs.ts";
import { isProposed, type AnalyzeSubject } from "../jobs/subject.ts";
import { sourceNames } from "../reviews/project-key.ts";

/** Decides which plans are reported to the inventory. */
export interface Reports {
  /**
   * Returns the job that reports a plan, if the inventory needs a report. Proposed plans are never reported, and most
   * projects aren't sources of the inventory. Both bind their source to the plan's repository.
   */
  of(job: Pick<Job, "id" | "orgId" | "createdAt"> & { subject: AnalyzeSubject }): Promise<NewJob | undefined>;
  /**
   * Checks that a plan may speak for its source, and binds the source to the plan's repository. If the inventory is
   * unavailable, the plan is analyzed, and the inventory refuses its report later.
   * @throws {AppError} `repository_mismatch` that names the binding
   */
  requireOwn(orgId: string, subject: AnalyzeSubject): Promise<void>;
}

/** Cache time of a negative answer, in ms; a source may be created at any time. */
const SETTLED_MS = 10_000;
const MAX_SETTLED = 10_000;
const UNSURE: Expected = { expected: true };

type Expected = Output<typeof ExpectPlan>;

export function createReports(bus: BusConnection): Reports {
  const answers = new LRUCache<string, Expected>({ max: MAX_SETTLED, ttl: SETTLED_MS });

  /** Asks the inventory whether it expects a report, which also binds the plan's source to its repository. */
  async function expected(orgId: string, subject: AnalyzeSubject): Promise<Expected> {
    const repository = repositoryOf(subject);
    if (sourceNames(subject).length === 0 || (isProposed(subject) && !repository)) return { expected: false };
    const question = { org_id: orgId, source_names: sourceNames(subject), ...present({ repository }) };
    const key = JSON.stringify(question);
    const known = answers.get(key);
    if (known && (!known.expected || isProposed(subject))) return known;
    // If the inventory is unavailable, the report waits for it.
    const answer = await call(bus, ExpectPlan, question).catch(() => UNSURE);
    // An admin may change the binding at any time.
    if (answer !== UNSURE && answer.refused === undefined) answers.set(key, answer);
    return answer;
  }

  return {
    async of({ id, orgId, createdAt, subject }) {
      if (!(await expected(orgId, subject)).expected || isProposed(subject)) return undefined;
      const planned_at = createdAt.toISOString();
      return {
        id: derivedId(id, "report"),
        subject: { kind: "plan_report", analyze_job_id: id, planned_at },
      };
    },
    async requireOwn(orgId, subject) {
      const { refused } = await expected(orgId, subject);
      if (refused !== undefined) throw new AppError("repository_mismatch", refused);
    },
  };
}

/**
 * Returns the repository that a plan claims, with its host if the merge request names it or the submitter proved it.
 */
export function repositoryOf({
  repository: path,
  change_request: change,
  host: proved,
}: AnalyzeSubject): Repository | undefined {
  if (path === undefined) return undefined;
  const host = hostOf(change) || proved;
  return { path, ...present({ host }) };
}
