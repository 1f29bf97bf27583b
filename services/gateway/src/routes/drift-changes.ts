import {
  DecideDrift,
  Decision,
  DiffSnapshots,
  ListDriftChanges,
  ListSnapshotChanges,
} from "@leeway/shared/contracts/inventory/drift";
import {
  CompareDrift,
  GetDriftChange,
  GroupDriftChanges,
} from "@leeway/shared/contracts/inventory/drift-reads";
import { FindDeclaration, ListChangingPlans } from "@leeway/shared/contracts/analyzer/places";

import type { Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import {
  CHANGE_GROUP,
  CHANGING_PLAN,
  DECLARATION,
  DRIFT_CHANGE,
  DRIFT_CHANGE_DETAIL,
  DRIFT_DIFF,
  DRIFT_MOVEMENT,
} from "../examples/drift.ts";
import { pageOf } from "../examples/common.ts";
import { authorOf } from "./deciding.ts";

const ORGANIZATION = "/api/v2/orgs/:id";
const TAG = "Drift";

const list = relay(ListDriftChanges, {
  method: "GET",
  path: `${ORGANIZATION}/drift-changes`,
  operationId: "listDriftChanges",
  tag: TAG,
  summary: "List drift changes",
  description:
    "Lists current differences between accounts and their code, highest risk first: changed attributes, missing resources and undeclared resources.",
  who: "viewer",
  success: {
    status: 200,
    description: "The changes",
    schema: ListDriftChanges.output,
    example: pageOf(DRIFT_CHANGE),
  },
  errors: ["invalid_cursor"],
});

const get = relay(GetDriftChange, {
  method: "GET",
  path: `${ORGANIZATION}/drift-changes/:fingerprint`,
  operationId: "getDriftChange",
  tag: TAG,
  summary: "Get a drift change",
  description:
    "Returns a change that an account has or had, with its earlier values and the source that declares the resource. A change that is gone has the status `resolved`.",
  who: "viewer",
  success: {
    status: 200,
    description: "The change",
    schema: GetDriftChange.output,
    example: DRIFT_CHANGE_DETAIL,
  },
});

const group = relay(GroupDriftChanges, {
  method: "GET",
  path: `${ORGANIZATION}/drift-change-groups`,
  operationId: "groupDriftChanges",
  tag: TAG,
  summary: "Group drift changes",
  description:
    "Groups the changes that `GET /drift-changes` lists with the same filters: by cause, resource type, module, account, or the person who made them. Always one page.",
  who: "viewer",
  success: {
    status: 200,
    description: "The groups",
    schema: GroupDriftChanges.output,
    example: pageOf(CHANGE_GROUP),
  },
});

const compare = relay(CompareDrift, {
  method: "GET",
  path: `${ORGANIZATION}/drift-movement`,
  operationId: "getDriftMovement",
  tag: TAG,
  summary: "Compare drift with an earlier time",
  description:
    "Counts the changes that are new, worse or gone since a time, by account, risk level, resource type and person. `GET /drift-changes?since=` lists them.",
  who: "viewer",
  success: {
    status: 200,
    description: "The counts",
    schema: CompareDrift.output,
    example: DRIFT_MOVEMENT,
  },
});

const listOfSnapshot = relay(ListSnapshotChanges, {
  method: "GET",
  path: `${ORGANIZATION}/drift-snapshots/:snapshot_id/changes`,
  operationId: "listSnapshotChanges",
  tag: TAG,
  summary: "List a snapshot's changes",
  description:
    "Lists the changes in a snapshot, highest risk first, with their current decisions. Only ready snapshots have changes.",
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
    "Returns the changes that only the snapshot or only `base` contains. Both must belong to the same account.",
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
    "`ignored` removes a change from the risk, optionally until a time. `acknowledged` keeps it in the risk. `open` reverts either decision. A change reopens when its value changes. Ignoring, reopening, or acknowledging an ignored change requires the role admin.",
  who: "member",
  body: Decision,
  bodyExample: { status: "acknowledged", reason: "scaled up for the launch" },
  success: {
    status: 200,
    description: "The change",
    schema: DecideDrift.output,
    example: { ...DRIFT_CHANGE, disposition: { status: "acknowledged", reason: "scaled up for the launch" } },
  },
  derive: authorOf,
});

const declaration = relay(FindDeclaration, {
  method: "GET",
  path: `${ORGANIZATION}/drift-changes/:fingerprint/declaration`,
  operationId: "findDriftChangeDeclaration",
  tag: TAG,
  summary: "Find where a change is declared",
  description:
    "Returns the file and the lines of the block that declares the resource, with a link to them at the code host. The code is read from the source's `repository`. Without a single such block, `refused` says why.",
  who: "viewer",
  success: {
    status: 200,
    description: "The place in the code",
    schema: FindDeclaration.output,
    example: DECLARATION,
  },
  errors: ["not_found"],
});

const plans = relay(ListChangingPlans, {
  method: "GET",
  path: `${ORGANIZATION}/drift-changes/:fingerprint/plans`,
  operationId: "listPlansOfDriftChange",
  tag: TAG,
  summary: "List plans that change the same resource",
  description:
    "Lists the merge and pull requests whose latest plan changes the resource, newest first, at most 20. The plan's project and repository must be those of the resource's source.",
  who: "viewer",
  success: {
    status: 200,
    description: "The plans",
    schema: ListChangingPlans.output,
    example: { data: [CHANGING_PLAN] },
  },
  errors: ["not_found"],
});

export const driftChanges: readonly Endpoint[] = [
  list,
  group,
  compare,
  get,
  listOfSnapshot,
  diff,
  decide,
  declaration,
  plans,
];
