import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest } from "../../contract.ts";
import type { JsonObject } from "../../json.ts";
import { PlannedDrift } from "../analyzer/analysis.ts";
import { BodyReference, Timestamp, Uuid } from "../common.ts";

/** What is declared and not yet applied, of one resource. */
export const PendingChange = t.Object({
  ...t.Omit(PlannedDrift, ["kind", "relevant"]).properties,
  hidden: t.Boolean({ description: "Nothing of it is more than noise" }),
});
export type PendingChange = Static<typeof PendingChange>;

/** One thing that a plan says of the state that it was made of, masked. */
export const PlanLine = t.Union([
  t.Object({
    drift: t.Unsafe<JsonObject>(
      t.Object(
        { address: t.String() },
        { additionalProperties: true, description: "What its refresh found: an element of resource_drift" },
      ),
    ),
  }),
  t.Object({ pending: PendingChange }),
]);
export type PlanLine = Static<typeof PlanLine>;

const SourceNames = t.Array(t.String(), { description: "What the source may be called, the surest first" });

/** Whether a plan is taken: there is an IaC source of one of these names. */
export const ExpectPlan = defineRequest("inventory.plans.expect", {
  input: t.Object({ org_id: Uuid, source_names: SourceNames }),
  output: t.Object({ expected: t.Boolean() }),
});

/**
 * Takes what a plan says of the first IaC source there is of these names, in place of what an earlier plan said of it.
 * The body has a `PlanLine` as JSON in each line. A plan that is older than what is known, or of no known source,
 * changes nothing.
 */
export const ReportPlan = defineRequest("inventory.plans.report", {
  input: t.Object({
    org_id: Uuid,
    source_names: SourceNames,
    planned_at: Timestamp,
    body: BodyReference,
  }),
  output: t.Object({ source_id: t.Optional(Uuid) }),
  timeoutMs: 120_000,
});
