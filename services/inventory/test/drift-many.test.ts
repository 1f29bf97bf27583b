import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { Input } from "@leeway/shared/contracts/contract";
import { DecideMany, ListDecisions, UndoDecision } from "@leeway/shared/contracts/inventory/decisions";
import { GetDriftChange, GroupDriftChanges } from "@leeway/shared/contracts/inventory/drift-reads";
import { DecideDrift, ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";
import { AppError } from "@leeway/shared/values/errors";
import { failureOf } from "@leeway/shared/testing/testing";

import { ndjson, newOrg, startInventory, type TestInventory } from "./kit.ts";

const ACCOUNTS = ["111111111111", "222222222222"] as const;
const BY = { type: "person" as const, id: "ada" };
const BOB = { type: "person" as const, id: "bob" };

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const queue = (account: string, name: string, type = "AWS::SQS::Queue") => ({
  provider_resource_id: `arn:aws:sqs:eu-west-1:${account}:${name}`,
  provider_type: type,
});

/** Creates two accounts with two undeclared queues and an undeclared topic each. */
async function estate() {
  const org = newOrg(inventory);
  const org_id = org.id;
  const { call } = inventory;
  const accounts = [];
  for (const id of ACCOUNTS) {
    const account = await org.account("aws", id);
    await org.pushListing(
      account,
      ndjson([queue(id, "a"), queue(id, "b"), queue(id, "c", "AWS::SNS::Topic")]),
    );
    accounts.push(account);
  }
  const changes = () => call(ListDriftChanges, { org_id, limit: 100 }).then(({ data }) => data);
  return {
    org,
    org_id,
    accounts,
    changes,
    statuses: async () => (await changes()).map(({ disposition }) => disposition.status).toSorted(),
    decide: (given: Omit<Input<typeof DecideMany>, "org_id" | "decided_by">) =>
      call(DecideMany, { org_id, decided_by: BY, ...given }),
    undo: (decision_id: string) => call(UndoDecision, { org_id, decision_id }),
  };
}

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  const failure = await failureOf(work);
  return failure instanceof AppError ? failure.code : undefined;
}

