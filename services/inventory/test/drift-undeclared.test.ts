import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { DecideDrift, ListDriftChanges, type DriftChange } from "@leeway/shared/contracts/inventory/drift";
import { GetTrend, ListSnapshots } from "@leeway/shared/contracts/inventory/posture";
import { testLog } from "@leeway/shared/testing/testing";

import { failSnapshots } from "../src/drift/store/snapshots.ts";
import { sweepDrift } from "../src/drift/upkeep.ts";
import { ndjson, newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

const ACCOUNT = "123456789012";
const BY = { type: "person" as const, id: "ada" };
const arnOf = (id: string): string => `arn:aws:ec2:eu-west-1:${ACCOUNT}:security-group/${id}`;

const rule = (port: number, cidr: string) => ({
  ipProtocol: "tcp",
  fromPort: port,
  toPort: port,
  ipRanges: [cidr],
});
const OPEN = rule(22, "0.0.0.0/0");
const CLOSED = rule(443, "10.0.0.0/8");
const group = (id: string, ...ipPermissions: object[]) => ({
  provider_resource_id: arnOf(id),
  provider_type: "AWS::EC2::SecurityGroup",
  name: id,
  properties: { groupId: id, groupName: id, ipPermissions, ipPermissionsEgress: [] },
});
const bare = (type: string, arn: string) => ({ provider_resource_id: arn, provider_type: type });
const QUEUE = bare("AWS::SQS::Queue", `arn:aws:sqs:eu-west-1:${ACCOUNT}:q`);
const USER = bare("AWS::IAM::User", `arn:aws:iam::${ACCOUNT}:user/anna`);

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

/** Creates an account without declared resources. */
async function newAccount() {
  const org = newOrg(inventory);
  const org_id = org.id;
  const account = await org.account("aws", ACCOUNT);
  const changes = async (
    filter: { risk_level?: DriftChange["risk_level"]; kind?: DriftChange["kind"] } = {},
  ) => (await inventory.call(ListDriftChanges, { org_id, limit: 100, ...filter })).data;
  return {
    org,
    account,
    changes,
    list: (...rows: object[]) => org.pushListing(account, ndjson(rows)),
    async decide(id: string, decision: { status: "open" | "acknowledged" | "ignored"; until?: string }) {
      const change = (await changes()).find(({ resource_name }) => resource_name === id);
      const fingerprint = change?.fingerprint ?? "";
      return inventory.call(DecideDrift, { org_id, fingerprint, decided_by: BY, ...decision });
    },
    async statusOf(id: string) {
      return (await changes()).find(({ resource_name }) => resource_name === id)?.disposition.status;
    },
    async risk() {
      const [row] = await org.posture();
      const { risk_level, undeclared_risk_level: level, undeclared_risk_counts: counts } = row ?? {};
      return [risk_level, level, counts && Object.values(counts).join(" ")];
    },
  };
}

const summaryOf = (changes: readonly DriftChange[]): string[] =>
  changes.map(({ risk_level, provider_resource_id: id, risk_flags }) =>
    [risk_level, id?.split(/[:/]/).at(-1), ...risk_flags.map(({ rule }) => rule)].join(" "),
  );

describe("an undeclared resource", () => {
  test("has the risk of a plan that creates it, or only of its type", async () => {
    const { list, changes } = await newAccount();
    await list(group("open", OPEN), group("closed", CLOSED), QUEUE, USER);
    const found = await changes();
    expect(summaryOf(found.slice(0, 1))).toEqual(["critical open R09"]);
    expect(summaryOf(found.slice(1, 3)).toSorted()).toEqual(["medium anna R12", "medium closed R08"]);
    expect(summaryOf(found.slice(3))).toEqual(["low q R20"]);
    expect(found[0]).toMatchObject({
      kind: "undeclared",
      actions: ["create"],
      resource_type: "AWS::EC2::SecurityGroup",
      attribute_changes: [],
      risk_flags: [
        {
          flag: "internet_exposure",
          evidence: [["ingress", 0, "cidr_blocks"]],
          message: expect.stringContaining("22"),
        },
      ],
    });
    expect(summaryOf(await changes({ risk_level: "critical" }))).toEqual(summaryOf(found.slice(0, 1)));
    expect(await changes({ risk_level: "none" })).toEqual([]);
    expect(await changes({ risk_level: "low", kind: "undeclared" })).toHaveLength(1);
  });

  test("counts next to the risk in posture, snapshots and trend", async () => {
    const { org, list } = await newAccount();
    await list(group("open", OPEN), group("closed", CLOSED), QUEUE);
    const wanted = {
      coverage_pct: 0,
      risk_level: "none",
      risk_counts: { critical: 0, high: 0, medium: 0, low: 0 },
      undeclared_risk_level: "critical",
      undeclared_risk_counts: { critical: 1, high: 0, medium: 1, low: 1 },
    };
    expect((await org.posture())[0]).toMatchObject(wanted);
    const { data } = await inventory.call(ListSnapshots, { org_id: org.id, limit: 1 });
    expect(data).toMatchObject([wanted]);
    const trend = await inventory.call(GetTrend, { org_id: org.id, days: 1 });
    expect(trend.data).toMatchObject([wanted]);
  });

  test("has no level before its first comparison or after a failed one", async () => {
    const { org, account, list, risk } = await newAccount();
    expect(await risk()).toEqual([undefined, undefined, undefined]);
    await list(group("open", OPEN));
    await inventory.test.admin`
      update inventory.drift_snapshots set status = 'pending', undeclared_critical_count = null,
             undeclared_high_count = null, undeclared_medium_count = null, undeclared_low_count = null
       where org_id = ${org.id}
    `;
    const { data } = await inventory.call(ListSnapshots, { org_id: org.id, limit: 1 });
    const sql = inventory.database.org(org.id);
    await failSnapshots(
      sql,
      data.map(({ id }) => id),
      { code: "internal", message: "away" },
    );
    expect(await risk()).toEqual(["none", undefined, undefined]);
    await list(group("open", OPEN));
    expect(await risk()).toEqual(["none", "critical", "1 0 0 0"]);
    expect(account.id).toBe((await org.posture())[0]?.cloud_account_id ?? "");
  });

  test("is judged together with its declared rules", async () => {
    const { org, account, list, changes } = await newAccount();
    const declared = {
      type: "aws_vpc_security_group_ingress_rule",
      name: "ssh",
      attributes: {
        id: "sgr-1",
        security_group_id: "sg-1",
        ip_protocol: "tcp",
        from_port: 22,
        to_port: 22,
        cidr_ipv4: "0.0.0.0/0",
      },
    };
    await org.pushState(await org.source("main", account.id), tfstate([declared]));
    await list(group("sg-1", OPEN));
    expect(summaryOf(await changes({ kind: "undeclared" }))).toEqual(["medium sg-1 R08"]);
  });
});

describe("a decision about an undeclared resource", () => {
  test("changes its counts at once: ignored doesn't count, acknowledged does", async () => {
    const { list, decide, risk } = await newAccount();
    await list(group("open", OPEN), QUEUE);
    expect(await risk()).toEqual(["none", "critical", "1 0 0 1"]);
    await decide("open", { status: "acknowledged" });
    expect(await risk()).toEqual(["none", "critical", "1 0 0 1"]);
    await decide("open", { status: "ignored" });
    expect(await risk()).toEqual(["none", "low", "0 0 0 1"]);
    await decide("open", { status: "open" });
    expect(await risk()).toEqual(["none", "critical", "1 0 0 1"]);
  });

  test("to ignore it with a time limit expires", async () => {
    const { org, list, decide, risk } = await newAccount();
    await list(group("open", OPEN));
    await decide("open", { status: "ignored", until: new Date(Date.now() + 60_000).toISOString() });
    expect(await risk()).toEqual(["none", "none", "0 0 0 0"]);
    await inventory.test.admin`
      update inventory.drift_fingerprints set ignored_until = now() - interval '1 s' where org_id = ${org.id}
    `;
    const { database, bus } = inventory;
    await sweepDrift({ database, bus, log: testLog() });
    expect(await risk()).toEqual(["none", "critical", "1 0 0 0"]);
  });

  test("lasts until its risk increases", async () => {
    const { list, decide, statusOf } = await newAccount();
    await list(group("sg", CLOSED));
    await decide("sg", { status: "ignored" });
    await list(group("sg", CLOSED, rule(8443, "10.0.0.0/8")));
    expect(await statusOf("sg")).toBe("ignored");
    await list(group("sg", CLOSED, OPEN));
    expect(await statusOf("sg")).toBe("open");
  });

  test("from before undeclared resources were judged is kept, with unknown counts", async () => {
    const { org, list, decide, statusOf, changes, risk } = await newAccount();
    await list(group("open", OPEN), QUEUE);
    await decide("open", { status: "ignored" });
    // Rows in the form that an older version stored.
    await inventory.test.admin`
      update inventory.drift_fingerprints set values_hash = '', risk_level = 'none' where org_id = ${org.id}
    `;
    await inventory.test.admin`
      update inventory.drift_snapshots set undeclared_critical_count = null, undeclared_high_count = null,
             undeclared_medium_count = null, undeclared_low_count = null
       where org_id = ${org.id}
    `;
    await decide("open", { status: "ignored" });
    expect(await risk()).toEqual(["none", undefined, undefined]);
    await list(group("open", OPEN), QUEUE);
    expect(await statusOf("open")).toBe("ignored");
    expect(summaryOf(await changes({ risk_level: "critical" }))).toEqual(["critical open R09"]);
    expect(await risk()).toEqual(["none", "low", "0 0 0 1"]);
  });
});
