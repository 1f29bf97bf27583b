import { describe, expect, test } from "bun:test";

import { ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";
import { GetSnapshot, ListSnapshots } from "@leeway/shared/contracts/inventory/posture";
import { testLog } from "@leeway/shared/testing/testing";

import { computeDrift } from "../src/drift/compute-drift.ts";
import { sweepDrift } from "../src/drift/upkeep.ts";
import { giveUp } from "../src/drift/worker.ts";
import { connectInventory, newOrg, ndjson, startInventory } from "./kit.ts";

const ACCOUNT = "123456789012";

/** Columns that a row has either all of or none of. */
const JUDGEMENT = ["coverage_pct", "coverage_reliable", "risk_level", "risk_counts"] as const;

const queue = (name: string) => ({
  provider_resource_id: `arn:aws:sqs:eu-west-1:123456789012:${name}`,
  provider_type: "AWS::SQS::Queue",
});

describe("drift computation", () => {
  test("leaves an account with counts and no coverage until it is done", async () => {
    const slow = await startInventory({ worker: false });
    try {
      const org = newOrg(slow);
      const account = await org.account("aws", "123456789012");
      const scan = await org.startPush(account, ndjson([queue("a")]));
      expect(scan).toMatchObject({ status: "running", phase: "drift", stats: { seen: 1, undeclared: 1 } });
      const [pending] = await org.posture();
      expect(pending).toMatchObject({ drift_status: "pending", undeclared_count: 1, live_count: 1 });
      expect(pending).not.toContainAnyKeys([...JUDGEMENT]);

      await slow.startWorker();
      while ((await org.scan(scan.id)).status === "running") await Bun.sleep(10);
      expect((await org.posture())[0]).toMatchObject({
        drift_status: "ready",
        coverage_pct: 0,
        risk_level: "none",
      });
    } finally {
      await slow.stop();
    }
  });

  test("leaves its snapshot without coverage and risk until it is done", async () => {
    const slow = await startInventory({ worker: false });
    try {
      const org = newOrg(slow);
      const account = await org.account("aws", ACCOUNT);
      const scan = await org.startPush(account, ndjson([queue("a")]));
      const shown = async () => {
        const { data } = await slow.call(ListSnapshots, { org_id: org.id, limit: 1 });
        const snapshot_id = data[0]?.id ?? "";
        return [data[0], await slow.call(GetSnapshot, { org_id: org.id, snapshot_id })];
      };
      for (const snapshot of await shown()) {
        expect(snapshot).toMatchObject({ status: "pending" });
        expect(snapshot).not.toContainAnyKeys([...JUDGEMENT]);
      }

      await slow.startWorker();
      while ((await org.scan(scan.id)).status === "running") await Bun.sleep(10);
      for (const snapshot of await shown()) {
        expect(snapshot).toMatchObject({ status: "ready", coverage_pct: 0, risk_level: "none" });
        expect(snapshot).toContainKeys([...JUDGEMENT]);
      }
    } finally {
      await slow.stop();
    }
  });

  test("that fails records an empty snapshot with unreliable coverage", async () => {
    const broken = await startInventory();
    try {
      const { admin } = broken.test;
      await admin`
        create function inventory.refuse() returns trigger language plpgsql as
        $$ begin if new.status = 'ready' then raise 'no drift today'; end if; return new; end $$
      `;
      await admin`
        create trigger refuse before update on inventory.drift_snapshots
           for each row execute function inventory.refuse()
      `;
      const org = newOrg(broken);
      const scan = await org.pushListing(await org.account("aws", "123456789012"), ndjson([queue("a")]));
      expect(scan.status).toBe("succeeded");
      expect((await org.posture())[0]).toMatchObject({
        drift_status: "error",
        coverage_pct: 100,
        risk_level: "none",
        coverage_reliable: false,
        undeclared_count: 1,
      });
    } finally {
      await broken.stop();
    }
  });
});

describe("a drift computation", () => {
  test("that is given up leaves the scan unchanged and an empty snapshot", async () => {
    const slow = await startInventory({ worker: false });
    try {
      const org = newOrg(slow);
      const { id } = await org.startPush(await org.account("aws", ACCOUNT), ndjson([queue("a")]));
      await giveUp(slow, { org_id: org.id, scan_id: id }, "processing exceeded its time limit");
      expect(await org.scan(id)).toMatchObject({ status: "succeeded", errors: [] });
      expect((await org.posture())[0]).toMatchObject({
        drift_status: "error",
        coverage_pct: 100,
        coverage_reliable: false,
        last_scan_at: expect.any(String),
      });
    } finally {
      await slow.stop();
    }
  });

  test("started twice at once runs once", async () => {
    const slow = await startInventory({ worker: false });
    try {
      const org = newOrg(slow);
      const account = await org.account("aws", ACCOUNT);
      await org.startPush(account, ndjson([queue("a"), queue("b")]));
      const platform = { database: slow.database, bus: slow.bus, log: testLog() };
      await Promise.all([1, 2, 3].map(() => computeDrift(platform, org.id, account.id)));
      const { data } = await slow.call(ListDriftChanges, { org_id: org.id, limit: 10 });
      expect(data.map(({ seen_count }) => seen_count)).toEqual([1, 1]);
      const [row] = await slow.test
        .admin`select drift_number from inventory.cloud_accounts where org_id = ${org.id}`;
      expect(row).toEqual({ drift_number: 1 });
    } finally {
      await slow.stop();
    }
  });

  test("that takes too long in one account doesn't delay others", async () => {
    const slow = await startInventory({ worker: false });
    try {
      const org = newOrg(slow);
      const { admin } = slow.test;
      const accounts = [await org.account("aws", ACCOUNT), await org.account("aws", "222222222222")];
      for (const account of accounts) await org.startPush(account, "[]");
      const [stuck, other] = accounts.map(({ id }) => id);
      await admin`
        create function inventory.give_up() returns trigger language plpgsql as
        $$ begin raise exception using errcode = '57014'; end $$
      `;
      await admin.unsafe(`
        create trigger give_up before update of status on inventory.drift_snapshots
           for each row when (old.cloud_account_id = '${stuck}') execute function inventory.give_up()
      `);
      await admin`update inventory.drift_snapshots set touched_at = '-infinity' where cloud_account_id = ${stuck ?? ""}`;
      await sweepDrift({ database: slow.database, bus: slow.bus, log: testLog() }, 0);
      const status = async (id?: string) =>
        (await org.posture()).find((row) => row.cloud_account_id === id)?.drift_status;
      expect([await status(stuck), await status(other)]).toEqual(["pending", "ready"]);
    } finally {
      await slow.stop();
    }
  });

  test("that fails on expired ignores in one account doesn't delay others", async () => {
    const slow = await startInventory({ worker: false });
    try {
      const org = newOrg(slow);
      const { admin } = slow.test;
      const [stuck, other] = [await org.account("aws", ACCOUNT), await org.account("aws", "222222222222")];
      await org.startPush(other, "[]");
      await admin`
        insert into inventory.drift_fingerprints (
          org_id, fingerprint, cloud_account_id, kind, risk_level, hidden, values_hash, from_number, status, ignored_until
        ) values (${org.id}, 'dc1_0', ${stuck.id}, 'changed', 'low', false, '', 1, 'ignored', now() - interval '1 s')
      `;
      await admin`
        create function inventory.give_up() returns trigger language plpgsql as
        $$ begin raise exception using errcode = '57014'; end $$
      `;
      await admin`
        create trigger give_up before update of status on inventory.drift_fingerprints
           for each row execute function inventory.give_up()
      `;
      await sweepDrift({ database: slow.database, bus: slow.bus, log: testLog() }, 0);
      const row = (await org.posture()).find(({ cloud_account_id: id }) => id === other.id);
      expect(row?.drift_status).toBe("ready");
    } finally {
      await slow.stop();
    }
  });

  test("whose process is killed is done by another", async () => {
    const killed = await connectInventory();
    const heir = newOrg(killed);
    const account = await heir.account("aws", ACCOUNT);
    const { admin } = killed.test;
    // Pauses here, as a computation for many resources would be busy.
    await admin`
      create function inventory.wait() returns trigger language plpgsql as
      $$ begin perform pg_sleep(30); return new; end $$
    `;
    await admin`
      create trigger wait before insert on inventory.drift_fingerprints
         for each statement execute function inventory.wait()
    `;
    try {
      await heir.startPush(account, ndjson([queue("a")]));
      const isAtWork = async () =>
        (
          await admin`select from pg_stat_activity where query like '%insert into inventory.drift_fingerprints%' and state = 'active' and pid <> pg_backend_pid()`
        ).count > 0;
      while (!(await isAtWork())) await Bun.sleep(20);
      await killed.kill();
      await admin`drop trigger wait on inventory.drift_fingerprints`.catch(() => undefined);
      expect((await admin`select from inventory.drift_changes`).count).toBe(0);
      const platform = { database: killed.database, bus: killed.bus, log: testLog() };
      await sweepDrift(platform, 0);
      expect((await admin`select kind from inventory.drift_changes`).map(({ kind }) => kind)).toEqual([
        "undeclared",
      ]);
      expect((await admin`select status from inventory.drift_snapshots`).map(({ status }) => status)).toEqual(
        ["ready"],
      );
    } finally {
      await killed.stop();
    }
  });
});