describe("a decision on many changes", () => {
  test("is made on what a filter matches, in all accounts, as one audit entry", async () => {
    const { org, org_id, decide, changes, statuses } = await estate();
    const decision = await decide({
      filter: { resource_type: "AWS::SQS::Queue" },
      status: "ignored",
      until: "2999-01-01T00:00:00.000Z",
      reason: "a trial",
    });
    expect(decision).toMatchObject({
      status: "ignored",
      decided_count: 4,
      reason: "a trial",
      decided_by: BY,
    });
    expect(await statuses()).toEqual(["ignored", "ignored", "ignored", "ignored", "open", "open"]);
    expect(
      (await changes()).find(({ resource_type }) => resource_type === "AWS::SQS::Queue")?.disposition,
    ).toEqual({
      status: "ignored",
      until: "2999-01-01T00:00:00.000Z",
      reason: "a trial",
      by: BY,
      at: expect.any(String),
    });
    for (const row of await org.posture())
      expect(Object.values(row.undeclared_risk_counts!).reduce((sum, count) => sum + count)).toBe(1);
    const entries = await inventory.test.admin`
      select action, target_id, (details ->> 'changes')::integer as changes
        from inventory.audit_outbox where org_id = ${org_id} and action like 'drift_change%'
    `;
    expect([...entries]).toEqual([
      { action: "drift_change.decide_many", target_id: decision.id, changes: 4 },
    ]);
  });

  test("is made on a group by its key, without a list of fingerprints", async () => {
    const { org_id, decide, changes, statuses } = await estate();
    const { data: groups } = await inventory.call(GroupDriftChanges, { org_id, by: "cause" });
    const queues = groups.find(({ example }) => example.resource_type === "AWS::SQS::Queue");
    expect(queues?.count).toBe(4);
    const { decided_count } = await decide({ filter: { cause: queues!.key! }, status: "acknowledged" });
    expect(decided_count).toBe(4);
    expect(await statuses()).toEqual([...Array(4).fill("acknowledged"), "open", "open"]);
    const [first, second] = await changes();
    await inventory.test.admin`
      update inventory.drift_fingerprints
         set actor = '{"principal": "ada", "event": "x", "source": "aws_cloudtrail", "at": "2026-10-07T14:03:22Z"}'
       where org_id = ${org_id} and fingerprint = any (${[first!.fingerprint, second!.fingerprint]})
    `;
    const { data: hours } = await inventory.call(GroupDriftChanges, { org_id, by: "person_hour" });
    expect(hours.map(({ key, count }) => [key, count])).toContainEqual(["2026-10-07T14:00Z ada", 2]);
    const byAda = await decide({ filter: { person_hour: "2026-10-07T14:00Z ada" }, status: "ignored" });
    expect(byAda.decided_count).toBe(2);
    expect(await codeOf(decide({ filter: { principal: "grace" }, status: "ignored" }))).toBe("not_found");
  });

  test("is undone by its id, except where it was decided again", async () => {
    const { org_id, decide, undo, changes, statuses } = await estate();
    const [first, second, third] = await changes();
    const one = { org_id, decided_by: BOB };
    await inventory.call(DecideDrift, { ...one, fingerprint: first!.fingerprint, status: "acknowledged" });
    const firstDecided = (await changes()).find(
      ({ fingerprint }) => fingerprint === first!.fingerprint,
    )?.disposition;
    expect(firstDecided).toMatchObject({ status: "acknowledged", by: BOB });
    const { id, decided_count } = await decide({ filter: {}, status: "ignored" });
    expect(decided_count).toBe(6);
    await inventory.call(DecideDrift, { ...one, fingerprint: second!.fingerprint, status: "acknowledged" });
    // The same decision again, but of another person.
    await inventory.call(DecideDrift, { ...one, fingerprint: third!.fingerprint, status: "ignored" });
    expect(await undo(id)).toMatchObject({ id, restored_count: 4, undone_at: expect.any(String) });
    const after = new Map(
      (await changes()).map(({ fingerprint, disposition }) => [fingerprint, disposition]),
    );
    expect(after.get(first!.fingerprint)).toEqual(firstDecided);
    expect(after.get(second!.fingerprint)).toMatchObject({ status: "acknowledged" });
    expect(after.get(third!.fingerprint)).toMatchObject({ status: "ignored", by: BOB });
    expect(await statuses()).toEqual(["acknowledged", "acknowledged", "ignored", "open", "open", "open"]);
    const { decisions } = await inventory.call(GetDriftChange, { org_id, fingerprint: first!.fingerprint });
    expect(decisions).toEqual([
      { status: "acknowledged", at: expect.any(String) }, // undone, so nobody's own decision
      { status: "ignored", at: expect.any(String), by: BY },
      { status: "acknowledged", at: expect.any(String), by: BOB },
    ]);
    expect(await codeOf(undo(id))).toBe("conflict");
    expect((await inventory.call(ListDecisions, { org_id, limit: 10 })).data).toMatchObject([{ id }]);
  });

  test("can't be undone after 30 days", async () => {
    const { decide, undo, statuses } = await estate();
    const { id } = await decide({ filter: {}, status: "ignored" });
    await inventory.test.admin`
      update inventory.drift_decisions set created_at = now() - interval '31 days' where id = ${id}
    `;
    expect(await codeOf(undo(id))).toBe("conflict");
    expect(await statuses()).toEqual(Array(6).fill("ignored"));
    await inventory.database.system`select inventory.forget_decisions(30, 100)`;
    await inventory.database.system`select inventory.forget_decisions(30, 100)`;
    expect(await codeOf(undo(id))).toBe("not_found");
  });

  test("is made on named changes, and once by its id", async () => {
    const { decide, changes, statuses } = await estate();
    const fingerprints = (await changes()).slice(0, 2).map(({ fingerprint }) => fingerprint);
    const decision_id = Bun.randomUUIDv7();
    const decision = await decide({ decision_id, fingerprints, status: "acknowledged" });
    expect(decision.decided_count).toBe(2);
    expect(await decide({ decision_id, fingerprints, status: "ignored" })).toEqual(decision);
    expect(await statuses()).toEqual(["acknowledged", "acknowledged", "open", "open", "open", "open"]);
  });

  test("by a member leaves ignored changes as they are, or is refused if it names one", async () => {
    const { decide, changes, statuses } = await estate();
    const fingerprints = (await changes()).slice(0, 1).map(({ fingerprint }) => fingerprint);
    await decide({ fingerprints, status: "ignored" });
    const keeps_ignored = true;
    expect(await codeOf(decide({ fingerprints, status: "acknowledged", keeps_ignored }))).toBe("forbidden");
    const decision = await decide({ filter: {}, status: "acknowledged", keeps_ignored });
    expect(decision.decided_count).toBe(5);
    expect(await statuses()).toContain("ignored");
  });

  test("is refused without changes, with both ways to choose, and with a wrong end", async () => {
    const { decide, changes } = await estate();
    const other = await estate();
    const [theirs] = await other.changes();
    const fingerprints = [theirs!.fingerprint];
    expect(await codeOf(decide({ fingerprints, status: "ignored" }))).toBe("not_found");
    const filter = { account_id: other.accounts[0]!.id };
    expect(await codeOf(decide({ filter, status: "ignored" }))).toBe("not_found");
    expect(await codeOf(decide({ status: "ignored" }))).toBe("invalid_parameter");
    expect(await codeOf(decide({ filter: {}, fingerprints, status: "ignored" }))).toBe("invalid_parameter");
    const until = "2020-01-01T00:00:00.000Z";
    expect(await codeOf(decide({ filter: {}, status: "ignored", until }))).toBe("invalid_parameter");
    expect((await changes()).every(({ disposition }) => disposition.status === "open")).toBe(true);
  });

  test("is made on at most 10,000 changes", async () => {
    const { decide, org_id, accounts } = await estate();
    await inventory.test.admin`
      insert into inventory.drift_fingerprints (
        org_id, fingerprint, cloud_account_id, kind, risk_level, hidden, values_hash, from_number
      )
      select ${org_id}, 'dc1_' || lpad(to_hex(n), 32, '0'), ${accounts[0]!.id}, 'missing', 'low', false, '', 1
        from generate_series(1, 10001) n
    `;
    await inventory.test.admin`
      insert into inventory.drift_changes (
        org_id, id, cloud_account_id, fingerprint, kind, risk_level, hidden, content, content_hash, from_number
      )
      select org_id, gen_random_uuid(), cloud_account_id, fingerprint, kind, risk_level, hidden, '{}', '', 1
        from inventory.drift_fingerprints
       where org_id = ${org_id}
         and kind = 'missing'
    `;
    const filter = { kind: "missing" as const };
    expect(await codeOf(decide({ filter, status: "ignored" }))).toBe("invalid_parameter");
    await inventory.test.admin`
      delete from inventory.drift_fingerprints where org_id = ${org_id} and fingerprint = ${`dc1_${"0".repeat(31)}1`}
    `;
    expect((await decide({ filter, status: "ignored" })).decided_count).toBe(10_000);
  });

  test("of another organization can't be undone", async () => {
    const mine = await estate();
    const theirs = await estate();
    const { id } = await theirs.decide({ filter: {}, status: "ignored" });
    expect(await codeOf(mine.undo(id))).toBe("not_found");
    expect(await theirs.statuses()).toEqual(Array(6).fill("ignored"));
  });
});
