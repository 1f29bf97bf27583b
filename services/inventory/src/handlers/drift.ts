import { answer, answerJson, type Endpoint } from "@leeway/shared/bus/answer";
import * as decisions from "@leeway/shared/contracts/inventory/decisions";
import * as drift from "@leeway/shared/contracts/inventory/drift";
import * as reads from "@leeway/shared/contracts/inventory/drift-reads";
import * as posture from "@leeway/shared/contracts/inventory/posture";
import { AppError } from "@leeway/shared/values/errors";
import { pageOf } from "@leeway/shared/bus/pages";

import type { Dependencies } from "../dependencies.ts";
import { decideDrift } from "../drift/decide-drift.ts";
import { decideMany, undoMany } from "../drift/decide-many.ts";
import { declaredChange } from "../drift/declared-change.ts";
import { diffSnapshots, findPlace } from "../drift/diff-snapshots.ts";
import { presentFilter } from "../drift/present-filter.ts";
import { listPresent, listWithin, type PlacedChange } from "../drift/store/changes.ts";
import { groupPresent } from "../drift/store/groups.ts";
import { movementSince } from "../drift/store/movement.ts";
import { findChange } from "../drift/store/one-change.ts";
import { listDecisions } from "../drift/store/many-decisions.ts";
import { getSnapshot, listSnapshots, noteNarrative } from "../drift/store/snapshots.ts";

const json = (row: object): string => JSON.stringify(row);

const DAY_MS = 86_400_000;

export function driftHandlers({ database, cursors }: Dependencies): Endpoint[] {
  return [
    answerJson(posture.ListSnapshots, (input) => {
      const filter = { accountId: input.account_id, status: input.status };
      return pageOf(cursors, "drift-snapshots", input, {
        fetch: ({ from, limit }) =>
          listSnapshots(database.org(input.org_id), filter, { before: from, limit }),
        json,
      });
    }),
    answer(posture.GetSnapshot, async ({ org_id, snapshot_id }) => {
      const snapshot = await getSnapshot(database.org(org_id), snapshot_id);
      if (!snapshot) throw new AppError("not_found", "the drift snapshot doesn't exist");
      return snapshot;
    }),
    answer(posture.NoteNarrative, async ({ org_id, snapshot_id, narrative }) => {
      const noted = await noteNarrative(database.org(org_id), snapshot_id, narrative);
      if (!noted) throw new AppError("not_found", "the drift snapshot doesn't exist");
      return {};
    }),
    ...presentHandlers({ database, cursors }),
    answerJson(drift.ListSnapshotChanges, async (input) => {
      const { org_id, snapshot_id, kind, risk_level, noise, hidden, ignored } = input;
      const filter = { kind, riskLevel: risk_level, noise, hidden, ignored };
      const { place } = await findPlace(database.org(org_id), snapshot_id);
      return pageOf<PlacedChange>(cursors, "snapshot-changes", input, {
        fetch: async ({ from: after, limit }) => {
          const page = { filter, window: { after, limit } };
          return place ? listWithin(database.org(org_id), place, page) : [];
        },
        json: ({ change }) => json(change),
      });
    }),
    answer(drift.DiffSnapshots, (input) => diffSnapshots(database, input)),
    answer(drift.GetDeclaredChange, (input) => declaredChange(database, input)),
    answer(drift.DecideDrift, (input) => decideDrift(database, input)),
  ];
}

/** Handlers of reads of the changes that accounts have now. */
function presentHandlers({ database, cursors }: Pick<Dependencies, "database" | "cursors">): Endpoint[] {
  return [
    answerJson(drift.ListDriftChanges, (input) => {
      const filter = presentFilter(input);
      return pageOf<PlacedChange>(cursors, "drift-changes", input, {
        fetch: ({ from: after, limit }) =>
          listPresent(database.org(input.org_id), filter, { after, limit, sort: input.sort }),
        json: ({ change }) => json(change),
      });
    }),
    answer(reads.GroupDriftChanges, async (input) => ({
      data: await groupPresent(database.org(input.org_id), input.by ?? "cause", presentFilter(input)),
    })),
    answer(reads.CompareDrift, ({ org_id, since }) =>
      movementSince(database.org(org_id), since ?? new Date(Date.now() - DAY_MS).toISOString()),
    ),
    answer(reads.GetDriftChange, async ({ org_id, fingerprint }) => {
      const change = await findChange(database.org(org_id), fingerprint);
      if (!change) throw new AppError("not_found", "no account has or had this change");
      return change;
    }),
  ];
}

export function decisionHandlers({ database, cursors }: Dependencies): Endpoint[] {
  return [
    answer(decisions.DecideMany, (input) => decideMany(database, input)),
    answer(decisions.UndoDecision, (input) => undoMany(database, input)),
    answerJson(decisions.ListDecisions, (input) =>
      pageOf(cursors, "drift-decisions", input, {
        fetch: ({ from, limit }) => listDecisions(database.org(input.org_id), { before: from, limit }),
        json,
      }),
    ),
  ];
}
