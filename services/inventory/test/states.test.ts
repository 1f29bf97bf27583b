import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ListSnapshots } from "@leeway/shared/contracts/inventory/posture";
import { GetSource } from "@leeway/shared/contracts/inventory/sources";
import { failureOf } from "@leeway/shared/testing/testing";
import { sha256 } from "@leeway/shared/values/digest";

import { ndjson, newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const ACCOUNT = "123456789012";
const arn = (name: string) => `arn:aws:sqs:eu-west-1:${ACCOUNT}:${name}`;
const queue = (name: string) => ({ provider_resource_id: arn(name), provider_type: "AWS::SQS::Queue" });
const declaredQueue = (name: string) => ({ type: "aws_sqs_queue", name, attributes: { arn: arn(name) } });
const stateOf = (names: string[], edition: { serial?: number; lineage?: string } = {}) =>
  tfstate(names.map(declaredQueue), edition);

const stateText = (serial: number): string => JSON.stringify(stateOf(["b"], { serial }), null, 2);

const many = (name: string, keys: (string | number)[]) => ({
  mode: "managed",
  type: "aws_sqs_queue",
  name,
  provider: 'provider["registry.terraform.io/hashicorp/aws"]',
  instances: keys.map((index_key) => ({ index_key, attributes: { arn: arn(`${name}-${index_key}`) } })),
});

type Org = ReturnType<typeof newOrg>;

const addresses = async (org: Org) => (await org.declared()).map(({ address }) => address).toSorted();
const source = (org: Org, { id }: { id: string }) =>
  inventory.call(GetSource, { org_id: org.id, source_id: id });

/** Creates an organization with two live queues and a source, whose state of serial 5 declares one of them. */
async function start() {
  const org = newOrg(inventory);
  const account = await org.account("aws", ACCOUNT);
  await org.pushListing(account, ndjson([queue("a"), queue("b")]));
  const pushed = await org.pushState(await org.source("jobs"), stateOf(["a"], { serial: 5 }));
  const snapshots = async () =>
    (await inventory.call(ListSnapshots, { org_id: org.id, limit: 500 })).data.length;
  return { org, account, pushed, snapshots };
}

describe("a pushed state", () => {
  test("older than the known one is refused with the known serial", async () => {
    const { org, pushed } = await start();
    expect(await failureOf(org.pushState(pushed, stateOf(["b"], { serial: 4 })))).toMatchObject({
      code: "stale_state",
      fields: { current_serial: 5 },
    });
    expect(await addresses(org)).toEqual(["aws_sqs_queue.a"]);
    expect(await source(org, pushed)).toEqual(pushed);
  });

  test("of the known serial with other content is refused with that serial", async () => {
    const { org, pushed } = await start();
    expect(await failureOf(org.pushState(pushed, stateOf(["b"], { serial: 5 })))).toMatchObject({
      code: "serial_conflict",
      fields: { current_serial: 5 },
    });
    expect(await source(org, pushed)).toEqual(pushed);
  });

  test("already known is read again if another release has read it", async () => {
    const { org, pushed } = await start();
    const { admin } = inventory.test;
    const stored = async () =>
      (await admin`select 1 from inventory.declared_attributes where org_id = ${org.id}`).length;
    expect(await stored()).toBe(1);
    await admin`delete from inventory.declared_attributes where org_id = ${org.id}`;
    const state = stateOf(["a"], { serial: 5 });
    expect(await org.pushState(pushed, state)).toEqual(pushed);
    expect(await stored()).toBe(0);
    await admin`update inventory.iac_sources set read_by = 1 where id = ${pushed.id}`;
    await org.pushState(pushed, state);
    expect(await stored()).toBe(1);
    // A process of an older release stores the next state, and knows nothing of the mark.
    await admin`delete from inventory.declared_attributes where org_id = ${org.id}`;
    const next = JSON.stringify(stateOf(["a"], { serial: 6 }));
    await admin`
      update inventory.iac_sources set content_hash = ${sha256(next)}, serial = 6 where id = ${pushed.id}
    `;
    await org.pushState(pushed, next);
    expect(await stored()).toBe(1);
  });

  test.each([
    ["with a byte order mark", (text: string) => `\uFEFF${text}`],
    ["with Windows line breaks", (text: string) => text.replaceAll("\n", "\r\n")],
  ])("already known is the same %s, in both directions", async (_, written) => {
    const { org, pushed } = await start();
    const [six, seven] = [stateText(6), stateText(7)];
    const first = await org.pushState(pushed, six);
    expect(await org.pushState(pushed, written(six))).toEqual(first);
    const second = await org.pushState(pushed, written(seven));
    expect(await org.pushState(pushed, seven)).toEqual(second);
  });

  test("already known by its bytes is no conflict, with Windows line breaks", async () => {
    const { org, pushed } = await start();
    const written = stateText(6).replaceAll("\n", "\r\n");
    await org.pushState(pushed, written);
    const hash = new Bun.CryptoHasher("sha256").update(written).digest();
    await inventory.test
      .admin`update inventory.iac_sources set content_hash = ${hash} where id = ${pushed.id}`;
    expect(await org.pushState(pushed, written)).toMatchObject({ last_serial: 6, resource_count: 1 });
  });

  test("already known changes nothing, not even its push time", async () => {
    const { org, pushed, snapshots } = await start();
    const before = await snapshots();
    expect(await org.pushState(pushed, stateOf(["a"], { serial: 5 }))).toEqual(pushed);
    expect(await snapshots()).toBe(before);
  });

  test("newer than the known one replaces it, and unchanged addresses keep their ids", async () => {
    const { org, pushed } = await start();
    const [before] = await org.declared();
    expect(await org.pushState(pushed, stateOf(["a", "b"], { serial: 9 }))).toMatchObject({
      last_serial: 9,
      resource_count: 2,
      matched_count: 2,
    });
    const after = await org.declared();
    expect(after.find(({ address }) => address === before!.address)?.id).toBe(before!.id);
    await org.pushState(pushed, stateOf(["b"], { serial: 10 }));
    expect(await addresses(org)).toEqual(["aws_sqs_queue.b"]);
    expect((await org.resources({ match: "matched" })).map((row) => row.provider_resource_id)).toEqual([
      arn("b"),
    ]);
  });

  test("with another lineage replaces the known one, whatever its serial", async () => {
    const { org, pushed } = await start();
    expect(await org.pushState(pushed, stateOf(["b"], { serial: 1, lineage: "another" }))).toMatchObject({
      last_serial: 1,
      lineage: "another",
    });
    expect(await addresses(org)).toEqual(["aws_sqs_queue.b"]);
  });

  test("is stored once when several have the same serial", async () => {
    const { org, pushed } = await start();
    const pushes = await Promise.allSettled(
      ["b", "c", "d", "e"].map((name) => org.pushState(pushed, stateOf([name], { serial: 6 }))),
    );
    expect(pushes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const push of pushes) {
      if (push.status === "rejected") expect(push.reason).toMatchObject({ code: "serial_conflict" });
    }
    expect(await addresses(org)).toHaveLength(1);
  });

  test("counts managed instances, without data sources", async () => {
    const { org, pushed } = await start();
    const data = { ...many("d", [0]), mode: "data" };
    const state = {
      ...stateOf([], { serial: 6 }),
      resources: [many("each", ["x", "y"]), many("count", [0]), data],
    };
    expect(await org.pushState(pushed, state)).toMatchObject({ resource_count: 3, missing_count: 3 });
    expect(await addresses(org)).toEqual([
      "aws_sqs_queue.count[0]",
      'aws_sqs_queue.each["x"]',
      'aws_sqs_queue.each["y"]',
    ]);
  });

  test("may be empty", async () => {
    const { org, pushed } = await start();
    expect(await org.pushState(pushed, stateOf([], { serial: 6 }))).toMatchObject({ resource_count: 0 });
    expect(await org.resources({ match: "matched" })).toEqual([]);
  });
});

describe("a pushed body", () => {
  const next = JSON.stringify(stateOf(["b"], { serial: 6 }));

  test("may be compressed with gzip, for a state and a listing", async () => {
    const { org, account, pushed } = await start();
    expect(await org.pushState(pushed, Bun.gzipSync(next))).toMatchObject({ last_serial: 6 });
    const scan = await org.pushListing(account, Bun.gzipSync(ndjson([queue("b"), queue("c")])));
    expect(scan).toMatchObject({ status: "succeeded", stats: { seen: 2, matched: 1 } });
  });

  test("that differs only in its gzip is the same state", async () => {
    const { org, pushed } = await start();
    const first = await org.pushState(pushed, next);
    expect(await org.pushState(pushed, Bun.gzipSync(next))).toEqual(first);
  });

  test.each([0.1, 0.5, 0.9, 0.999])(
    "cut off after %f of it changes nothing, compressed or not",
    async (part) => {
      const { org, account, pushed } = await start();
      const before = [
        await org.resources(),
        await org.declared(),
        await source(org, pushed),
        await org.posture(),
      ];
      const listing = JSON.stringify([queue("c"), queue("d"), queue("e")]);
      for (const whole of [Buffer.from(next), Bun.gzipSync(next)]) {
        const cut = Uint8Array.from(whole.subarray(0, Math.floor(whole.length * part)));
        expect(await failureOf(org.pushState(pushed, cut))).toMatchObject({ code: "unsupported_format" });
      }
      for (const whole of [Buffer.from(listing), Bun.gzipSync(listing)]) {
        const cut = Uint8Array.from(whole.subarray(0, Math.floor(whole.length * part)));
        expect(await failureOf(org.startPush(account, cut))).toMatchObject({ code: "unsupported_format" });
      }
      expect([
        await org.resources(),
        await org.declared(),
        await source(org, pushed),
        await org.posture(),
      ]).toEqual(before);
    },
  );

  test.each<[string, string, string, string]>([
    ["an older state", '{"version":3,"serial":1,"modules":[]}', "unsupported_format", "version 3"],
    [
      "an encrypted state",
      '{"serial":1,"lineage":"x","encrypted_data":"abc"}',
      "state_encrypted",
      "tofu show -json",
    ],
    ["a saved plan", "PK\u0003\u0004plan", "unsupported_format", "terraform state pull"],
    ["configuration", 'resource "aws_sqs_queue" "a" {\n}', "unsupported_format", "HCL"],
    ["a web page", "<!doctype html><html></html>", "unsupported_format", "HTML"],
    ["a YAML file", "a: 1\nb: 2\n", "unsupported_format", "YAML"],
    ["an empty body", "", "unsupported_format", "empty"],
    ["two states", `${next}\n${next}`, "unsupported_format", "one state at a time"],
    ["a list", "[]", "unsupported_format", "terraform state pull"],
    ["a number", "4", "unsupported_format", ""],
    ["a listing", JSON.stringify(queue("a")), "unsupported_format", "not a state"],
    ["deeply nested JSON", "[".repeat(100_000), "unsupported_format", ""],
    ["binary data", "\u0000\u0001\u0002", "unsupported_format", ""],
  ])("that is %s is refused with the next step, and changes nothing", async (_, body, code, message) => {
    const { org, pushed } = await start();
    expect(await failureOf(org.pushState(pushed, body))).toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    expect(await source(org, pushed)).toEqual(pushed);
  });
});

test.each([
  ["declares it leave it matched", [], ["a"], { matched_count: 1, missing_count: 0, coverage_pct: 100 }],
  [
    "declares nothing any more leave it undeclared",
    ["a"],
    [],
    { matched_count: 0, missing_count: 0, coverage_pct: 0 },
  ],
])("at the same time, the first listing of a queue and a state that %s", async (_, first, next, counts) => {
  const org = newOrg(inventory);
  const account = await org.account("aws", ACCOUNT);
  const jobs = await org.source("jobs");
  if (first.length > 0) await org.pushState(jobs, stateOf(first, { serial: 1 }));
  // Both wait for the same lock, the listing first.
  const free = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = inventory.test.admin.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`match ${org.id}`}, 0))`;
    held.resolve();
    await free.promise;
  });
  await held.promise;
  const waiting = async (count: number) => {
    for (;;) {
      const [row] = await inventory.test.admin`
        select count(*)::integer as count
          from pg_locks
         where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())
      `;
      if (row?.["count"] === count) return;
      await Bun.sleep(10);
    }
  };
  const listing = org.pushListing(account, ndjson([queue("a")]));
  await waiting(1);
  const state = org.pushState(jobs, stateOf(next, { serial: 2 }));
  await waiting(2);
  free.resolve();
  await holding;
  await listing;
  await state;
  expect((await org.posture())[0]).toMatchObject(counts);
  const matched = await org.resources({ account_id: account.id, match: "matched" });
  expect(matched).toHaveLength(counts.matched_count);
});
