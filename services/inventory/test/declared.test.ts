import { describe, expect, test } from "bun:test";
import { GetResource } from "@leeway/shared/contracts/inventory/resources";
import { DeleteSource, GetSource } from "@leeway/shared/contracts/inventory/sources";

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
} from "./declaring.ts";
import { ndjson, tfstate } from "./kit.ts";

const { call, start } = declaring();

describe("a declared resource that isn't live", () => {
  test("is missing in its source and its account from the first listing on", async () => {
    const { org, one } = await start();
    const jobs = await org.source("jobs");
    expect(await org.pushState(jobs, tfstate([declaredQueue("a"), declaredQueue("b")]))).toMatchObject({
      missing_count: 0,
      unobserved_count: 2,
    });
    await org.pushListing(one, ndjson([queue("a")]));
    const counts = { matched_count: 1, missing_count: 1 };
    expect(await call(GetSource, { org_id: org.id, source_id: jobs.id })).toMatchObject(counts);
    expect(await postureOf(org, one)).toMatchObject(counts);
  });

  test("without an account, in a source without one, counts only for its source", async () => {
    const { org, one } = await start();
    await org.pushListing(one, ndjson([queue("a")]));
    const pushed = await org.pushState(await org.source("jobs"), tfstate([declaredGroup("sg-1")]));
    expect(pushed).toMatchObject({ missing_count: 1, unobserved_count: 0 });
    for (const row of await org.posture()) expect(row.missing_count).toBe(0);
  });

  test("at two addresses of a state is missing at neither, and shows the conflict", async () => {
    const { org, one } = await start();
    await org.pushListing(one, ndjson([queue("a")]));
    const [first, second] = [declaredQueue("a"), { ...declaredQueue("a"), name: "again" }];
    expect(await org.pushState(await org.source("jobs"), tfstate([first, second]))).toMatchObject({
      matched_count: 2,
      missing_count: 0,
    });
    expect(await postureOf(org, one)).toMatchObject({
      missing_count: 0,
      undeclared_count: 0,
      risk_level: "none",
    });
    const [live] = await org.resources({});
    expect(live).toMatchObject({ match: { status: "matched", conflict: true } });
  });

  test("is matched as soon as a listing contains it", async () => {
    const { org, one } = await start();
    await org.pushState(await org.source("jobs"), tfstate([declaredQueue("a"), declaredQueue("b")]));
    await org.pushListing(one, ndjson([queue("a")]));
    await org.pushListing(one, ndjson([queue("a"), queue("b")]));
    expect(await postureOf(org, one)).toMatchObject({
      missing_count: 0,
      matched_count: 2,
      risk_level: "none",
    });
  });
});

const part = (name: string, parent_id: string) => ({
  provider_resource_id: `arn:aws:acme:eu-west-1:${ONE}:part/${name}`,
  provider_type: "AWS::Acme::Part",
  parent_id,
});

describe("a resource declared before it is listed", () => {
  test("belongs to the older of two sources, and shows the conflict", async () => {
    const { org, one } = await start();
    const [older, newer] = [await org.source("older"), await org.source("newer")];
    for (const source of [newer, older]) await org.pushState(source, tfstate([declaredQueue("a")]));
    await org.pushListing(one, ndjson([queue("a")]));
    const [live] = await org.resources();
    const own = (await org.declared()).find(({ iac_source_id }) => iac_source_id === older.id);
    expect(live).toMatchObject({ iac_resource_id: own!.id, match: { status: "matched", conflict: true } });
  });

  test("covers its children and grandchildren, wherever they are listed", async () => {
    const { org, one } = await start();
    await org.pushState(await org.source("jobs"), tfstate([declaredQueue("owner")]));
    const listing = ndjson([
      part("grandchild", part("child", "").provider_resource_id),
      part("child", arn("owner")),
      queue("owner"),
    ]);
    for (const changes of [{ created: 3 }, { created: 0 }]) {
      expect((await org.pushListing(one, listing)).stats).toMatchObject({ ...changes, matched: 3 });
    }
    expect((await org.pushListing(one, ndjson([part("grandchild", arn("owner"))]))).stats).toMatchObject({
      gone: 2,
      matched: 0,
    });
  });
});

