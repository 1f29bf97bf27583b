import { expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { ACCOUNT, type Call, cloudControlPage } from "@leeway/connectors/aws/aws.fixture";
import { denied } from "./aws-cloud.ts";
import { ndjson, tfstate } from "./kit.ts";
import { scanning } from "./scanning.ts";

const cloud = scanning();

const REGION = "eu-west-1";
const arn = (resource: string): string => `arn:aws:rds:${REGION}:${ACCOUNT}:${resource}`;
const CLUSTER = arn("cluster:n");
const INSTANCE = arn("db:n-1");

/** Builds Cloud Control's rows of a cluster and its instance, under each type that lists them. */
const rowsOf = (types: Record<string, JsonObject>): Record<string, JsonObject[]> =>
  Object.fromEntries(
    Object.entries(types).map(([type, properties]) => [
      type,
      [{ Identifier: type.endsWith("Cluster") ? "n" : "n-1", Properties: JSON.stringify(properties) }],
    ]),
  );
const pagesOf = (types: Record<string, JsonObject>): string =>
  ndjson(
    Object.entries(rowsOf(types)).map(([TypeName, ResourceDescriptions]) => ({
      TypeName,
      Region: REGION,
      AccountId: ACCOUNT,
      ResourceDescriptions,
    })),
  );
const list = (types: Record<string, JsonObject>) => (call: Call) =>
  call.action === "cloudformation:ListResources" ? cloudControlPage(rowsOf(types), call) : undefined;
const deny = (types: string, call: Call) =>
  JSON.stringify(call.input).includes(types) ? denied(call.action) : undefined;
const rds = (properties: JsonObject) => ({
  "AWS::RDS::DBCluster": properties,
  "AWS::RDS::DBInstance": properties,
});
const cluster = (type: string) => ({ type, name: "n", attributes: { id: "n", arn: CLUSTER } });
const instance = (type: string) => ({ type, name: "n", attributes: { id: "n-1", arn: INSTANCE } });

const CLUSTERS = { "AWS::DocDB::DBCluster": {}, "AWS::RDS::DBCluster": {}, "AWS::Neptune::DBCluster": {} };

/** Returns the type and match status of each live resource. */
async function live({ org }: Awaited<ReturnType<typeof cloud.start>>) {
  return (await org.resources()).map((row) => `${row.provider_type} ${row.match.status}`).toSorted();
}

test.each([
  ["neptune", "aws_neptune_cluster", "AWS::Neptune::DBCluster"],
  ["docdb", "aws_docdb_cluster", "AWS::DocDB::DBCluster"],
  ["aurora-mysql", "aws_rds_cluster", "AWS::RDS::DBCluster"],
])(
  "a cluster of %s listed by several services is one resource of its engine's type",
  async (Engine, declared, type) => {
    const started = await cloud.start();
    const { org, account } = started;
    await org.pushState(await org.source("all"), tfstate([cluster(declared)]));
    await org.pushListing(account, pagesOf({ ...CLUSTERS, "AWS::RDS::DBCluster": { Engine } }));
    expect(await live(started)).toEqual([`${type} matched`]);
  },
);

test.each(["aws_rds_cluster", "aws_neptune_cluster", "aws_docdb_cluster"])(
  "a cluster without a known engine is one resource, matched as %s",
  async (type) => {
    const started = await cloud.start();
    const { org, account } = started;
    await org.pushState(await org.source("all"), tfstate([cluster(type)]));
    await org.pushListing(account, pagesOf(CLUSTERS));
    expect(await live(started)).toEqual(["AWS::RDS::DBCluster matched"]);
  },
);

test("a stack's Neptune cluster is found by id among RDS clusters", async () => {
  const started = await cloud.start();
  const { org, account } = started;
  const StackId = `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/shop/6ddbde98-729e-4585-a433-908d74d54c84`;
  const declared = {
    StackId,
    StackName: "shop",
    LogicalResourceId: "N",
    ResourceType: "AWS::Neptune::DBCluster",
  };
  await org.pushState(await org.source("shop"), {
    StackResources: [{ ...declared, PhysicalResourceId: "n" }],
  });
  await org.pushListing(account, pagesOf({ "AWS::RDS::DBCluster": {}, "AWS::Neptune::DBCluster": {} }));
  expect(await live(started)).toEqual(["AWS::RDS::DBCluster matched"]);
});

test("a cluster and its instance stay one resource each while a service is denied", async () => {
  const started = await cloud.start({ regions: [REGION] });
  const { org, world, scans, account } = started;
  world.indexed = false;
  const neptune = { "AWS::Neptune::DBCluster": {}, "AWS::Neptune::DBInstance": {} };
  world.interfere = list({ ...neptune, ...rds({ Engine: "neptune" }) });
  const declared = [cluster("aws_neptune_cluster"), instance("aws_neptune_cluster_instance")];
  await org.pushState(await org.source("all"), tfstate(declared));
  await scans.run({ account_id: account.id });
  const both = ["AWS::Neptune::DBCluster matched", "AWS::Neptune::DBInstance matched"];
  expect(await live(started)).toEqual(both);
  world.interfere = (call) => deny("AWS::RDS::DB", call) ?? list(neptune)(call);
  expect(await scans.run({ account_id: account.id })).toMatchObject({ stats: { gone: 0, created: 0 } });
  expect(await live(started)).toEqual(both);
  world.interfere = (call) => deny("AWS::Neptune::DB", call) ?? list(rds({}))(call);
  expect(await scans.run({ account_id: account.id })).toMatchObject({ status: "partial" });
  expect(await live(started)).toEqual(["AWS::RDS::DBCluster matched", "AWS::RDS::DBInstance matched"]);
});
