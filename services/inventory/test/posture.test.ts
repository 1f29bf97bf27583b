import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { newOrg, ndjson, startInventory, tfstate, type TestInventory } from "./kit.ts";

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const queue = (name: string, account = "123456789012") => ({
  provider_resource_id: `arn:aws:sqs:eu-west-1:${account}:${name}`,
  provider_type: "AWS::SQS::Queue",
});
const declaredQueue = (name: string, account = "123456789012") => ({
  type: "aws_sqs_queue",
  name,
  attributes: {
    id: `https://sqs.eu-west-1.amazonaws.com/${account}/${name}`,
    arn: queue(name, account).provider_resource_id,
  },
});

describe("posture", () => {
  test("of a never scanned account has no coverage and no risk", async () => {
    const org = newOrg(inventory);
    const account = await org.account("aws", "123456789012");
    const [row] = await org.posture();
    expect(row).toEqual({
      cloud_account_id: account.id,
      provider: "aws",
      external_id: "123456789012",
      live_count: 0,
      matched_count: 0,
      undeclared_count: 0,
      unchecked_count: 0,
      excluded_count: 0,
      missing_count: 0,
      unobserved_count: 0,
      drift_status: "none",
    });
  });

  test("has coverage of live resources, and counts missing ones by loss", async () => {
    const org = newOrg(inventory);
    const account = await org.account("aws", "123456789012");
    await org.pushState(
      await org.source("jobs"),
      tfstate([declaredQueue("a"), declaredQueue("b"), declaredQueue("gone")]),
    );
    await org.pushListing(account, ndjson([queue("a"), queue("b"), queue("extra")]));
    const [row] = await org.posture();
    expect(row).toMatchObject({
      coverage_pct: 66.67,
      coverage_reliable: true,
      live_count: 3,
      matched_count: 2,
      undeclared_count: 1,
      missing_count: 1,
      risk_level: "critical",
      risk_counts: { critical: 1, high: 0, medium: 0, low: 0 },
      drift_status: "ready",
    });
  });

  test("is unreliable if five percent couldn't be compared", async () => {
    const org = newOrg(inventory);
    const account = await org.account("aws", "123456789012");
    const unknown = { provider_resource_id: "thing-1", provider_type: "Acme::Rocket::Engine" };
    await org.pushListing(
      account,
      ndjson([...Array.from({ length: 19 }, (_, index) => queue(`q${index}`)), unknown]),
    );
    expect((await org.posture())[0]).toMatchObject({
      unchecked_count: 1,
      undeclared_count: 20,
      coverage_reliable: false,
    });
  });

  test("is sorted by coverage, accounts without it last", async () => {
    const org = newOrg(inventory);
    const accounts = ["111111111111", "222222222222", "333333333333", "444444444444"];
    const made = [];
    for (const id of accounts) made.push(await org.account("aws", id));
    const [none, all, half] = made;
    const states = [declaredQueue("x", "222222222222"), declaredQueue("z", "333333333333")];
    await org.pushState(await org.source("queues"), tfstate(states));
    await org.pushListing(all!, ndjson([queue("x", "222222222222")]));
    await org.pushListing(half!, ndjson([queue("z", "333333333333"), queue("y", "333333333333")]));
    const rows = await org.posture();
    expect(rows.map(({ external_id, coverage_pct }) => [external_id, coverage_pct])).toEqual([
      ["333333333333", 50],
      ["222222222222", 100],
      ["111111111111", undefined],
      ["444444444444", undefined],
    ]);
    expect(rows[2]?.cloud_account_id).toBe(none!.id);
  });

  test("changes as soon as a state is pushed, without a scan", async () => {
    const org = newOrg(inventory);
    const account = await org.account("aws", "123456789012");
    await org.pushListing(account, ndjson([queue("a"), queue("b")]));
    const before = await org.posture();
    const source = await org.source("jobs");
    const pushed = await org.pushState(source, tfstate([declaredQueue("a")]));
    const after = await org.posture();
    expect([before[0]?.coverage_pct, after[0]?.coverage_pct]).toEqual([0, 50]);
    expect(pushed).toMatchObject({ resource_count: 1, matched_count: 1, missing_count: 0 });
    expect(after[0]?.drift_snapshot_id).not.toBe(before[0]?.drift_snapshot_id);
  });

  test("counts an empty account as covered", async () => {
    const org = newOrg(inventory);
    await org.pushListing(await org.account("aws", "123456789012"), "[]");
    expect((await org.posture())[0]).toMatchObject({
      coverage_pct: 100,
      live_count: 0,
      coverage_reliable: true,
    });
  });
});
