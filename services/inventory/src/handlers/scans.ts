import { answer, answerJson, type Endpoint } from "@leeway/shared/bus/answer";
import * as scans from "@leeway/shared/contracts/inventory/scans";
import * as schedules from "@leeway/shared/contracts/inventory/schedules";
import { pageOf } from "@leeway/shared/bus/pages";

import type { Dependencies } from "../dependencies.ts";
import { rescanProjects } from "../scans/pull/rescan-projects.ts";
import { requestScan } from "../scans/pull/request-scan.ts";
import { pushListing } from "../scans/push-listing.ts";
import { callOffScan, findScan } from "../scans/scans.ts";
import { listScans } from "../scans/store/scans.ts";
import { addSchedule, changeSchedule, findSchedule, removeSchedule } from "../schedules/schedules.ts";
import { listSchedules } from "../schedules/store/schedules.ts";

const json = (row: object): string => JSON.stringify(row);

export function scanHandlers(deps: Dependencies): Endpoint[] {
  const { database, cursors } = deps;
  return [
    answer(scans.CreateScan, (input) => requestScan(deps, input)),
    answer(scans.RescanProjects, (input) => rescanProjects(deps, input)),
    answer(scans.PushListing, (input) => pushListing(deps, input)),
    answer(scans.GetScan, ({ org_id, scan_id }) => findScan(database, org_id, scan_id)),
    answer(scans.CancelScan, (input) => callOffScan(database, input)),
    answerJson(scans.ListScans, (input) => {
      const { account_id, status, trigger } = input;
      return pageOf(cursors, "scans", input, {
        fetch: ({ from, limit }) =>
          listScans(
            database.org(input.org_id),
            { accountId: account_id, status, trigger },
            { before: from, limit },
          ),
        json,
      });
    }),
  ];
}

export function scheduleHandlers({ database, cursors }: Dependencies): Endpoint[] {
  return [
    answer(schedules.CreateSchedule, (input) => addSchedule(database, input)),
    answer(schedules.GetSchedule, ({ org_id, schedule_id }) => findSchedule(database, org_id, schedule_id)),
    answer(schedules.UpdateSchedule, (input) => changeSchedule(database, input)),
    answer(schedules.DeleteSchedule, async (input) => {
      await removeSchedule(database, input);
      return {};
    }),
    answerJson(schedules.ListSchedules, (input) =>
      pageOf(cursors, "scan-schedules", input, {
        fetch: ({ from, limit }) =>
          listSchedules(database.org(input.org_id), { accountId: input.account_id }, { after: from, limit }),
        json,
      }),
    ),
  ];
}
