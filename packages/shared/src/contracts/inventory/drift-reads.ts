import { Type as t, type Static } from "@sinclair/typebox";

import { AttributeChange, RiskLevel } from "../analyzer/analysis.ts";
import { Actor, page, Repository, Timestamp, Uuid } from "../common.ts";
import { defineRequest, words } from "../contract.ts";
import { DriftFingerprint } from "../drift-fingerprint.ts";
import { CHANGE_GROUPINGS, DriftChange, PresentFilter } from "./drift.ts";

/** Changes that have something in common. */
const ChangeGroup = t.Object({
  key: t.Optional(
    t.String({ description: "Value of the filter that lists the group. Absent for changes without a value" }),
  ),
  count: t.Integer(),
  risk_level: t.Unsafe<RiskLevel>({ ...RiskLevel, description: "Highest level in the group" }),
  example: t.Unsafe<DriftChange>({
    ...DriftChange,
    description: "One of the changes with the highest level",
  }),
});
export type ChangeGroup = Static<typeof ChangeGroup>;

/** Groups the accounts' current changes, highest risk first, then the largest. At most 200 groups. */
export const GroupDriftChanges = defineRequest("inventory.drift_changes.group", {
  fromReplica: true,
  input: t.Object({
    org_id: Uuid,
    by: t.Optional(
      t.Unsafe<(typeof CHANGE_GROUPINGS)[number]>({ ...words(CHANGE_GROUPINGS), default: "cause" }),
    ),
    ...PresentFilter,
  }),
  output: page(ChangeGroup),
});

/** Numbers of changes that came, became worse, or went. */
const Moved = {
  new_count: t.Integer(),
  worse_count: t.Integer({ description: "Changes whose risk level is higher than before" }),
  gone_count: t.Integer(),
};
const MovedBy = t.Array(
  t.Object({
    key: t.String(),
    ...Moved,
    risk_level: t.Unsafe<RiskLevel>({ ...RiskLevel, description: "Highest level of new and worse changes" }),
  }),
  { description: "Highest risk first, at most 50" },
);

/** Movement in the drift of all accounts since a time, without noise, ignored and pending changes. */
export const DriftMovement = t.Object({
  since: Timestamp,
  ...Moved,
  accounts: MovedBy,
  levels: MovedBy,
  types: MovedBy,
  people: MovedBy,
});
export type DriftMovement = Static<typeof DriftMovement>;

/** Compares each account with its last snapshot before `since`, or else with its first. */
export const CompareDrift = defineRequest("inventory.drift_movement.get", {
  fromReplica: true,
  input: t.Object({
    org_id: Uuid,
    since: t.Optional(t.Unsafe<string>({ ...Timestamp, description: "Default: a day ago" })),
  }),
  output: DriftMovement,
});

/** A change with its history. */
export const DriftChangeDetail = t.Composite([
  DriftChange,
  t.Object({
    source: t.Optional(
      t.Object(
        {
          id: Uuid,
          name: t.String(),
          repository: t.Optional(Repository),
          planned_at: t.Optional(Timestamp),
          planned: t.Optional(
            t.Unsafe<"drift" | "pending">({
              ...words(["drift", "pending"]),
              description:
                "What the source's latest plan shows for the address: `drift` in its refresh, or `pending` changes",
            }),
          ),
        },
        { description: "Source that declares the resource" },
      ),
    ),
    versions: t.Array(
      t.Object({
        risk_level: RiskLevel,
        attribute_changes: t.Array(AttributeChange),
        from: t.Unsafe<string>({ ...Timestamp, description: "Time of the first snapshot with these values" }),
        until: t.Optional(
          t.Unsafe<string>({ ...Timestamp, description: "Time of the first snapshot without them" }),
        ),
      }),
      { description: "Values of the change over time, newest first, at most 50" },
    ),
    decisions: t.Optional(
      t.Array(
        t.Object({
          status: words(["open", "acknowledged", "ignored"]),
          at: Timestamp,
          until: t.Optional(Timestamp),
          reason: t.Optional(t.String()),
          by: t.Optional(
            t.Unsafe<Actor>({
              ...Actor,
              description:
                "Absent if the change reopened by itself, or if a decision on many changes was undone",
            }),
          ),
        }),
        { description: "Decisions about the change, newest first, at most 50" },
      ),
    ),
  }),
]);
export type DriftChangeDetail = Static<typeof DriftChangeDetail>;

/**
 * Returns a change that an account has or had.
 * @throws {AppError} `not_found`
 */
export const GetDriftChange = defineRequest("inventory.drift_changes.get", {
  input: t.Object({ org_id: Uuid, fingerprint: DriftFingerprint }),
  output: DriftChangeDetail,
});
