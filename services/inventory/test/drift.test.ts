import { describe, expect, test } from "bun:test";

import { newOrg, ndjson, startInventory } from "./kit.ts";

const queue = (name: string) => ({
  provider_resource_id: `arn:aws:sqs:eu-west-1:123456789012:${name}`,
  provider_type: "AWS::SQS::Queue",
});

describe("while drift is computed", () => {
  test("an account has counts and no coverage, and once it is, has both", async () => {
    const slow = await startInventory({ worker: false });
    try {
      const org = newOrg(slow);
      const account = await org.account("aws", "123456789012");
      const scan = await org.startPush(account, ndjson([queue("a")]));
      expect(scan).toMatchObject({ status: "running", phase: "drift", stats: { seen: 1, undeclared: 1 } });
      const [pending] = await org.posture();
      expect(pending).toMatchObject({ drift_status: "pending", undeclared_count: 1, live_count: 1 });
      expect(pending).not.toContainAnyKeys([
        "coverage_pct",
        "coverage_reliable",
        "risk_level",
        "risk_counts",
      ]);

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

  test("a computation that fails records an empty snapshot, whose coverage is not to be relied on", async () => {
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
