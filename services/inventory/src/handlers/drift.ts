import { answer, answerJson, type Endpoint } from "@leeway/shared/bus/answer";
import * as drift from "@leeway/shared/contracts/inventory/drift";
import * as posture from "@leeway/shared/contracts/inventory/posture";
import { AppError } from "@leeway/shared/errors";
import { pageOf } from "@leeway/shared/pages";

import type { Dependencies } from "../dependencies.ts";
import { decideDrift } from "../drift/decide-drift.ts";
import { diffSnapshots, findPlace } from "../drift/diff-snapshots.ts";
import { listPresent, listWithin, type PlacedChange } from "../drift/store/changes.ts";
import { getSnapshot, listSnapshots, noteNarrative } from "../drift/store/snapshots.ts";

const json = (row: object): string => JSON.stringify(row);

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
      if (!snapshot) throw new AppError("not_found", "no such drift snapshot");
      return snapshot;
    }),
    answer(posture.NoteNarrative, async ({ org_id, snapshot_id, narrative }) => {
      const noted = await noteNarrative(database.org(org_id), snapshot_id, narrative);
      if (!noted) throw new AppError("not_found", "no such drift snapshot");
      return {};
    }),
    answerJson(drift.ListDriftChanges, (input) => {
      const { account_id, kind, risk_level, noise, disposition } = input;
      const filter = { accountId: account_id, kind, riskLevel: risk_level, noise, disposition };
      return pageOf<PlacedChange>(cursors, "drift-changes", input, {
        fetch: ({ from, limit }) => listPresent(database.org(input.org_id), filter, { after: from, limit }),
        json: ({ change }) => json(change),
      });
    }),
    answerJson(drift.ListSnapshotChanges, async (input) => {
      const { org_id, snapshot_id, kind, risk_level, noise, ignored } = input;
      const filter = { kind, riskLevel: risk_level, noise, ignored };
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
    answer(drift.DecideDrift, (input) => decideDrift(database, input)),
  ];
}
