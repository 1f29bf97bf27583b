import { Type as t, type Static } from "@sinclair/typebox";

import { Actor, NewId, page, PageInput, Reason, Timestamp, Uuid } from "../common.ts";
import { defineRequest, words } from "../contract.ts";
import { RETENTION } from "../retention.ts";
import { DriftFingerprint } from "../drift-fingerprint.ts";
import { Decision, DECISIONS, PresentFilter } from "./drift.ts";

/** Most changes of one decision. */
export const MAX_DECIDED = 10_000;

/** Filters of the list, except those that compare with an earlier time. */
const { since: _since, movement: _movement, ...LISTED } = PresentFilter;
const Filter = t.Object(LISTED);
export type DecisionFilter = Static<typeof Filter>;

/** A decision on many changes: those with these fingerprints, or the shown ones that a filter matches. */
export const ManyDecided = t.Composite([
  t.Object({
    filter: t.Optional(
      t.Unsafe<DecisionFilter>({
        ...Filter,
        description:
          "The current changes to decide on, with filters of the list. A group is selected by its key, such as `cause`. Noise and hidden changes are left out by default",
      }),
    ),
    fingerprints: t.Optional(
      t.Array(DriftFingerprint, { minItems: 1, maxItems: MAX_DECIDED, uniqueItems: true }),
    ),
  }),
  Decision,
]);

/** A decision on many changes, as it was made. */
export const DriftDecision = t.Object({
  id: Uuid,
  status: words(DECISIONS),
  until: t.Optional(Timestamp),
  reason: t.Optional(Reason),
  decided_by: Actor,
  decided_count: t.Integer({ description: "Changes that it was made on" }),
  created_at: Timestamp,
  undoable_until: Timestamp,
  undone_at: t.Optional(Timestamp),
  restored_count: t.Optional(
    t.Integer({
      description: "Changes that undoing restored. Others were decided again or have other values",
    }),
  ),
});
export type DriftDecision = Static<typeof DriftDecision>;

/**
 * Decides on many changes at once.
 * @throws {AppError} `invalid_parameter`; `not_found` if no change is current; `forbidden` for ignored changes with
 * `keeps_ignored`
 */
export const DecideMany = defineRequest("inventory.drift_decisions.create", {
  input: t.Composite([
    t.Object({
      org_id: Uuid,
      decision_id: NewId,
      decided_by: Actor,
      /** Set if the author may not reopen ignored changes. */
      keeps_ignored: t.Optional(t.Boolean()),
    }),
    ManyDecided,
  ]),
  output: DriftDecision,
  timeoutMs: 30_000,
});

/** Lists decisions on many changes, newest first. */
export const ListDecisions = defineRequest("inventory.drift_decisions.list", {
  fromReplica: true,
  input: t.Object(PageInput),
  output: page(DriftDecision),
});

/**
 * Restores the earlier decisions on the changes that still have this one.
 * @throws {AppError} `not_found`; `conflict` if it is undone already or too old
 */
export const UndoDecision = defineRequest("inventory.drift_decisions.undo", {
  input: t.Object({ org_id: Uuid, decision_id: Uuid }),
  output: DriftDecision,
  timeoutMs: 30_000,
});

export const UNDOABLE_DAYS = RETENTION.decisions.days;
