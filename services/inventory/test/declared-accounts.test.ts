import { describe, expect, test } from "bun:test";
import { DeleteAccount } from "@leeway/shared/contracts/inventory/accounts";
import { ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";
import { ListSnapshots } from "@leeway/shared/contracts/inventory/posture";
import { ListScans } from "@leeway/shared/contracts/inventory/scans";
import { GetSource, UpdateSource } from "@leeway/shared/contracts/inventory/sources";
import { failureOf } from "@leeway/shared/testing/testing";

import {
  arn,
  declaredGroup,
  declaredQueue,
  declaring,
  fates,
  group,
  matchedIn,
  ONE,
  postureOf,
  queue,
  TWO,
} from "./declaring.ts";
import { ndjson, tfstate } from "./kit.ts";

const { call, start } = declaring();

const web = (region: string, account: string): object => ({
  provider_resource_id: `arn:aws:lambda:${region}:${account}:function:web`,
  provider_type: "AWS::Lambda::Function",
  region,
});

describe("the account of a declared resource", () => {
  test("is the one in its identifiers, even if another account has a resource of that name", async () => {
    const { org, one, two } = await start();
    await org.pushListing(one, ndjson([queue("a")]));
    await org.pushListing(two, ndjson([queue("a", TWO)]));
    await org.pushState(await org.source("jobs"), tfstate([declaredQueue("a", TWO)]));
    expect(await matchedIn(org, one)).toEqual([]);
    expect(await matchedIn(org, two)).toEqual([arn("a", TWO)]);
  });

  test("is unknown while two accounts have it, and so is that of its children", async () => {
    const { org, one, two } = await start();
    const rows = [
      {
        provider_resource_id: "web",
        provider_type: "AWS::AutoScaling::AutoScalingGroup",
        region: "eu-west-1",
      },
      {
        provider_resource_id: "i-1",
        provider_type: "AWS::EC2::Instance",
        region: "eu-west-1",
        tags: { "aws:autoscaling:groupName": "web" },
      },
    ];
    const attributes = { id: "web", name: "web" };
    await org.pushListing(one, ndjson(rows));
    await org.pushState(
      await org.source("web"),
      tfstate([{ type: "aws_autoscaling_group", name: "web", attributes }]),
    );
    expect(await matchedIn(org, one)).toEqual(["i-1", "web"]);
    await org.pushListing(two, ndjson(rows.slice(0, 1)));
    expect(await matchedIn(org, one)).toEqual([]);
    expect(await postureOf(org, one)).toMatchObject({ matched_count: 0 });
    await org.pushListing(two, ndjson([queue("other", TWO)]));
    expect(await matchedIn(org, one)).toEqual(["i-1", "web"]);
    await org.pushListing(two, ndjson(rows.slice(0, 1)));
    await call(DeleteAccount, { org_id: org.id, account_id: two.id });
    expect(await matchedIn(org, one)).toEqual(["i-1", "web"]);
    expect(await postureOf(org, one)).toMatchObject({ matched_count: 2 });
  });

  test("follows from resources of the same provider configuration", async () => {
    const { org, one, two } = await start();
    await org.pushListing(one, ndjson([group("sg-1")]));
    await org.pushListing(two, ndjson([group("sg-1")]));
    await org.pushState(
      await org.source("net"),
      tfstate([declaredGroup("sg-1"), declaredQueue("gone", TWO)]),
    );
    expect(await matchedIn(org, one)).toEqual([]);
    expect(await matchedIn(org, two)).toEqual(["sg-1"]);
    expect([await postureOf(org, one), await postureOf(org, two)]).toMatchObject([
      { missing_count: 0, undeclared_count: 1 },
      { missing_count: 1, undeclared_count: 0 },
    ]);
    const missing = { org_id: org.id, kind: "missing", limit: 10 } as const;
    expect((await call(ListDriftChanges, missing)).data).toMatchObject([
      { cloud_account_id: two.id, address: "aws_sqs_queue.gone" },
    ]);
  });

  test("is its source's if no identifier names another", async () => {
    const { org, one, two } = await start();
    await org.pushListing(one, ndjson([group("sg-1")]));
    await org.pushListing(two, ndjson([group("sg-1"), group("sg-3")]));
    await org.pushState(
      await org.source("net", two.id),
      tfstate([declaredGroup("sg-1"), declaredGroup("sg-2")]),
    );
    expect(await matchedIn(org, one)).toEqual([]);
    expect(await matchedIn(org, two)).toEqual(["sg-1"]);
    expect(await postureOf(org, two)).toMatchObject({ missing_count: 1 });
  });

  test("changes with its source's account", async () => {
    const { org, one, two } = await start();
    await org.pushListing(one, ndjson([group("sg-1")]));
    await org.pushListing(two, ndjson([group("sg-2")]));
    const net = await org.source("net", one.id);
    await org.pushState(net, tfstate([declaredGroup("sg-2")]));
    expect([await postureOf(org, one), await postureOf(org, two)]).toMatchObject([
      { missing_count: 1, matched_count: 0 },
      { missing_count: 0, matched_count: 0 },
    ]);
    const moved = { org_id: org.id, source_id: net.id, cloud_account_id: two.id };
    expect(await call(UpdateSource, moved)).toMatchObject({ matched_count: 1, missing_count: 0 });
    expect([await postureOf(org, one), await postureOf(org, two)]).toMatchObject([
      { missing_count: 0, matched_count: 0 },
      { missing_count: 0, matched_count: 1, coverage_pct: 100 },
    ]);
  });

  test("stays unknown if several have it: it isn't matched or missing in any", async () => {
    const { org, one, two } = await start();
    await org.pushState(await org.source("net"), tfstate([declaredGroup("sg-1")]));
    await org.pushListing(one, ndjson([group("sg-1"), group("sg-2")]));
    expect(await matchedIn(org, one)).toEqual(["sg-1"]);
    expect(await postureOf(org, one)).toMatchObject({ coverage_pct: 50 });

    await org.pushListing(two, ndjson([group("sg-1")]));
    expect([...(await matchedIn(org, one)), ...(await matchedIn(org, two))]).toEqual([]);
    expect(await fates(org)).toEqual({ "aws_security_group.sg_1": "unobserved" });
    expect([await postureOf(org, one), await postureOf(org, two)]).toMatchObject([
      { matched_count: 0, undeclared_count: 2, missing_count: 0, coverage_pct: 0 },
      { matched_count: 0, undeclared_count: 1, missing_count: 0, coverage_pct: 0 },
    ]);

    await org.pushListing(one, ndjson([group("sg-2")]));
    expect(await matchedIn(org, two)).toEqual(["sg-1"]);
    expect(await fates(org)).toEqual({ "aws_security_group.sg_1": "matched" });
    expect(await postureOf(org, two)).toMatchObject({ matched_count: 1, coverage_pct: 100 });
  });

  test.each([
    ["younger", ["own", "any"]],
    ["older", ["any", "own"]],
  ] as const)(
    "takes nothing from another source's resource here if the %s one is undecided",
    async (_, names) => {
      const { org, one, two } = await start();
      for (const name of names) {
        const source = await org.source(name, name === "own" ? one.id : undefined);
        await org.pushState(source, tfstate([{ ...declaredGroup("sg-1"), name }]));
      }
      const rowIn = async ({ id }: { id: string }) => (await org.resources({ account_id: id, q: "sg-1" }))[0];
      const declared = Object.fromEntries((await org.declared()).map(({ address, id }) => [address, id]));
      await org.pushListing(one, ndjson([group("sg-1")]));
      const first = declared[`aws_security_group.${names[0]}`];
      expect(await rowIn(one)).toMatchObject({ iac_resource_id: first, match: { conflict: true } });

      await org.pushListing(two, ndjson([group("sg-1"), group("sg-2")]));
      expect(await rowIn(one)).toMatchObject({ iac_resource_id: declared["aws_security_group.own"] });
      expect((await rowIn(one))?.match).not.toHaveProperty("conflict");
      expect((await rowIn(two))?.match.status).toBe("undeclared");

      await org.pushListing(two, ndjson([group("sg-2")]));
      expect(await rowIn(one)).toMatchObject({ iac_resource_id: first, match: { conflict: true } });
    },
  );

  test("is decided when the other account with it is deleted", async () => {
    const { org, one, two } = await start();
    await org.pushState(await org.source("net"), tfstate([declaredGroup("sg-1")]));
    await org.pushListing(one, ndjson([group("sg-1")]));
    await org.pushListing(two, ndjson([group("sg-1")]));
    await call(DeleteAccount, { org_id: org.id, account_id: two.id });
    expect(await matchedIn(org, one)).toEqual(["sg-1"]);
    expect(await postureOf(org, one)).toMatchObject({ matched_count: 1, coverage_pct: 100 });
  });

  test("is the one with a single match, not the one with an ambiguous match", async () => {
    const { org, one, two } = await start();
    const twins = ndjson([web("eu-west-1", ONE), web("us-east-1", ONE)]);
    const declared = { type: "aws_lambda_function", name: "web", attributes: { function_name: "web" } };
    const match = async (): Promise<object[]> => (await org.declared()).map((row) => row.match);
    await org.pushState(await org.source("web"), tfstate([declared]));
    await org.pushListing(one, twins);
    expect(await match()).toMatchObject([{ status: "unobserved", ambiguous: true }]);
    await org.pushListing(two, ndjson([web("eu-west-1", TWO)]));
    expect(await match()).toMatchObject([{ status: "matched" }]);
    expect(await matchedIn(org, two)).toHaveLength(1);
    await org.pushListing(one, ndjson([web("us-east-1", ONE)]));
    expect([await matchedIn(org, one), await matchedIn(org, two)]).toEqual([[], []]);
    await org.pushListing(one, twins);
    expect(await matchedIn(org, two)).toHaveLength(1);
    await org.pushListing(two, ndjson([queue("other", TWO)]));
    expect(await match()).toMatchObject([{ status: "unobserved", ambiguous: true }]);
    await call(DeleteAccount, { org_id: org.id, account_id: one.id });
    expect(await match()).toEqual([{ status: "missing", keys: expect.any(Array) }]);
  });

  test("depends on the region if both sides name one", async () => {
    const { org, one } = await start();
    await org.pushListing(
      one,
      ndjson([{ ...queue("a"), provider_resource_id: arn("a"), region: "eu-west-1" }]),
    );
    const elsewhere = { name: "a", arn: arn("a").replace("eu-west-1", "us-east-1") };
    await org.pushState(
      await org.source("jobs"),
      tfstate([{ type: "aws_sqs_queue", name: "a", attributes: elsewhere }]),
    );
    expect(await matchedIn(org, one)).toEqual([]);
    expect(await fates(org)).toEqual({ "aws_sqs_queue.a": "missing" });
  });
});

describe("an account", () => {
  test("is deleted with its resources, scans and snapshots, and its sources lose it", async () => {
    const { org, one, two } = await start();
    const jobs = await org.source("jobs", one.id);
    await org.pushState(jobs, tfstate([declaredQueue("a"), declaredQueue("b")]));
    await org.pushListing(one, ndjson([queue("a")]));
    await org.pushListing(two, ndjson([queue("x", TWO)]));
    await call(DeleteAccount, { org_id: org.id, account_id: one.id });

    expect((await org.posture()).map((row) => row.cloud_account_id)).toEqual([two.id]);
    expect((await org.resources()).map((row) => row.cloud_account_id)).toEqual([two.id]);
    const all = { org_id: org.id, limit: 500 };
    expect((await call(ListScans, all)).data.map(({ account_id }) => account_id)).toEqual([two.id]);
    for (const { cloud_account_id } of (await call(ListSnapshots, all)).data)
      expect(cloud_account_id).toBe(two.id);
    const left = await call(GetSource, { org_id: org.id, source_id: jobs.id });
    expect(left).not.toContainKey("cloud_account_id");
    expect(left).toMatchObject({ resource_count: 2, matched_count: 0 });
    expect(await failureOf(call(DeleteAccount, { org_id: org.id, account_id: one.id }))).toMatchObject({
      code: "not_found",
    });
  });

  test("that is deleted leaves its sources' resources to other accounts", async () => {
    const { org, one, two } = await start();
    await org.pushListing(two, ndjson([group("sg-1")]));
    await org.pushState(await org.source("net", one.id), tfstate([declaredGroup("sg-1")]));
    expect(await matchedIn(org, two)).toEqual([]);
    await call(DeleteAccount, { org_id: org.id, account_id: one.id });
    expect(await matchedIn(org, two)).toEqual(["sg-1"]);
    expect(await postureOf(org, two)).toMatchObject({ matched_count: 1, coverage_pct: 100 });
  });

  test("added again under its id starts empty and gets its own resources", async () => {
    const { org, one } = await start();
    await org.pushState(await org.source("jobs"), tfstate([declaredQueue("a")]));
    await org.pushListing(one, ndjson([queue("a")]));
    await call(DeleteAccount, { org_id: org.id, account_id: one.id });
    const again = await org.account("aws", ONE);
    expect(await postureOf(org, again)).toMatchObject({
      live_count: 0,
      missing_count: 0,
      drift_status: "none",
    });
    await org.pushListing(again, ndjson([queue("a")]));
    expect(await matchedIn(org, again)).toEqual([arn("a")]);
  });
});
