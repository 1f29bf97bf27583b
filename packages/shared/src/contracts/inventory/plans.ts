import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest } from "../contract.ts";
import type { JsonObject } from "../../values/json.ts";
import { PlannedDrift } from "../analyzer/analysis.ts";
import { BodyReference, Repository, Timestamp, Uuid } from "../common.ts";

/** A declared change of one resource that isn't applied yet. */
export const PendingChange = t.Object({
  ...t.Omit(PlannedDrift, ["kind", "relevant"]).properties,
  hidden: t.Boolean({ description: "Whether the whole change is noise" }),
});
export type PendingChange = Static<typeof PendingChange>;

/** One statement of a plan about its state, masked. */
export const PlanLine = t.Union([
  t.Object({
    drift: t.Unsafe<JsonObject>(
      t.Object(
        { address: t.String() },
        {
          additionalProperties: true,
          description: "Result of the plan's refresh: an element of `resource_drift`",
        },
      ),
    ),
  }),
  t.Object({ pending: PendingChange }),
]);
export type PlanLine = Static<typeof PlanLine>;

const SourceNames = t.Array(t.String(), { description: "Possible names of the source, most reliable first" });

/**
 * Checks whether a plan is accepted, which requires an IaC source with one of these names. A source's first plan
 * binds it to the plan's repository. A plan is refused if every such source belongs to another repository.
 */
export const ExpectPlan = defineRequest("inventory.plans.expect", {
  callers: ["analyzer"],
  input: t.Object({ org_id: Uuid, source_names: SourceNames, repository: t.Optional(Repository) }),
  output: t.Object({
    expected: t.Boolean(),
    refused: t.Optional(t.String({ description: "Why the plan is refused, with the source's repository" })),
  }),
});

/**
 * Stores a plan's statements about the first IaC source that has one of these names, replacing those of an earlier
 * plan. Each line of the body is a `PlanLine` as JSON. A plan that is older than the stored one, or of no known
 * source, changes nothing.
 * @throws {AppError} `repository_mismatch` if every source with these names belongs to another repository
 */
export const ReportPlan = defineRequest("inventory.plans.report", {
  callers: ["analyzer"],
  input: t.Object({
    org_id: Uuid,
    source_names: SourceNames,
    repository: t.Optional(Repository),
    planned_at: Timestamp,
    body: BodyReference,
  }),
  output: t.Object({ source_id: t.Optional(Uuid) }),
  timeoutMs: 120_000,
});