describe("an inline resource", () => {
  const rule = {
    provider_resource_id: "sgr-1",
    provider_type: "AWS::EC2::SecurityGroupIngress",
    properties: { GroupId: "sg-1", IpProtocol: "tcp", FromPort: 443, ToPort: 443, CidrIp: "10.0.0.0/8" },
  };
  const ingress = [{ protocol: "tcp", from_port: 443, to_port: 443, cidr_blocks: ["10.0.0.0/8"] }];

  test("matches a live one, but is never listed separately or missing", async () => {
    const { org, one } = await start();
    const net = await org.source("net", one.id);
    expect(await org.pushState(net, tfstate([declaredGroup("sg-1", { ingress })]))).toMatchObject({
      resource_count: 1,
    });
    await org.pushListing(one, ndjson([group("sg-1"), rule]));
    expect(await matchedIn(org, one)).toEqual(["sg-1", "sgr-1"]);
    expect(await fates(org)).toEqual({ "aws_security_group.sg_1": "matched" });

    await org.pushListing(one, ndjson([group("sg-1")]));
    expect(await postureOf(org, one)).toMatchObject({ missing_count: 0, matched_count: 1 });
  });

  test("is found by listed details only when the listing repeats it with them", async () => {
    const { org, one } = await start();
    await org.pushState(await org.source("net", one.id), tfstate([declaredGroup("sg-1", { ingress })]));
    const { provider_resource_id, provider_type } = rule;
    await org.pushListing(one, ndjson([{ provider_resource_id, provider_type }, group("sg-1"), rule]));
    expect(await matchedIn(org, one)).toEqual(["sg-1", "sgr-1"]);
  });

  test("covers its owner's children", async () => {
    const { org, one } = await start();
    const owner = { provider_resource_id: arn("owner"), provider_type: "AWS::SQS::Queue" };
    const made = {
      provider_resource_id: "made-1",
      provider_type: "AWS::Acme::Part",
      parent_id: arn("owner"),
    };
    const grandchild = {
      provider_resource_id: "made-2",
      provider_type: "AWS::Acme::Part",
      parent_id: "nobody",
    };
    const jobs = await org.source("jobs");
    await org.pushListing(one, ndjson([owner, made, grandchild]));
    expect(await matchedIn(org, one)).toEqual([]);
    await org.pushState(jobs, tfstate([declaredQueue("owner")]));
    expect(await matchedIn(org, one)).toEqual([arn("owner"), "made-1"]);
    const [covered] = await org.resources({ q: "made-1" });
    const [declared] = await org.declared();
    expect(covered).toMatchObject({
      iac_resource_id: declared!.id,
      match: { status: "matched", level: "owner", confidence: 0.9 },
    });
    // The declaration matches the owner, not the resource that the owner created.
    const [live] = await org.resources({ q: ":owner" });
    expect(declared!.match.live_resource_id).toBe(live!.id);
    const why = async ({ id }: { id: string }) =>
      (await call(GetResource, { org_id: org.id, resource_id: id })).match;
    expect((await why(covered!)).owner_id).toBe(live!.id);
    expect(await why(live!)).not.toHaveProperty("owner_id");

    await call(DeleteSource, { org_id: org.id, source_id: jobs.id });
    expect(await matchedIn(org, one)).toEqual([]);
  });
});

test("a matched resource shows the key that both sides have", async () => {
  const { org, one } = await start();
  const attributes = { id: "AllowBucket", function_name: "resize", statement_id: "AllowBucket" };
  const permission = { type: "aws_lambda_permission", name: "bucket", attributes };
  await org.pushState(await org.source("jobs"), tfstate([permission]));
  const row = { Identifier: "resize|AllowBucket", Properties: "{}" };
  await org.pushListing(one, ndjson([{ TypeName: "AWS::Lambda::Permission", ResourceDescriptions: [row] }]));
  expect(await org.declared()).toMatchObject([
    { match: { status: "matched", key: "aws_lambda_permission|resize|AllowBucket" } },
  ]);
});
