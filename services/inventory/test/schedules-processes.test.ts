import { testDatabase, testServers, type TestDatabase } from "@leeway/shared/testing/testing";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { SCHEMA } from "../src/schema.ts";

setDefaultTimeout(120_000); // these tests start processes

const here = (path: string): string => JSON.stringify(new URL(path, import.meta.url).pathname);

/** Program that runs schedules in a process of its own until it is stopped. */
const SCHEDULER = `
  import { connectBus } from "@leeway/shared/bus/connection";
  import { openDatabase } from "@leeway/shared/database/database";
  import { createLogger } from "@leeway/shared/platform/telemetry/log";
  import { startSchedules } from ${here("../src/schedules/start.ts")};
  const log = createLogger("inventory", "error");
  const database = openDatabase({ url: Bun.env.DATABASE_URL, service: "inventory" });
  const bus = await connectBus({ url: Bun.env.NATS_URL, name: "scheduler", log });
  startSchedules({ database, bus, log });
`;

let db: TestDatabase;
const processes = new Set<Bun.Subprocess>();
beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
});
afterAll(async () => {
  for (const child of processes) child.kill("SIGKILL");
  await Promise.all([...processes].map(({ exited }) => exited));
  await db.drop();
});

function startScheduler(): Bun.Subprocess {
  const child = Bun.spawn([process.execPath, "-e", SCHEDULER], {
    cwd: import.meta.dir,
    env: { ...Bun.env, DATABASE_URL: db.urlOf("inventory"), NATS_URL: testServers().natsUrl },
  });
  processes.add(child);
  return child;
}

/** Creates schedules for fifty organizations, each with its own account, all due within this minute. */
async function fill(schedules: number): Promise<void> {
  await db.admin`
    with accounts as (
      insert into inventory.cloud_accounts (
        org_id, id, provider, cloud, external_id, credential_kind, sealed_credentials
      )
      select md5((n % 50)::text)::uuid, gen_random_uuid(), 'aws', 'aws', n::text, 'static', ''
        from generate_series(1, ${schedules}) n
      returning org_id, id, external_id
    )
    insert into inventory.scan_schedules (
      org_id, id, account_id, cron, timezone, enabled, next_run_at, created_by
    )
    select org_id, gen_random_uuid(), id, '@hourly', 'UTC', true,
           now() - (external_id::integer % 60) * interval '1 second', '{}'
      from accounts
  `;
}

interface Count {
  scans: number;
  accounts: number;
  due: number;
  skipped: number;
  hours: number;
}

async function count(): Promise<Count> {
  const [row] = await db.admin<Count[]>`
    select (select count(*) from inventory.scans)::integer as scans,
           (select count(distinct account_id) from inventory.scans)::integer as accounts,
           count(*) filter (where next_run_at <= now())::integer as due,
           count(*) filter (where skipped_at is not null)::integer as skipped,
           extract(epoch from max(next_run_at) - now())::integer / 3600 as hours
      from inventory.scan_schedules
  `;
  if (!row) throw new Error("no count");
  return row;
}

test("four processes run each of 1,000 due schedules once, even if one is killed", async () => {
  await fill(1_000);
  const [first] = [startScheduler(), startScheduler(), startScheduler(), startScheduler()];
  while ((await count()).scans < 50) await Bun.sleep(5);
  first?.kill("SIGKILL");
  expect((await count()).due).toBeGreaterThan(0);
  while ((await count()).due > 0) await Bun.sleep(20);
  await Bun.sleep(2_500); // each checks once more
  expect(await count()).toEqual({ scans: 1_000, accounts: 1_000, due: 0, skipped: 0, hours: 1 });
});
