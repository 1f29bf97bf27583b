import {
  CreateSchedule,
  DeleteSchedule,
  GetSchedule,
  ListSchedules,
  NewScanSchedule,
  ScanScheduleChanges,
  UpdateSchedule,
} from "@leeway/shared/contracts/inventory/schedules";

import { actorOf } from "../auth/caller.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import { pageOf } from "../examples/common.ts";
import { NEW_SCAN_SCHEDULE, SCAN_SCHEDULE } from "../examples/schedules.ts";

const TAG = "Scan schedules";
const COLLECTION = "/api/v2/orgs/:id/scan-schedules";
const ONE = `${COLLECTION}/:schedule_id`;

const list = relay(ListSchedules, {
  method: "GET",
  path: COLLECTION,
  operationId: "listScanSchedules",
  tag: TAG,
  summary: "List scan schedules",
  description: "Lists the schedules of automatic scans, oldest first.",
  who: "viewer",
  success: {
    status: 200,
    description: "The schedules",
    schema: ListSchedules.output,
    example: pageOf(SCAN_SCHEDULE),
  },
  errors: ["invalid_cursor"],
});

const create = relay(CreateSchedule, {
  method: "POST",
  path: COLLECTION,
  operationId: "createScanSchedule",
  tag: TAG,
  summary: "Create a scan schedule",
  description:
    "Scans an account with credentials at the times of `cron` in `timezone`, at most once an hour and up to five minutes late. The delay is the same each time. Runs outside the window wait until it opens; several waiting runs become one scan.",
  who: "admin",
  body: NewScanSchedule,
  bodyExample: NEW_SCAN_SCHEDULE,
  success: {
    status: 201,
    description: "The schedule",
    schema: CreateSchedule.output,
    example: SCAN_SCHEDULE,
  },
  errors: ["conflict", "no_credentials", "not_found"],
  creates: true,
  derive: ({ caller, attemptId }) => ({ schedule_id: attemptId, created_by: actorOf(caller) }),
  location: (orgId) => `/api/v2/orgs/${orgId}/scan-schedules/`,
});

const get = relay(GetSchedule, {
  method: "GET",
  path: ONE,
  operationId: "getScanSchedule",
  tag: TAG,
  summary: "Get a scan schedule",
  description: "Returns the schedule, its next run, and why Leeway disabled it if so.",
  who: "viewer",
  success: { status: 200, description: "The schedule", schema: GetSchedule.output, example: SCAN_SCHEDULE },
});

const update = relay(UpdateSchedule, {
  method: "PATCH",
  path: ONE,
  operationId: "updateScanSchedule",
  tag: TAG,
  summary: "Change a scan schedule",
  description:
    "Changes only the given fields. `window: null` allows any time. `enabled: true` requires credentials in the account and resets the failures that disabled the schedule.",
  who: "admin",
  body: ScanScheduleChanges,
  bodyExample: { enabled: true },
  success: {
    status: 200,
    description: "The schedule",
    schema: UpdateSchedule.output,
    example: SCAN_SCHEDULE,
  },
  errors: ["empty_update", "no_credentials"],
});

const remove = relay(DeleteSchedule, {
  method: "DELETE",
  path: ONE,
  operationId: "deleteScanSchedule",
  tag: TAG,
  summary: "Delete a scan schedule",
  description: "Deletes the schedule. A running scan continues.",
  who: "admin",
  success: { status: 204, description: "Deleted" },
});

export const scanSchedules: readonly Endpoint[] = [list, create, get, update, remove];
