import { expect, test } from "bun:test";

import { CreateAccount } from "@leeway/shared/contracts/inventory/accounts";
import { ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";
import type { JsonObject } from "@leeway/shared/values/json";
import { member, text } from "@leeway/shared/values/json";

import { denial } from "@leeway/connectors/aws/account.fixture";
import { ACCOUNT, type Answer, type Call } from "@leeway/connectors/aws/aws.fixture";
import { arn } from "./aws-cloud.ts";
import { tfstate } from "./kit.ts";
import { scanning } from "./scanning.ts";

const LIST_RECORDS = "route53:ListResourceRecordSets";
const ZONE = { id: "Z1", zone_id: "Z1", name: "example.com", comment: "ours" };

const cloud = scanning();

const record = (name: string, value = "192.0.2.1") => ({
  type: "aws_route53_record",
  name,
  attributes: {
    id: `Z1_${name}_A`, // the id has the name as declared
    zone_id: "Z1",
    name,
    fqdn: `${name}.example.com`,
    type: "A",
    set_identifier: "",
    ttl: 300,
    records: [value],
    alias: [],
  },
});
const set = (name: string, value = "192.0.2.1"): JsonObject => ({
  Name: `${name}.example.com.`,
  Type: "A",
  TTL: 300,
  ResourceRecords: [{ Value: value }],
});

/** Builds AWS's answers for an account with the zone and these records. */
function zone(sets: JsonObject[]) {
  return ({ action, input }: Call): Answer | undefined => {
    if (action === LIST_RECORDS) return { body: { ResourceRecordSets: sets, IsTruncated: false } };
    if (action === "cloudformation:GetResource") {
      const properties = { Id: "Z1", Name: "example.com.", HostedZoneConfig: { Comment: "ours" } };
      return { body: { ResourceDescription: { Properties: JSON.stringify(properties) } } };
    }
    const filter = text(member(input, "Filters"), "FilterString");
    if (action !== "resource-explorer-2:ListResources" || filter !== "region:global") return undefined;
    const found = {
      Arn: "arn:aws:route53:::hostedzone/Z1",
      OwningAccountId: ACCOUNT,
      Region: "global",
      ResourceType: "route53:hostedzone",
      Service: "route53",
    };
    return { body: { Resources: [found], ViewArn: "view" } };
  };
}

async function connected(names = ["www", "api"]) {
  const { org, world, scans, account } = await cloud.start();
  const source = await org.source("dns", account.id);
  const declared = [
    { type: "aws_route53_zone", name: "main", attributes: ZONE },
    ...names.map((name) => record(name)),
  ];
  await org.pushState(source, tfstate(declared));
  return {
    org,
    world,
    scan: () => scans.run({ account_id: account.id }),
    changes: async () => (await cloud.inventory.call(ListDriftChanges, { org_id: org.id, limit: 100 })).data,
  };
}

test("a record changed by hand is reported, and a deleted one is missing", async () => {
  const { world, scan, changes } = await connected();
  world.interfere = zone([set("www"), set("api"), set("another")]);
  expect(await scan()).toMatchObject({ status: "succeeded", errors: [] });
  expect(await changes()).toEqual([]);
  world.interfere = zone([set("www", "203.0.113.9"), set("another")]);
  await scan();
  expect(await changes()).toMatchObject([
    { kind: "missing", address: "aws_route53_record.api", actions: ["delete"] },
    {
      kind: "changed",
      address: "aws_route53_record.www",
      provider_resource_id: "arn:aws:route53:::hostedzone/Z1",
      attribute_changes: [{ path: ["records", 0], before: "192.0.2.1", after: "203.0.113.9" }],
    },
  ]);
});

test("records of a zone outside the account aren't reported", async () => {
  const { world, scan, changes, org } = await connected();
  world.queues.set("eu-west-1", ["jobs"]);
  await scan();
  const found = await changes();
  expect(found.filter(({ address }) => address?.includes("record"))).toEqual([]);
  const declared = await org.declared();
  expect(declared.map(({ match }) => match.status)).toEqual(
    expect.arrayContaining(["unobserved", "unobserved"]),
  );
  expect(found.map(({ provider_resource_id }) => provider_resource_id)).toContain(arn("eu-west-1", "jobs"));
});

test("a record is compared in the account of its zone, whatever account its state has", async () => {
  const { org, world, scan, changes } = await connected([]);
  const shop = await cloud.inventory.call(CreateAccount, {
    org_id: org.id,
    provider: "aws",
    external_id: "999999999999",
  });
  await org.pushState(await org.source("shop", shop.id), tfstate([record("shop")]));
  world.interfere = zone([set("shop", "203.0.113.9")]);
  await scan();
  expect(await changes()).toMatchObject([{ kind: "changed", address: "aws_route53_record.shop" }]);
});

test("while records are denied their drift stays, and the scan names the permission", async () => {
  const { world, scan, changes } = await connected();
  world.interfere = zone([set("www")]);
  await scan();
  const before = await changes();
  expect(before).toHaveLength(1);
  const answered = zone([]);
  const refusal = { ...denial(LIST_RECORDS), status: 403, code: "AccessDenied" };
  world.interfere = (call) => (call.action === LIST_RECORDS ? refusal : answered(call));
  expect(await scan()).toMatchObject({
    status: "partial",
    errors: [
      {
        service: "AWS::Route53::HostedZone",
        code: "permission_denied",
        message: expect.stringContaining(LIST_RECORDS),
        count: 1,
      },
    ],
  });
  expect(await changes()).toMatchObject(before.map(({ fingerprint }) => ({ fingerprint })));
});
