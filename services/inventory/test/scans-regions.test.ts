import { expect, test } from "bun:test";

import { EnrichResource } from "@leeway/shared/contracts/inventory/resources";
import { text, type JsonObject } from "@leeway/shared/values/json";

import { ACCOUNT, type Call, cloudControlPage } from "@leeway/connectors/aws/aws.fixture";
import { tfstate } from "./kit.ts";
import { scanning } from "./scanning.ts";

const cloud = scanning();

const REGIONS = ["eu-west-1", "us-east-1"];
const GROUP = "AWS::Logs::LogGroup";
const DASHBOARD = "AWS::CloudWatch::Dashboard";
/** Type whose ARNs don't contain the name. */
const PROXY = "AWS::RDS::DBProxy";
const logGroup = (region: string, name: string): string =>
  `arn:aws:logs:${region}:${ACCOUNT}:log-group:${name}`;

const declared = (region: string, name: string, more: object = {}) => ({
  type: "aws_cloudwatch_log_group",
  name: region,
  attributes: { id: name, name, arn: logGroup(region, name), retention_in_days: 30, ...more },
});

const proxyOf = ({ region }: Call): JsonObject => ({ Identifier: `proxy-${region}`, Properties: "{}" });

/**
 * Builds Cloud Control's answers without Resource Explorer: log groups of the same name in every region, and a
 * dashboard that each region lists.
 */
function listing(days: Record<string, number>) {
  return (call: Call) => {
    const properties = { LogGroupName: "/shop", RetentionInDays: days[call.region] ?? 30 };
    const group: JsonObject = { Identifier: "/shop", Properties: JSON.stringify(properties) };
    const dashboard: JsonObject = { Identifier: "shop", Properties: "{}" };
    if (call.action === "cloudformation:ListResources")
      return cloudControlPage({ [GROUP]: [group], [DASHBOARD]: [dashboard], [PROXY]: [proxyOf(call)] }, call);
    if (call.action === "cloudformation:GetResource" && text(call.input, "Identifier") === "/shop")
      return { body: { TypeName: GROUP, ResourceDescription: group } };
    return undefined;
  };
}

test("two resources of one name in two regions are matched, compared and fetched separately", async () => {
  const { org, world, scans, account } = await cloud.start();
  world.indexed = false;
  world.interfere = listing({ "us-east-1": 7 });
  await org.pushState(await org.source("all"), tfstate(REGIONS.map((region) => declared(region, "/shop"))));
  const scan = await scans.run({ account_id: account.id, regions: REGIONS });
  expect(scan).toMatchObject({ status: "succeeded", stats: { matched: 2 } });
  expect(await org.posture()).toMatchObject([{ missing_count: 0 }]);
  const rows = await org.resources();
  const groups = rows.filter(({ provider_type }) => provider_type === GROUP);
  expect(new Map(groups.map((row) => [row.region, row.provider_resource_id]))).toEqual(
    new Map(REGIONS.map((region) => [region, logGroup(region, "/shop")])),
  );
  expect(rows.filter(({ provider_type }) => provider_type === DASHBOARD)).toMatchObject([
    { provider_resource_id: `arn:aws:cloudwatch::${ACCOUNT}:dashboard/shop` },
  ]);
  const proxies = rows.filter(({ provider_type }) => provider_type === PROXY);
  expect(new Map(proxies.map((row) => [row.provider_resource_id, row.region]))).toEqual(
    new Map(REGIONS.map((region) => [`proxy-${region}`, region])),
  );
  for (const { id, region = "" } of groups) {
    world.calls.length = 0;
    await cloud.inventory.call(EnrichResource, { org_id: org.id, resource_id: id });
    const asked = world.calls.filter(({ action }) => action === "cloudformation:GetResource");
    expect(asked.map((call) => call.region)).toEqual([region]);
  }
  expect((await scans.run({ account_id: account.id, regions: REGIONS })).stats).toMatchObject({
    created: 0,
    gone: 0,
  });
});

const page = (place: object) => ({
  ...place,
  TypeName: GROUP,
  ResourceDescriptions: [{ Identifier: "/shop", Properties: "{}" }],
});

test("a pushed page with its region keeps them apart, too", async () => {
  const { org, account } = await cloud.start();
  const pages = REGIONS.map((Region) => page({ Region, AccountId: ACCOUNT }));
  const { stats } = await org.pushListing(account, pages.map((one) => JSON.stringify(one)).join("\n"));
  expect(stats).toMatchObject({ seen: 2, created: 2 });
  await org.pushListing(account, page({}));
  expect((await org.resources()).map((row) => row.provider_resource_id)).toEqual(["/shop"]);
});
