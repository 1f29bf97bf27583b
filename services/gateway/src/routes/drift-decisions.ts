import {
  DecideMany,
  ListDecisions,
  ManyDecided,
  MAX_DECIDED,
  UNDOABLE_DAYS,
  UndoDecision,
} from "@leeway/shared/contracts/inventory/decisions";

import { pageOf } from "../examples/common.ts";
import { DRIFT_DECISION } from "../examples/drift.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import { authorOf } from "./deciding.ts";

const TAG = "Drift";
const COLLECTION = "/api/v2/orgs/:id/drift-changes/decisions";

const decideMany = relay(DecideMany, {
  method: "POST",
  path: COLLECTION,
  operationId: "decideDriftChanges",
  tag: TAG,
  summary: "Decide about many changes",
  description: `Decides about at most ${MAX_DECIDED} changes in one step, which is one entry in the audit log: those with \`fingerprints\`, or the current ones that \`filter\` matches. The same roles are required as for a single change. With \`filter\`, a member's decision leaves out ignored changes. It can be undone for ${UNDOABLE_DAYS} days.`,
  who: "member",
  body: ManyDecided,
  bodyExample: { filter: { kind: "undeclared", risk_level: "low" }, status: "acknowledged" },
  success: {
    status: 201,
    description: "The decision",
    schema: DecideMany.output,
    example: DRIFT_DECISION,
  },
  errors: ["not_found"],
  creates: true,
  derive: (call) => ({ decision_id: call.attemptId, ...authorOf(call) }),
});

const listDecisions = relay(ListDecisions, {
  method: "GET",
  path: COLLECTION,
  operationId: "listDriftDecisions",
  tag: TAG,
  summary: "List decisions about many changes",
  description: `Lists decisions about many changes of the last ${UNDOABLE_DAYS} days, newest first.`,
  who: "viewer",
  success: {
    status: 200,
    description: "The decisions",
    schema: ListDecisions.output,
    example: pageOf(DRIFT_DECISION),
  },
  errors: ["invalid_cursor"],
});

const undo = relay(UndoDecision, {
  method: "POST",
  path: `${COLLECTION}/:decision_id/undo`,
  operationId: "undoDriftDecision",
  tag: TAG,
  summary: "Undo a decision about many changes",
  description:
    "Restores the earlier decision of each change that still has this one. Changes that were decided about again, or whose value has changed, stay as they are.",
  who: "admin",
  success: {
    status: 200,
    description: "The decision",
    schema: UndoDecision.output,
    example: { ...DRIFT_DECISION, undone_at: DRIFT_DECISION.created_at, restored_count: 120 },
  },
  errors: ["conflict"],
});

export const driftDecisions: readonly Endpoint[] = [decideMany, listDecisions, undo];
