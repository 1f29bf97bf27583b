import { Type as t, type Static } from "@sinclair/typebox";

import { CommitSha, Timestamp, Uuid } from "../common.ts";
import { defineRequest } from "../contract.ts";
import { DriftFingerprint } from "../drift-fingerprint.ts";
import { RiskLevel } from "./analysis.ts";
import { Submission } from "./jobs.ts";
import { SettlementRefusal } from "./settlements.ts";

/** Where the code declares the resource of a change. */
export const Declaration = t.Object({
  commit: t.Optional(t.Unsafe<string>({ ...CommitSha, description: "Commit that was read" })),
  ref: t.Optional(t.String({ description: "Branch, tag or commit of the source that was read" })),
  path: t.Optional(t.String({ description: "File, from the root of the repository" })),
  line: t.Optional(t.Integer({ description: "First line of the block, from 1" })),
  end_line: t.Optional(t.Integer({ description: "Last line of the block" })),
  url: t.Optional(t.String({ description: "Page of these lines at the code host, at the commit" })),
  refused: t.Optional(
    t.Object(SettlementRefusal.properties, {
      description:
        "Set if no single block was found. `path` and `line` then show why, if there is such a place",
    }),
  ),
});
export type Declaration = Static<typeof Declaration>;

/**
 * Finds where code declares the resource of a change that an account has now. Reads the code of the source.
 * @throws {AppError} `not_found`, `unavailable`
 */
export const FindDeclaration = defineRequest("analyzer.declarations.find", {
  input: t.Object({ org_id: Uuid, fingerprint: DriftFingerprint }),
  output: Declaration,
  timeoutMs: 65_000,
});

/** A merge or pull request whose latest plan changes the resource of a change. */
export const ChangingPlan = t.Object({
  job_id: Uuid,
  actions: t.Array(t.String(), { description: "Actions on the resource, in the order of the plan" }),
  risk_level: t.Optional(t.Unsafe<RiskLevel>({ ...RiskLevel, description: "Risk level of the whole plan" })),
  repository: t.Optional(t.String()),
  project: Submission.properties.project,
  change_request: Submission.properties.change_request,
  ref: t.Optional(t.String({ description: "Branch of the plan" })),
  commit_sha: t.Optional(CommitSha),
  planned_at: Timestamp,
});
export type ChangingPlan = Static<typeof ChangingPlan>;

/**
 * Lists the merge and pull requests whose latest plan changes the resource of a change, newest first, at most 20. A plan
 * belongs to the resource if its project is the source's, and if the source's repository is the plan's.
 * @throws {AppError} `not_found`
 */
export const ListChangingPlans = defineRequest("analyzer.changing_plans.list", {
  input: t.Object({ org_id: Uuid, fingerprint: DriftFingerprint }),
  output: t.Object({ data: t.Array(ChangingPlan) }),
  timeoutMs: 5_000,
});
