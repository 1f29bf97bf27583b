import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { ExpectPlan } from "@leeway/shared/contracts/inventory/plans";
import { derivedId } from "@leeway/shared/derived-id";
import { LRUCache } from "lru-cache";

import type { Job, NewJob } from "../jobs/store/jobs.ts";
import { isProposed, type AnalyzeSubject } from "../jobs/subject.ts";
import { sourceNames } from "../reviews/project-key.ts";

/** Says which plans are to be reported to the inventory. */
export interface Reports {
  /**
   * The job that reports a plan, if anything of it is to be known beyond its analysis: what is only proposed isn't, and
   * most projects are no source that the inventory knows.
   */
  of(job: Pick<Job, "id" | "orgId" | "createdAt"> & { subject: AnalyzeSubject }): Promise<NewJob | undefined>;
}

/** That a project is no source is believed for so long: one may be made at any time. */
const UNKNOWN_MS = 10_000;
const MOST_UNKNOWN = 10_000;
const UNSURE = { expected: true };

export function createReports(bus: BusConnection): Reports {
  const unknown = new LRUCache<string, true>({ max: MOST_UNKNOWN, ttl: UNKNOWN_MS });

  async function isExpected(orgId: string, source_names: string[]): Promise<boolean> {
    const project = JSON.stringify([orgId, source_names]);
    if (unknown.has(project)) return false;
    // While the inventory can't be asked, the report waits for it.
    const { expected } = await call(bus, ExpectPlan, { org_id: orgId, source_names }).catch(() => UNSURE);
    if (!expected) unknown.set(project, true);
    return expected;
  }

  return {
    async of({ id, orgId, createdAt, subject }) {
      const names = sourceNames(subject);
      if (isProposed(subject) || names.length === 0 || !(await isExpected(orgId, names))) return undefined;
      const planned_at = createdAt.toISOString();
      return {
        id: derivedId(id, "report"),
        subject: { kind: "plan_report", analyze_job_id: id, planned_at },
      };
    },
  };
}
