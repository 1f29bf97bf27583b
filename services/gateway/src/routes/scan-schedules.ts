import {
  CreateSchedule,
  DeleteSchedule,
  GetSchedule,
  ListSchedules,
  NewScanSchedule,
  ScanScheduleChanges,
  UpdateSchedule,
} from "@leeway/shared/contracts/inventory/schedules";

import { factsOf } from "../audited.ts";
import { actorOf } from "../auth/caller.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import { pageOf } from "../openapi/examples.ts";
import { NEW_SCAN_SCHEDULE, SCAN_SCHEDULE } from "../openapi/schedule-examples.ts";

const TAG = "Scan schedules";
const COLLECTION = "/api/v2/orgs/:id/scan-schedules";
const ONE = `${COLLECTION}/:schedule_id`;

const list = relay(ListSchedules, {
  method: "GET",
  path: COLLECTION,
  operationId: "listScanSchedules",
  tag: TAG,
  summary: "List scan schedules",
  description: "When which account is scanned by itself, the oldest schedule first.",
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
    "Scans an account, which must have credentials, whenever its cron comes by the clock of its time zone: once an hour at most, and up to five minutes late, always the same for one schedule. What comes outside of the window waits for its opening; whatever waits is one scan.",
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
  audit: "scan_schedule.create",
  auditDetails: factsOf("account_id", "cron", "timezone", "enabled"),
  location: (orgId) => `/api/v2/orgs/${orgId}/scan-schedules/`,
});

const get = relay(GetSchedule, {
  method: "GET",
  path: ONE,
  operationId: "getScanSchedule",
  tag: TAG,
  summary: "Get a scan schedule",
  description: "The schedule, when it runs next, and why Leeway disabled it if it did.",
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
    "Sets what is given. `window: null` lets it run at any time; `enabled: true` takes credentials of the account, and forgets the failures that disabled it.",
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
  audit: "scan_schedule.update",
  auditDetails: factsOf("account_id", "cron", "timezone", "enabled"),
});

const remove = relay(DeleteSchedule, {
  method: "DELETE",
  path: ONE,
  operationId: "deleteScanSchedule",
  tag: TAG,
  summary: "Delete a scan schedule",
  description: "A scan that it has begun goes on.",
  who: "admin",
  success: { status: 204, description: "It is gone" },
  audit: "scan_schedule.delete",
  auditDetails: factsOf("account_id", "cron", "timezone", "enabled"),
  deletes: GetSchedule,
});

export const scanSchedules: readonly Endpoint[] = [list, create, get, update, remove];
