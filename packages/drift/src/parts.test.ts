import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { compareResource } from "./compare-resource.ts";
import type { Part } from "./mapping.ts";
import { isThere, partIn, partOf } from "./parts.ts";

type Case = [type: string, declared: JsonObject, properties: JsonObject, part: Part];

const TARGETS = "arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/web/1";

/** Lists, each with one declared part and one undeclared item. */
const LISTS: Case[] = [
  [
    "aws_iam_role",
    { managed_policy_arns: [] },
    { attachedManagedPolicies: [{ policyArn: "part" }, { policyArn: "another" }] },
    { type: "aws_iam_role_policy_attachment", attributes: { role: "app", policy_arn: "part" } },
  ],
  [
    "aws_iam_role",
    { managed_policy_arns: [] },
    { ManagedPolicyArns: ["part", "another"] },
    { type: "aws_iam_role_policy_attachment", attributes: { role: "app", policyArn: "part" } },
  ],
  [
    "aws_autoscaling_group",
    { target_group_arns: [] },
    { TargetGroupARNs: [TARGETS, "another"] },
    { type: "aws_autoscaling_attachment", attributes: { lb_target_group_arn: TARGETS } },
  ],
  [
    "aws_vpc_endpoint",
    { route_table_ids: [] },
    { RouteTableIds: ["rtb-1", "another"] },
    { type: "aws_vpc_endpoint_route_table_association", attributes: { route_table_id: "rtb-1" } },
  ],
];

/** Returns live values that aren't declared. */
const added = (type: string, declared: JsonObject, properties: JsonObject, parts: Part[]) =>
  compareResource({ type, address: "x", declared, live: { properties, parts } }).changes.flatMap(
    ({ after }) => after,
  );

describe("a value declared by a separate resource", () => {
  test.each(LISTS)("isn't new in the list of %s %j", (type, declared, properties, part) => {
    expect(added(type, declared, properties, [part])).toEqual(["another"]);
    expect(added(type, declared, properties, [])).toHaveLength(2);
  });

  test.each(LISTS)("stays in the list of %s %j that declares it too", (type, declared, properties, part) => {
    const [name = ""] = Object.keys(declared);
    const own = Object.values(part.attributes).at(-1) ?? null;
    expect(added(type, { [name]: [own, "another"] }, properties, [part])).toEqual([]);
  });

  test("isn't compared with the list of the parent", () => {
    const part = { type: "azurerm_virtual_network_dns_servers", attributes: {} };
    const live = { properties: { dhcpOptions: { dnsServers: ["10.0.0.4"] } } };
    expect(added("azurerm_virtual_network", { dns_servers: [] }, live, [part])).toEqual([]);
    expect(added("azurerm_virtual_network", { dns_servers: [] }, live, [])).toEqual(["10.0.0.4"]);
  });
});

/** Returns a rule with two targets. */
const targets = (Arn: string) => ({
  Targets: [
    { Id: "other", Arn: "arn:aws:sqs:eu-west-1:1:other" },
    { Id: "clean", Arn },
  ],
});

test("an event target is compared with the one of its id in its rule", () => {
  const attributes = { rule: "nightly", target_id: "clean", arn: "arn:aws:sqs:eu-west-1:1:clean" };
  const part = partOf({ type: "aws_cloudwatch_event_target", attributes });
  const changes = (arn: string) => added(part.type, attributes, partIn(targets(arn), part), []);
  expect(changes(attributes.arn)).toEqual([]);
  expect(changes("arn:aws:sqs:eu-west-1:2:theirs")).toEqual(["arn:aws:sqs:eu-west-1:2:theirs"]);
  expect(isThere({ Targets: [] }, part)).toBe(false);
});

test("a NAT gateway is compared with the one of its name in its router", () => {
  const subnetwork = "projects/shop/regions/r/subnetworks/s";
  const nats = [
    { name: "other", natIps: [] },
    {
      name: "out",
      natIps: [],
      subnetworks: [{ name: `https://www.googleapis.com/compute/v1/${subnetwork}` }],
      logConfig: { enable: false },
    },
  ];
  const attributes = {
    name: "out",
    nat_ips: [],
    subnetwork: [{ name: subnetwork }],
    log_config: [{ enable: true }],
  };
  const part = partOf({ type: "google_compute_router_nat", attributes });
  const live = { properties: partIn({ name: "edge", nats }, part) };
  const { changes } = compareResource({ ...part, address: "x", declared: attributes, live });
  expect(changes.map(({ path }) => path)).toEqual([["log_config", 0, "enable"]]);
  expect(partIn({ name: "edge" }, part)).toEqual({});
});

const policy = (application_id = "") => ({
  type: "azurerm_key_vault_access_policy",
  attributes: { object_id: "A-1", application_id },
});

describe("a part", () => {
  const rule = { type: "azurerm_network_security_rule", attributes: { name: "deny-ssh" } };
  const accessPolicies = [{ objectId: "a-1" }, { objectId: "b-1", applicationId: "a-2" }];

  test.each<[fact: string, whole: JsonObject, part: Part, there: boolean | undefined]>([
    ["is missing when its parent has only others", { securityRules: [{ name: "deny-rdp" }] }, rule, false],
    ["is missing when its parent has none", { securityRules: [] }, rule, false],
    ["exists under its name in another case", { securityRules: [{ name: "Deny-SSH" }] }, rule, true],
    ["exists when all its identifying values match", { accessPolicies }, policy(), true],
    ["is missing when only some of its identifying values match", { accessPolicies }, policy("a-2"), false],
    ["may exist when its parent doesn't list parts", { name: "web" }, rule, undefined],
    ["may exist when it has no name", { securityRules: [] }, { ...rule, attributes: {} }, undefined],
    [
      "may exist when its name is masked",
      { securityRules: [] },
      { ...rule, attributes: { name: "[redacted]" } },
      undefined,
    ],
    ["may exist when no list contains it", {}, { type: "aws_sqs_queue_policy", attributes: {} }, undefined],
  ])("%s", (_, whole, part, there) => {
    expect(isThere(whole, partOf(part))).toBe(there);
  });
});
