import { afterAll, beforeAll } from "bun:test";

import type { Input } from "@leeway/shared/contracts/contract";
import { CreateAccount } from "@leeway/shared/contracts/inventory/accounts";
import { ListScans, type Scan } from "@leeway/shared/contracts/inventory/scans";
import {
  CreateSchedule,
  GetSchedule,
  UpdateSchedule,
  type ScanSchedule,
} from "@leeway/shared/contracts/inventory/schedules";
import type { Platform } from "@leeway/shared/service/service";
import { testLog } from "@leeway/shared/testing/testing";

import { startInventory, type TestInventory } from "./kit.ts";

export const ACTOR = { type: "person" as const, id: "ada" };
export const CREDENTIALS = { kind: "aws_role" as const, role_arn: "arn:aws:iam::111111111111:role/leeway" };
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

export interface Org {
  org_id: string;
  account_id: string;
}
export type ScheduleInput = Partial<Input<typeof CreateSchedule>>;

export const plus = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

/** Starts an inventory whose schedules run on demand, for the tests of one file. */
export function scheduling() {
  let inventory: TestInventory;
  let platform: Platform;
  beforeAll(async () => {
    inventory = await startInventory({ worker: false });
    const { database, bus } = inventory;
    platform = { database, bus, log: testLog() };
  });
  afterAll(() => inventory.stop());

  const scheduleOf = ({ org_id }: Org, { id }: { id: string }): Promise<ScanSchedule> =>
    inventory.call(GetSchedule, { org_id, schedule_id: id });
  return {
    get inventory() {
      return inventory;
    },
    get platform() {
      return platform;
    },
    async newOrg(): Promise<Org> {
      const org_id = crypto.randomUUID();
      const account = { org_id, provider: "aws", external_id: "111111111111", credentials: CREDENTIALS };
      return { org_id, account_id: (await inventory.call(CreateAccount, account)).id };
    },
    newSchedule: (org: Org, input: ScheduleInput = {}): Promise<ScanSchedule> =>
      inventory.call(CreateSchedule, { ...org, created_by: ACTOR, cron: "@hourly", ...input }),
    scheduleOf,
    change: ({ org_id }: Org, { id }: { id: string }, changes: object): Promise<ScanSchedule> =>
      inventory.call(UpdateSchedule, { org_id, schedule_id: id, ...changes }),
    /** Returns an organization's scans, newest first. */
    scansOf: async ({ org_id }: Org): Promise<Scan[]> =>
      (await inventory.call(ListScans, { org_id, limit: 500 })).data,
    /** Returns the time of a schedule's next run. */
    async nextOf(org: Org, schedule: { id: string }): Promise<Date> {
      const { next_run_at } = await scheduleOf(org, schedule);
      if (next_run_at === undefined) throw new Error("it is off");
      return new Date(next_run_at);
    },
    /** Ends the open scan of an organization, as its worker would. */
    async endScan({ org_id }: Org, status: Scan["status"], message = "the cloud said no"): Promise<void> {
      const errors = status === "succeeded" ? [] : [{ code: "permission_denied", message, count: 1 }];
      await inventory.test.admin`
        update inventory.scans
           set status = ${status}, finished_at = clock.now, errors = ${JSON.stringify(errors)}::text::jsonb
          from (select clock_timestamp() as now) clock
         where org_id = ${org_id}
           and status in ('queued', 'running')
      `;
    },
  };
}
