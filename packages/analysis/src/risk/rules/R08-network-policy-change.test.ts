import { expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import {
  create,
  remove,
  replace,
  findingBy,
  update,
  DESTROY_FIRST,
  type Given,
  type Rating,
  type RatedFinding,
} from "../change.fixture.ts";

const ANYWHERE = ["0.0.0.0/0"];
function ingress(from: number, to: number, more: JsonObject = {}): JsonObject {
  return { from_port: from, to_port: to, protocol: "tcp", cidr_blocks: ANYWHERE, ...more };
}
const group = (...rules: JsonObject[]): JsonObject => ({ ingress: rules });

const change: Rating = ["network_policy_change", "medium", "medium"];

test.each<[string, Given, RatedFinding | undefined]>([
  ["a new group", create("aws_security_group"), ["network_policy_change", "medium", "medium", []]],
  ["a deleted group", remove("aws_security_group"), ["network_policy_change", "medium", "medium", []]],
  [
    "a replaced group",
    replace("aws_security_group", DESTROY_FIRST),
    ["network_policy_change", "medium", "medium", []],
  ],
  [
    "a new rule",
    create("aws_vpc_security_group_egress_rule"),
    ["network_policy_change", "medium", "medium", []],
  ],
  [
    "a changed rule",
    update("azurerm_network_security_rule", { priority: 1 }, { priority: 2 }),
    ["network_policy_change", "medium", "medium", [["priority"]]],
  ],
  [
    "a firewall",
    update("google_compute_firewall", { priority: 1 }, { priority: 2 }),
    ["network_policy_change", "medium", "medium", [["priority"]]],
  ],
  [
    "masked rules",
    update(
      "aws_security_group",
      { ingress: "[redacted]" },
      { ingress: "[redacted]" },
      { leeway_changed: [["ingress"]] },
    ),
    ["network_policy_change", "medium", "medium", [["ingress"]]],
  ],
  ["only tags", update("aws_security_group", { tags: { a: "1" } }, { tags: { a: "2" } }), undefined],
  [
    "only the description of a rule",
    update(
      "aws_security_group",
      group(ingress(1, 1, { description: "a" })),
      group(ingress(1, 1, { description: "b" })),
    ),
    undefined,
  ],
  ["a subnet", update("aws_subnet", { a: 1 }, { a: 2 }), undefined],
  [
    "another security group of an instance",
    update(
      "aws_instance",
      { vpc_security_group_ids: ["sg-1"] },
      { vpc_security_group_ids: ["sg-1", "sg-2"] },
    ),
    [...change, [["vpc_security_group_ids"]]],
  ],
  [
    "another security group of a service",
    update(
      "aws_ecs_service",
      { network_configuration: [{ security_groups: ["sg-1"] }] },
      { network_configuration: [{ security_groups: ["sg-2"] }] },
    ),
    [...change, [["network_configuration", 0, "security_groups", 0]]],
  ],
  ["an instance removed from a group", remove("aws_network_interface_sg_attachment"), [...change, []]],
  ["a new instance in a group", create("aws_instance", { vpc_security_group_ids: ["sg-1"] }), undefined],
  [
    "a network that can now reach a storage account",
    update(
      "azurerm_storage_account",
      { network_rules: [{ ip_rules: ["198.51.100.1"] }] },
      { network_rules: [{ ip_rules: ["198.51.100.1", "203.0.113.1"] }] },
    ),
    [...change, [["network_rules", 0, "ip_rules"]]],
  ],
  [
    "the network tags of a Google VM",
    update("google_compute_instance", { tags: ["web"] }, { tags: ["web", "ssh"] }),
    [...change, [["tags"]]],
  ],
])("R08: %s", (_name, given, expected) => {
  expect(findingBy("R08", given)).toEqual(expected);
});
