import { describe, expect, test } from "bun:test";

import { readDeclaredState } from "./declared.ts";
import { driftOfEstate, type EstateDrift } from "./estate-drift.ts";
import { joinListings, readAnyListing } from "./live-account.ts";

const [ONE, TWO] = ["111111111111", "222222222222"];
const arnOf = (name: string, account: string): string => `arn:aws:sqs:eu-west-1:${account}:${name}`;

const body = (rows: readonly object[]): ReadableStream<Uint8Array> =>
  new Blob([rows.map((row) => `${JSON.stringify(row)}\n`).join("")]).stream();

async function listed(account: string, rows: readonly object[]) {
  const listing = await readAnyListing(() => body(rows));
  return joinListings([listing], { provider: "aws", external_id: account });
}

async function declared(resources: readonly { type: string; name: string; attributes: object }[]) {
  const state = {
    version: 4,
    serial: 1,
    lineage: "l",
    resources: resources.map(({ type, name, attributes }) => ({
      mode: "managed",
      type,
      name,
      provider: 'provider["registry.terraform.io/hashicorp/aws"]',
      instances: [{ schema_version: 0, attributes }],
    })),
  };
  return (await readDeclaredState(body([state]), "state")).rows;
}

const queue = (name: string, account: string): object => ({
  provider_resource_id: arnOf(name, account),
  provider_type: "AWS::SQS::Queue",
});
const declaredQueue = (name: string, account: string, tags = {}) => ({
  type: "aws_sqs_queue",
  name,
  attributes: { arn: arnOf(name, account), name, tags },
});
const bucket = (name: string): object => ({
  provider_resource_id: name,
  provider_type: "AWS::S3::Bucket",
});

function reasons({ unobserved }: EstateDrift): string[] {
  return unobserved.map(({ row, reason }) => `${row.address}: ${reason}`);
}

describe("a declared resource without a live one", () => {
  test("is missing if its account's listing would show it", async () => {
    const accounts = [await listed(ONE, [queue("other", ONE)])];
    const drift = await driftOfEstate(accounts, await declared([declaredQueue("q", ONE)]), "standard");
    expect(drift.accounts[0]?.counts).toMatchObject({ live: 1, matched: 0, undeclared: 1, missing: 1 });
    expect(reasons(drift)).toEqual([]);
  });

  test("is unobserved if its account has no listing", async () => {
    const accounts = [await listed(ONE, [queue("other", ONE)])];
    const drift = await driftOfEstate(accounts, await declared([declaredQueue("q", TWO)]), "standard");
    expect(reasons(drift)).toEqual(["aws_sqs_queue.q: account_not_listed"]);
    expect(drift.accounts[0]?.counts.missing).toBe(0);
  });

  test("is unobserved in a listing of tagged resources, unless it has tags", async () => {
    const row = { ResourceARN: arnOf("other", ONE), Tags: [{ Key: "team", Value: "core" }] };
    const accounts = [await listed(ONE, [{ ResourceTagMappingList: [row] }])];
    const rows = await declared([declaredQueue("bare", ONE), declaredQueue("tagged", ONE, { team: "core" })]);
    const drift = await driftOfEstate(accounts, rows, "standard");
    expect(reasons(drift)).toEqual(["aws_sqs_queue.bare: untagged"]);
    expect(drift.accounts[0]?.changes).toMatchObject([
      { kind: "missing", address: "aws_sqs_queue.tagged" },
      { kind: "undeclared", provider_resource_id: arnOf("other", ONE) },
    ]);
  });

  test("is unobserved if nothing in its state identifies it", async () => {
    const accounts = [await listed(ONE, [queue("other", ONE)])];
    const rows = await declared([{ type: "aws_sqs_queue", name: "q", attributes: {} }]);
    expect(reasons(await driftOfEstate(accounts, rows, "standard"))).toEqual([
      "aws_sqs_queue.q: not_identified",
    ]);
  });
});

test("a declaration that two accounts have matches in neither and isn't missing", async () => {
  const accounts = [await listed(ONE, [bucket("b")]), await listed(TWO, [bucket("b")])];
  const rows = await declared([{ type: "aws_s3_bucket", name: "b", attributes: { id: "b", bucket: "b" } }]);
  const drift = await driftOfEstate(accounts, rows, "standard");
  expect(drift.accounts.map(({ counts }) => [counts.matched, counts.undeclared])).toEqual([
    [0, 1],
    [0, 1],
  ]);
  expect(reasons(drift)).toEqual(["aws_s3_bucket.b: contested"]);
});

test("of two rows with the same id, the one with properties stays", async () => {
  const rich = { ...queue("q", ONE), properties: { DelaySeconds: 5 } };
  for (const rows of [
    [queue("q", ONE), rich],
    [rich, queue("q", ONE)],
  ]) {
    const { resources } = await listed(ONE, rows);
    expect(resources).toMatchObject([{ properties: '{"DelaySeconds":5}' }]);
  }
});
