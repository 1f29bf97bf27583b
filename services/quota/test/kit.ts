import { serve } from "@leeway/shared/bus/answer";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import type { Input, Output, RequestContract } from "@leeway/shared/contracts/contract";
import type { PlanChoice } from "@leeway/shared/contracts/quota/plans";
import { SetPlan } from "@leeway/shared/contracts/quota/plans";
import { testBus, testDatabase, testLog, type TestDatabase } from "@leeway/shared/testing/testing";
import type { Static } from "@sinclair/typebox";

import { handlers } from "../src/handlers.ts";
import { SCHEMA } from "../src/schema.ts";
import { openQuota } from "../src/start.ts";
import { RING } from "./support/models.ts";

/** A quota service for one test: real database, real bus, and a clock that stops once it is set. */
export interface TestQuota {
  db: TestDatabase;
  bus: BusConnection;
  call<C extends RequestContract>(contract: C, input: Input<C>): Promise<Output<C>>;
  /** Creates an organization with these caps; -1 by default. */
  newOrg(caps: { weekly?: number; hourly?: number }): Promise<string>;
  setPlan(orgId: string, choice: Static<typeof PlanChoice>): Promise<void>;
  setClock(at: Date | string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the service without its sweep, because by the test's clock any held slot could be expired. */
export async function startTestQuota(): Promise<TestQuota> {
  const db = await testDatabase([SCHEMA]);
  await db.admin.unsafe(SETTABLE_CLOCK);
  const bus = await testBus("quota");
  const log = testLog();
  const { dependencies, drain } = openQuota(
    { database: db.open(SCHEMA.service), bus, log },
    { ring: RING, egressAllow: [], platformModel: undefined },
  );
  const stopServing = serve(bus, { service: SCHEMA.service, endpoints: handlers(dependencies), log });
  const ask = <C extends RequestContract>(contract: C, input: Input<C>) => call(bus, contract, input);
  return {
    db,
    bus,
    call: ask,
    async newOrg({ weekly = -1, hourly = -1 }) {
      const orgId = crypto.randomUUID();
      const caps = { weekly_platform_llm_quota: weekly, hourly_platform_llm_limit: hourly };
      await ask(SetPlan, { org_id: orgId, plan: "enterprise", ...caps });
      return orgId;
    },
    async setPlan(orgId, choice) {
      await ask(SetPlan, { org_id: orgId, ...choice });
    },
    async setClock(at) {
      await db.admin`update clock.hands set at = ${new Date(at).toISOString()}::timestamptz`;
    },
    async stop() {
      await stopServing();
      await drain();
      await bus.nats.close();
      await db.drop();
    },
  };
}

/** Replaces the clock of the functions with one that tests can set; until then it runs. */
const SETTABLE_CLOCK = `
  create schema clock;
  create table clock.hands (at timestamptz);
  insert into clock.hands values (null);
  create or replace function quota.clock() returns timestamptz
  language sql volatile security definer as 'select coalesce(at, clock_timestamp()) from clock.hands';
`;

/** A reservation as stored. */
export interface StoredSlot {
  id: string;
  state: string;
  week_start: Date | null;
  hour_start: Date | null;
}

/** Returns an organization's rows of all tables. */
export async function stored(
  { admin }: TestDatabase,
  orgId: string,
): Promise<{
  usage: { week_start: Date; week_used: number; hour_start: Date; hour_used: number } | undefined;
  slots: StoredSlot[];
}> {
  const [usage] = await admin<{ week_start: Date; week_used: number; hour_start: Date; hour_used: number }[]>`
    select week_start, week_used, hour_start, hour_used from quota.usage where org_id = ${orgId}
  `;
  const slots = await admin<StoredSlot[]>`
    select id, state, week_start, hour_start from quota.reservations where org_id = ${orgId}
  `;
  return { usage, slots: [...slots] };
}
