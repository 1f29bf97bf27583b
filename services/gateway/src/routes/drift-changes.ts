import {
  DecideDrift,
  Decision,
  DiffSnapshots,
  ListDriftChanges,
  ListSnapshotChanges,
} from "@leeway/shared/contracts/inventory/drift";
import { AppError } from "@leeway/shared/errors";
import { isObject } from "@leeway/shared/json";

import { factsOf } from "../audited.ts";
import { actorOf } from "../auth/caller.ts";
import { reaches } from "../auth/roles.ts";
import type { Call, Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import { DRIFT_CHANGE, DRIFT_DIFF } from "../openapi/drift-examples.ts";
import { pageOf } from "../openapi/examples.ts";

const ORGANIZATION = "/api/v2/orgs/:id";
const TAG = "Drift";

const list = relay(ListDriftChanges, {
  method: "GET",
  path: `${ORGANIZATION}/drift-changes`,
  operationId: "listDriftChanges",
  tag: TAG,
  summary: "List drift changes",
  description:
    "What differs now between accounts and their code, the worst first: attributes that changed, resources that are missing, live ones that nothing declares.",
  who: "viewer",
  success: {
    status: 200,
    description: "The changes",
    schema: ListDriftChanges.output,
    example: pageOf(DRIFT_CHANGE),
  },
  errors: ["invalid_cursor"],
});

const listOfSnapshot = relay(ListSnapshotChanges, {
  method: "GET",
  path: `${ORGANIZATION}/drift-snapshots/:snapshot_id/changes`,
  operationId: "listSnapshotChanges",
  tag: TAG,
  summary: "List a snapshot's changes",
  description:
    "What a snapshot found, the worst first, with what is decided about it now. A snapshot that isn't ready has none.",
  who: "viewer",
  success: {
    status: 200,
    description: "The changes",
    schema: ListSnapshotChanges.output,
    example: pageOf(DRIFT_CHANGE),
  },
  errors: ["invalid_cursor"],
});

const diff = relay(DiffSnapshots, {
  method: "GET",
  path: `${ORGANIZATION}/drift-snapshots/:snapshot_id/diff`,
  operationId: "diffDriftSnapshots",
  tag: TAG,
  summary: "Compare two snapshots",
  description:
    "Which changes a snapshot has that `base` has not, and the other way round. Both are of one account.",
  who: "viewer",
  success: { status: 200, description: "The difference", schema: DiffSnapshots.output, example: DRIFT_DIFF },
  errors: ["conflict"],
});

const decide = relay(DecideDrift, {
  method: "PATCH",
  path: `${ORGANIZATION}/drift-changes/:fingerprint`,
  operationId: "decideDriftChange",
  tag: TAG,
  summary: "Decide about a change",
  description:
    "`ignored` takes it out of the risk, until a time if one is given; `acknowledged` leaves it in; `open` takes either back. A value that changes opens it again. To ignore, to open, and to acknowledge what is ignored take the role admin.",
  who: "member",
  body: Decision,
  bodyExample: { status: "acknowledged", reason: "scaled up for the launch" },
  success: {
    status: 200,
    description: "The change",
    schema: DecideDrift.output,
    example: { ...DRIFT_CHANGE, disposition: { status: "acknowledged", reason: "scaled up for the launch" } },
  },
  derive: (call) => {
    const mayIgnore = reaches(call.caller.roles.get(call.orgId) ?? "viewer", "admin");
    refuseUnlessMay(call, mayIgnore);
    return { decided_by: actorOf(call.caller), ...(!mayIgnore && { keeps_ignored: true }) };
  },
  audit: "drift_change.decide",
  auditDetails: (change) =>
    factsOf("status", "reason", "until")(isObject(change) ? change["disposition"] : undefined),
});

/** @throws {AppError} `forbidden` for a member who would change what counts as risk */
function refuseUnlessMay({ body }: Call, mayIgnore: boolean): void {
  if (mayIgnore || (isObject(body) && body["status"] === "acknowledged")) return;
  throw new AppError("forbidden", "to ignore a change, or to open it again, takes the role admin or above");
}

export const driftChanges: readonly Endpoint[] = [list, listOfSnapshot, diff, decide];
