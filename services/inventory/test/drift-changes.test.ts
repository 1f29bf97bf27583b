import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { Input } from "@leeway/shared/contracts/contract";
import {
  DecideDrift,
  DiffSnapshots,
  ListDriftChanges,
  ListSnapshotChanges,
  type DriftChange,
} from "@leeway/shared/contracts/inventory/drift";
import { GetTrend, ListSnapshots, type DriftSnapshot } from "@leeway/shared/contracts/inventory/posture";
import { testLog } from "@leeway/shared/testing/testing";

import { sweepDrift } from "../src/drift/upkeep.ts";
import { ndjson, newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

const ACCOUNT = "123456789012";
const BY = { type: "person" as const, id: "ada" };

const arnOf = (kind: string, name: string): string =>
  kind === "role"
    ? `arn:aws:iam::${ACCOUNT}:role/${name}`
    : `arn:aws:lambda:eu-west-1:${ACCOUNT}:function:${name}`;

const declaredFunction = (name: string, attributes: Record<string, unknown> = {}) => ({
  type: "aws_lambda_function",
  name,
  attributes: {
    id: name,
    function_name: name,
    arn: arnOf("function", name),
    memory_size: 256,
    timeout: 30,
    tags: null,
    ...attributes,
  },
});

const liveFunction = (name: string, properties: Record<string, unknown> = {}) => ({
  provider_resource_id: arnOf("function", name),
  provider_type: "AWS::Lambda::Function",
  region: "eu-west-1",
  properties: { FunctionName: name, MemorySize: 256, Timeout: 30, ...properties },
});

const queue = (name: string) => ({
  provider_resource_id: `arn:aws:sqs:eu-west-1:${ACCOUNT}:${name}`,
  provider_type: "AWS::SQS::Queue",
});

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

/** Creates an organization with one account and one source, and helpers for its drift. */
async function newAccount() {
  const org = newOrg(inventory);
  const { call } = inventory;
  const account = await org.account("aws", ACCOUNT);
  const source = await org.source("main", account.id);
  const org_id = org.id;
  let serial = 0;
  return {
    org,
    account,
    source,
    declare: (...resources: Parameters<typeof tfstate>[0][number][]) =>
      org.pushState(source, tfstate(resources, { serial: (serial += 1) })),
    list: (...rows: object[]) => org.pushListing(account, ndjson(rows)),
    async changes(filter: Partial<Input<typeof ListDriftChanges>> = {}): Promise<DriftChange[]> {
      return (await call(ListDriftChanges, { org_id, limit: 500, ...filter })).data;
    },
    async snapshots(): Promise<DriftSnapshot[]> {
      return (await call(ListSnapshots, { org_id, limit: 500 })).data;
    },
    async changesOf(
      snapshot: { id: string } | undefined,
      filter: Pick<Input<typeof ListSnapshotChanges>, "ignored"> = {},
    ): Promise<DriftChange[]> {
      const page = { org_id, limit: 500, snapshot_id: snapshot?.id ?? "", ...filter };
      return (await call(ListSnapshotChanges, page)).data;
    },
    decide: (
      change: DriftChange | undefined,
      decision: Omit<Input<typeof DecideDrift>, "org_id" | "fingerprint" | "decided_by">,
    ) => call(DecideDrift, { org_id, fingerprint: change?.fingerprint ?? "", decided_by: BY, ...decision }),
    diff: (snapshot: { id: string } | undefined, base?: { id: string }) =>
      call(DiffSnapshots, { org_id, snapshot_id: snapshot?.id ?? "", ...(base && { base: base.id }) }),
    async risk() {
      const [row] = await org.posture();
      return row && { level: row.risk_level, counts: row.risk_counts, changed: row.changed_count };
    },
  };
}

const words = (changes: readonly DriftChange[]): string[] =>
  changes.map(({ kind, address, provider_resource_id: id }) => `${kind} ${address ?? id?.split(":").at(-1)}`);

describe("an account's drift", () => {
  test("lists changed attributes, missing and undeclared resources, highest risk first", async () => {
    const { declare, list, changes, snapshots, changesOf, risk } = await newAccount();
    const table = { id: "lost", name: "lost", arn: `arn:aws:dynamodb:eu-west-1:${ACCOUNT}:table/lost` };
    await declare(declaredFunction("same"), declaredFunction("slow"), declaredFunction("gone"), {
      type: "aws_dynamodb_table",
      name: "lost",
      attributes: table,
    });
    const extra = { ...queue("extra"), name: "tried by hand" };
    await list(liveFunction("same"), liveFunction("slow", { Timeout: 60 }), extra);
    const found = await changes();
    expect(words(found.slice(0, 2))).toEqual([
      "missing aws_dynamodb_table.lost",
      "missing aws_lambda_function.gone",
    ]);
    expect(words(found.slice(2)).toSorted()).toEqual([
      "changed aws_lambda_function.slow",
      "undeclared extra",
    ]);
    expect(found[0]).toMatchObject({
      actions: ["delete"],
      risk_level: "critical",
      risk_flags: [{ rule: "R01", flag: "deleted_outside", evidence: [] }],
    });
    expect(found.find(({ kind }) => kind === "changed")).toMatchObject({
      actions: ["update"],
      resource_type: "aws_lambda_function",
      risk_level: "low",
      attribute_changes: [
        {
          path: ["timeout"],
          before: 30,
          after: 60,
          before_sensitive: false,
          after_sensitive: false,
          unknown: false,
        },
      ],
      seen_count: 1,
      disposition: { status: "open" },
    });
    expect(found.find(({ kind }) => kind === "undeclared")).toMatchObject({
      actions: ["create"],
      risk_level: "low",
      risk_flags: [{ rule: "R20", flag: "create", evidence: [] }],
      resource_type: "AWS::SQS::Queue",
      resource_name: "tried by hand",
    });
    const [latest] = await snapshots();
    expect(latest).toMatchObject({
      status: "ready",
      changed_count: 1,
      missing_count: 2,
      risk_level: "critical",
    });
    expect(await changesOf(latest)).toEqual(found);
    expect(await risk()).toEqual({
      level: "critical",
      counts: { critical: 1, high: 1, medium: 0, low: 1 },
      changed: 1,
    });
  });

  test("can be listed by account, kind, level and disposition, page by page", async () => {
    const { org, account, declare, list, changes, decide } = await newAccount();
    await declare(declaredFunction("a"), declaredFunction("b"), declaredFunction("c"));
    await list(liveFunction("a", { Timeout: 60 }), liveFunction("b", { Timeout: 60 }), queue("q"));
    const all = await changes();
    expect(all.length).toBe(4);
    expect(words(await changes({ kind: "undeclared" }))).toEqual(["undeclared q"]);
    expect(words(await changes({ risk_level: "high" }))).toEqual(["missing aws_lambda_function.c"]);
    expect((await changes({ account_id: account.id })).length).toBe(4);
    expect(await changes({ account_id: crypto.randomUUID() })).toEqual([]);
    await decide(all[0], { status: "acknowledged", reason: "known" });
    expect(words(await changes({ disposition: "acknowledged" }))).toEqual(words(all.slice(0, 1)));
    expect((await changes({ disposition: "open" })).length).toBe(3);

    const paged: DriftChange[] = [];
    let cursor: string | undefined;
    do {
      const page = await inventory.call(ListDriftChanges, {
        org_id: org.id,
        limit: 1,
        ...(cursor && { cursor }),
      });
      paged.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  });

  test("in a snapshot stays as it was", async () => {
    const { declare, list, snapshots, changesOf, changes, diff } = await newAccount();
    await declare(declaredFunction("a"), declaredFunction("b"));
    await list(liveFunction("a", { Timeout: 60 }), liveFunction("b"));
    const [first] = await snapshots();
    const before = await changesOf(first);
    await list(liveFunction("a"), liveFunction("b", { MemorySize: 512 }));
    await list(liveFunction("a"), liveFunction("b", { MemorySize: 512 }));
    const [third, second] = await snapshots();
    expect(words(before)).toEqual(["changed aws_lambda_function.a"]);
    expect((await changesOf(first)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect((await changesOf(first))[0]?.disposition).toEqual({ status: "resolved" });
    expect(words(await changesOf(second))).toEqual(["changed aws_lambda_function.b"]);
    expect((await changesOf(third)).map(({ id }) => id)).toEqual(
      (await changesOf(second)).map(({ id }) => id),
    );
    expect((await changes())[0]).toMatchObject({ seen_count: 2 });
    const difference = await diff(third, first);
    expect(difference).toMatchObject({ new_count: 1, resolved_count: 1, persisting_count: 0 });
    expect(words(difference.new)).toEqual(["changed aws_lambda_function.b"]);
    expect(words(difference.resolved)).toEqual(["changed aws_lambda_function.a"]);
    expect(await diff(third)).toMatchObject({ base: second?.id, new: [], resolved: [], persisting_count: 1 });
  });

  test("that is unchanged isn't stored again", async () => {
    const { org, declare, list } = await newAccount();
    await declare(declaredFunction("a"));
    for (let times = 0; times < 4; times += 1) await list(liveFunction("a", { Timeout: 60 }), queue("q"));
    const rows = await inventory.test.admin`select 1 from inventory.drift_changes where org_id = ${org.id}`;
    expect(rows.count).toBe(2);
  });

  test("has a fingerprint without values that differs in each account", async () => {
    const one = await newAccount();
    await one.declare(declaredFunction("a"));
    await one.list(liveFunction("a", { Timeout: 60 }));
    const [before] = await one.changes();
    await one.list(liveFunction("a", { Timeout: 90 }));
    const [after] = await one.changes();
    expect(after?.fingerprint).toBe(before?.fingerprint ?? "");
    expect(after?.id).not.toBe(before?.id ?? "");
    const other = await newAccount();
    await other.declare(declaredFunction("a"));
    await other.list(liveFunction("a", { Timeout: 60 }));
    expect((await other.changes())[0]?.fingerprint).not.toBe(before?.fingerprint ?? "");
  });

  test("of a Google resource covers its labels and settings, without unchanged ones", async () => {
    const org = newOrg(inventory);
    const account = await org.account("gcp", "acme-prod");
    const name = "projects/acme-prod/topics/orders";
    const labels = { team: "web" };
    await org.pushState(
      await org.source("gcp", account.id),
      tfstate([
        {
          type: "google_pubsub_topic",
          name: "orders",
          provider: "google",
          attributes: {
            id: name,
            name: "orders",
            project: "acme-prod",
            labels,
            message_retention_duration: "86400s",
          },
        },
      ]),
    );
    const asset = (messageRetentionDuration: string) => ({
      name: `//pubsub.googleapis.com/${name}`,
      asset_type: "pubsub.googleapis.com/Topic",
      resource: { version: "v1", data: { name, labels, messageRetentionDuration } },
    });
    await org.pushListing(account, [asset("86400s")]);
    const list = () => inventory.call(ListDriftChanges, { org_id: org.id, limit: 10 });
    expect((await list()).data).toEqual([]);
    await org.pushListing(account, [asset("600s")]);
    expect((await list()).data[0]?.attribute_changes).toMatchObject([
      { path: ["message_retention_duration"], before: "86400s", after: "600s" },
    ]);
  });
});

describe("an attribute that the state marks as sensitive", () => {
  test("is never stored or reported as changed", async () => {
    const { org, source, list, changes } = await newAccount();
    const attributes = {
      description: "canary-marked",
      environment: [{ variables: { PASSWORD: "canary-named" } }],
    };
    const sensitive = [[{ type: "get_attr", value: "description" }]];
    await org.pushState(source, tfstate([{ ...declaredFunction("a", attributes), sensitive }]));
    await list(
      liveFunction("a", { Description: "another", Environment: { Variables: { PASSWORD: "else" } } }),
    );
    const kept = await inventory.test.admin<{ attributes: string }[]>`
      select attributes from inventory.declared_attributes where org_id = ${org.id}
    `;
    expect(kept.length).toBe(1);
    expect(kept[0]?.attributes).not.toContain("canary");
    expect(await changes()).toEqual([]);
  });

  test("of an unknown type isn't stored", async () => {
    const { org, declare } = await newAccount();
    await declare({ type: "aws_unheard_of", name: "a", attributes: { id: "a" } });
    const kept = await inventory.test
      .admin`select 1 from inventory.declared_attributes where org_id = ${org.id}`;
    expect(kept.count).toBe(0);
  });

  test("is deleted with its source", async () => {
    const { org, declare, source } = await newAccount();
    const kept = () =>
      inventory.test.admin`select 1 from inventory.declared_attributes where org_id = ${org.id}`;
    await declare(declaredFunction("a"), declaredFunction("b"));
    expect((await kept()).count).toBe(2);
    await declare(declaredFunction("a"));
    expect((await kept()).count).toBe(1);
    await org.removeSource(source);
    expect((await kept()).count).toBe(0);
  });
});

/** Creates an account with one missing and one changed resource. */
const drifted = async () => {
  const account = await newAccount();
  await account.declare(declaredFunction("a"), declaredFunction("b"));
  await account.list(liveFunction("a", { Timeout: 60 }));
  const [missing, changed] = await account.changes();
  return { ...account, missing, changed };
};

describe("a decision", () => {
  test("to ignore removes a change from the risk at once, and to open restores it", async () => {
    const { risk, decide, missing, snapshots } = await drifted();
    expect(await risk()).toMatchObject({ level: "high" });
    const ignored = await decide(missing, { status: "ignored", reason: "on its way out" });
    const at = expect.any(String);
    expect(ignored.disposition).toEqual({ status: "ignored", reason: "on its way out", by: BY, at });
    expect(await risk()).toMatchObject({ level: "low", counts: { high: 0, low: 1 } });
    expect((await snapshots())[0]).toMatchObject({ risk_level: "low" });
    expect((await decide(missing, { status: "open" })).disposition).toEqual({ status: "open" });
    expect(await risk()).toMatchObject({ level: "high" });
  });

  test("to ignore hides a current change from a snapshot's filtered list", async () => {
    const { decide, changed, missing, list, snapshots, changesOf } = await drifted();
    const [snapshot] = await snapshots();
    const kindsWithout = async () =>
      (await changesOf(snapshot, { ignored: "exclude" })).map(({ kind }) => kind);
    await decide(missing, { status: "acknowledged" });
    await decide(changed, { status: "ignored" });
    expect(await changesOf(snapshot)).toHaveLength(2);
    expect(await kindsWithout()).toEqual(["missing"]);
    await list(liveFunction("a"), liveFunction("b"));
    expect(await kindsWithout()).toEqual(["missing", "changed"]);
  });

  test("to acknowledge leaves it in the risk", async () => {
    const { risk, decide, missing } = await drifted();
    await decide(missing, { status: "acknowledged" });
    expect(await risk()).toMatchObject({ level: "high" });
  });

  test("to ignore can't be changed by a member who may only acknowledge, until it expires", async () => {
    const { org, risk, decide, missing } = await drifted();
    await decide(missing, { status: "ignored", reason: "on its way out" });
    const acknowledge = () => decide(missing, { status: "acknowledged", keeps_ignored: true });
    await expect(acknowledge()).rejects.toMatchObject({ code: "forbidden" });
    expect(await risk()).toMatchObject({ level: "low" });
    await inventory.test.admin`
      update inventory.drift_fingerprints set ignored_until = now() where org_id = ${org.id} and status = 'ignored'
    `;
    expect((await acknowledge()).disposition.status).toBe("acknowledged");
  });

  test("lasts while the value stays the same", async () => {
    const { decide, changed, list, changes, risk } = await drifted();
    await decide(changed, { status: "ignored" });
    await list(liveFunction("a", { Timeout: 60 }));
    expect((await changes())[1]?.disposition.status).toBe("ignored");
    expect(await risk()).toMatchObject({ counts: { low: 0 } });
    await list(liveFunction("a", { Timeout: 61 }));
    expect((await changes())[1]?.disposition).toEqual({ status: "open" });
    expect(await risk()).toMatchObject({ counts: { low: 1 } });
  });

  test("to ignore survives the change's absence; to acknowledge doesn't", async () => {
    const { decide, changed, missing, list, changes } = await drifted();
    await decide(changed, { status: "ignored" });
    await decide(missing, { status: "acknowledged" });
    await list(liveFunction("a"), liveFunction("b"));
    expect(await changes()).toEqual([]);
    await list(liveFunction("a", { Timeout: 60 }));
    expect((await changes()).map(({ disposition }) => disposition.status)).toEqual(["open", "ignored"]);
    expect((await changes())[1]).toMatchObject({ seen_count: 2 });
  });

  test("with a time limit expires", async () => {
    const { org, decide, missing, risk, changes } = await drifted();
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const ignored = await decide(missing, { status: "ignored", until });
    expect(ignored.disposition).toMatchObject({ status: "ignored", until });
    await inventory.test.admin`
      update inventory.drift_fingerprints set ignored_until = now() where org_id = ${org.id} and status = 'ignored'
    `;
    expect((await changes())[0]?.disposition).toEqual({ status: "open" });
    const { database, bus } = inventory;
    await sweepDrift({ database, bus, log: testLog() });
    expect(await risk()).toMatchObject({ level: "high" });
  });

  test.each([
    ["a time in the past", { status: "ignored", until: "2020-01-01T00:00:00Z" }],
    ["a time without ignoring", { status: "acknowledged", until: "2999-01-01T00:00:00Z" }],
  ] as const)("with %s is refused", async (_, decision) => {
    const { decide, missing } = await drifted();
    await expect(decide(missing, decision)).rejects.toMatchObject({ code: "invalid_parameter" });
  });

  test("about an unknown or resolved change is refused", async () => {
    const { decide, changed, list, org } = await drifted();
    await list(liveFunction("a"), liveFunction("b"));
    await expect(decide(changed, { status: "ignored" })).rejects.toMatchObject({ code: "not_found" });
    const nothing = { org_id: org.id, fingerprint: `dc1_${"0".repeat(32)}`, decided_by: BY };
    await expect(inventory.call(DecideDrift, { ...nothing, status: "open" })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("a trend", () => {
  test("has the last snapshot of each day", async () => {
    const { org, account, declare, list, snapshots } = await newAccount();
    await declare(declaredFunction("a"));
    for (const Timeout of [60, 30, 90]) await list(liveFunction("a", { Timeout }));
    const all = await snapshots();
    await inventory.test.admin`
      update inventory.drift_snapshots set created_at = created_at - interval '2 days' where id = ${all[2]?.id ?? ""}
    `;
    const trend = (days: number) =>
      inventory.call(GetTrend, { org_id: org.id, account_id: account.id, days });
    const { data } = await trend(30);
    expect(data.map(({ drift_snapshot_id: id }) => id)).toEqual([all[2]?.id, all[0]?.id].map(String));
    expect(data[1]).toMatchObject({
      cloud_account_id: account.id,
      coverage_pct: 100,
      risk_level: "low",
      changed_count: 1,
    });
    expect((await trend(1)).data.length).toBe(1);
  });
});

/** Returns the tables for which the planner estimates fewer rows. */
const unknown = (rows: number): PromiseLike<readonly unknown[]> => inventory.test.admin`
  select from pg_class
   where oid in ('inventory.live_resources'::regclass, 'inventory.drift_changes_present'::regclass,
                 'inventory.drift_fingerprints'::regclass)
     and reltuples < ${rows}
`;

test("PostgreSQL's statistics are updated soon after a listing, before autovacuum", async () => {
  const { list } = await newAccount();
  await list(...Array.from({ length: 4_000 }, (_, index) => queue(`q${index}`)));
  while ((await unknown(4_000)).length > 0) await Bun.sleep(20);
});
