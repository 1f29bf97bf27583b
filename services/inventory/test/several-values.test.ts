import { afterAll, beforeAll, expect, test } from "bun:test";

import type { Input } from "@leeway/shared/contracts/contract";
import { DecideMany } from "@leeway/shared/contracts/inventory/decisions";
import { ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";
import { GroupDriftChanges } from "@leeway/shared/contracts/inventory/drift-reads";
import { GroupResources, ListResources } from "@leeway/shared/contracts/inventory/resources";

import { ndjson, newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

type DriftFilter = Omit<Input<typeof ListDriftChanges>, "org_id" | "limit" | "cursor">;
type ResourceFilter = Omit<Input<typeof ListResources>, "org_id" | "limit" | "cursor">;

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const TYPES = { queue: "AWS::SQS::Queue", topic: "AWS::SNS::Topic", group: "AWS::EC2::SecurityGroup" };
const live = (kind: keyof typeof TYPES, name: string, more: object = {}) => ({
  provider_resource_id: `arn:aws:${kind}:${name}`,
  provider_type: TYPES[kind],
  name,
  ...more,
});
const declared = (account: string, name: string, region: string) => ({
  type: "aws_sqs_queue",
  name,
  module: "module.jobs",
  attributes: { arn: `arn:aws:sqs:${region}:${account}:${name}` },
});

/** Two accounts with undeclared resources, a missing one and a declared one. */
async function estate() {
  const org = newOrg(inventory);
  const first = await org.account("aws", "111111111111");
  const second = await org.account("aws", "222222222222");
  await org.pushState(
    await org.source("jobs", first.id),
    tfstate([declared("111111111111", "lost", "us-east-1"), declared("111111111111", "kept", "eu-west-1")]),
  );
  const kept = {
    provider_resource_id: "arn:aws:sqs:eu-west-1:111111111111:kept",
    provider_type: TYPES.queue,
    region: "eu-west-1",
    name: "kept",
  };
  const open = {
    GroupId: "sg-1",
    SecurityGroupIngress: [{ IpProtocol: "tcp", FromPort: 22, ToPort: 22, CidrIp: "0.0.0.0/0" }],
  };
  const rows = [
    kept,
    live("queue", "data", { region: "eu-west-1", tags: { team: "data", "a=b": "c" } }),
    live("topic", "web", { region: "us-east-1", tags: { team: "web" } }),
    live("group", "open", { region: "us-east-1", properties: open }),
  ];
  await org.pushListing(first, ndjson(rows));
  await org.pushListing(second, ndjson([live("queue", "other")]));
  return { org, first, second };
}

test("a filter takes several values, and leaves out those after an exclamation mark", async () => {
  const { org, first, second } = await estate();
  const drift = async (filter: DriftFilter) => {
    const { data } = await inventory.call(ListDriftChanges, { org_id: org.id, limit: 100, ...filter });
    return data
      .map(({ resource_name: name, address = "" }) => name ?? address.slice(address.lastIndexOf(".") + 1))
      .toSorted();
  };
  const all = ["data", "lost", "open", "other", "web"];
  expect(await drift({})).toEqual(all);
  const cases: [DriftFilter, string[]][] = [
    [{ account_id: [first.id, second.id] }, all],
    [{ account_id: `!${first.id}` }, ["other"]],
    [{ kind: ["missing", "changed"] }, ["lost"]],
    [{ kind: "!missing" }, ["data", "open", "other", "web"]],
    [{ risk_level: ["!high", "!critical"], kind: "undeclared" }, ["data", "other", "web"]],
    [{ resource_type: [TYPES.queue, TYPES.topic, `!${TYPES.topic}`] }, ["data", "other"]],
    [{ module_address: "module.jobs" }, ["lost"]],
    [{ module_address: "!module.jobs" }, ["data", "open", "other", "web"]],
    [{ region: ["us-east-1"] }, ["lost", "open", "web"]],
    [{ region: "!us-east-1" }, ["data", "other"]],
    [{ tag: ["team=data", "team=web"] }, ["data", "web"]],
    [{ tag: ["team", "!team=web"] }, ["data"]],
    [{ disposition: ["!open"] }, []],
    [{ disposition: ["open", "ignored"], principal: "!ada@example.com" }, all],
  ];
  for (const [filter, found] of cases)
    expect({ filter, found: await drift(filter) }).toEqual({ filter, found });

  const groups = await inventory.call(GroupDriftChanges, {
    org_id: org.id,
    by: "type",
    region: ["us-east-1", "eu-west-1"],
    kind: "!missing",
  });
  expect(groups.data.map(({ key = "", count }) => `${key} ${count}`).toSorted()).toEqual(
    Object.values(TYPES)
      .map((type) => `${type} 1`)
      .toSorted(),
  );
  const counts = async (by: NonNullable<Input<typeof GroupDriftChanges>["by"]>) => {
    const { data } = await inventory.call(GroupDriftChanges, { org_id: org.id, by });
    return data.map(({ key = "none", count }) => `${key} ${count}`).toSorted();
  };
  expect(await counts("kind")).toEqual(["missing 1", "undeclared 4"]);
  expect(await counts("decision")).toEqual(["open 5"]);
  expect(await counts("region")).toEqual(["eu-west-1 1", "none 1", "us-east-1 3"]);
  const decision = await inventory.call(DecideMany, {
    org_id: org.id,
    decided_by: { type: "person", id: "ada" },
    filter: { resource_type: [TYPES.queue, TYPES.topic], account_id: `!${second.id}` },
    status: "acknowledged",
  });
  expect(decision.decided_count).toBe(2);
  expect(await drift({ disposition: "acknowledged" })).toEqual(["data", "web"]);
  expect(await drift({ disposition: "!acknowledged" })).toEqual(["lost", "open", "other"]);
});

test("resources are found by several regions, tags, modules and types", async () => {
  const { org, first } = await estate();
  const resources = async (filter: ResourceFilter) => {
    const page = { org_id: org.id, limit: 100, total: true, ...filter };
    const { data, total_count } = await inventory.call(ListResources, page);
    expect(total_count).toBe(data.length);
    return data.map(({ name }) => name ?? "").toSorted();
  };
  const cases: [ResourceFilter, string[]][] = [
    [{ account_id: `!${first.id}` }, ["other"]],
    [{ region: ["eu-west-1", "us-east-1"] }, ["data", "kept", "open", "web"]],
    [{ region: "!eu-west-1" }, ["open", "other", "web"]],
    [{ tag: "team" }, ["data", "web"]],
    [{ tag: "!team=web" }, ["data", "kept", "open", "other"]],
    [{ module_address: "module.jobs" }, ["kept"]],
    [{ module_address: "!module.jobs" }, ["data", "open", "other", "web"]],
    [{ match: ["!undeclared"] }, ["kept"]],
    [{ provider_type: [TYPES.topic, TYPES.group] }, ["open", "web"]],
    [
      { normalized_type: ["queue", "topic"], enrichment_status: "!enriched" },
      ["data", "kept", "other", "web"],
    ],
    [{ first_seen_since: "2999-01-01T00:00:00Z" }, []],
  ];
  const counts = async (by: NonNullable<Input<typeof GroupResources>["by"]>, filter: ResourceFilter = {}) => {
    const { data } = await inventory.call(GroupResources, { org_id: org.id, by, ...filter });
    return data.map(({ key = "none", count }) => `${key} ${count}`);
  };
  expect(await counts("region")).toEqual(["eu-west-1 2", "us-east-1 2", "none 1"]);
  expect(await counts("module")).toEqual(["none 4", "module.jobs 1"]);
  expect(await counts("match", { region: "!us-east-1" })).toEqual(["undeclared 2", "matched 1"]);
  expect(await counts("account", { provider_type: TYPES.topic })).toEqual([`${first.id} 1`]);
  for (const [filter, found] of cases)
    expect({ filter, found: await resources(filter) }).toEqual({ filter, found });
});
