import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/json";

import {
  create,
  findings,
  remove,
  replace,
  said,
  update,
  DESTROY_FIRST,
  type Given,
  type Said,
  type Seen,
} from "../change.fixture.ts";

const ANYWHERE = ["0.0.0.0/0"];
const EIGHTHS = [0, 32, 64, 96, 128, 160, 192, 224].map((first) => `${first}.0.0.0/3`);
function ingress(from: number, to: number, more: JsonObject = {}): JsonObject {
  return { from_port: from, to_port: to, protocol: "tcp", cidr_blocks: ANYWHERE, ...more };
}
const oracleRule = (rule: JsonObject): JsonObject => ({
  source: "0.0.0.0/0",
  source_type: "CIDR_BLOCK",
  ...rule,
});
const oracle = (rule: JsonObject): JsonObject => ({ ingress_security_rules: [oracleRule(rule)] });
const group = (...rules: JsonObject[]): JsonObject => ({ ingress: rules });

const change: Said = ["network_policy_change", "medium", "medium"];

test.each<[string, Given, Seen | undefined]>([
  [
    "a group that is created",
    create("aws_security_group"),
    ["network_policy_change", "medium", "medium", []],
  ],
  [
    "a group that is deleted",
    remove("aws_security_group"),
    ["network_policy_change", "medium", "medium", []],
  ],
  [
    "a group that is replaced",
    replace("aws_security_group", DESTROY_FIRST),
    ["network_policy_change", "medium", "medium", []],
  ],
  [
    "a rule that is created",
    create("aws_vpc_security_group_egress_rule"),
    ["network_policy_change", "medium", "medium", []],
  ],
  [
    "a rule that is updated",
    update("azurerm_network_security_rule", { priority: 1 }, { priority: 2 }),
    ["network_policy_change", "medium", "medium", [["priority"]]],
  ],
  [
    "a firewall",
    update("google_compute_firewall", { priority: 1 }, { priority: 2 }),
    ["network_policy_change", "medium", "medium", [["priority"]]],
  ],
  [
    "rules that are masked",
    update(
      "aws_security_group",
      { ingress: "[redacted]" },
      { ingress: "[redacted]" },
      { leeway_changed: [["ingress"]] },
    ),
    ["network_policy_change", "medium", "medium", [["ingress"]]],
  ],
  ["tags alone", update("aws_security_group", { tags: { a: "1" } }, { tags: { a: "2" } }), undefined],
  [
    "the description of a rule alone",
    update(
      "aws_security_group",
      group(ingress(1, 1, { description: "a" })),
      group(ingress(1, 1, { description: "b" })),
    ),
    undefined,
  ],
  ["a subnet", update("aws_subnet", { a: 1 }, { a: 2 }), undefined],
  [
    "another group of a machine",
    update(
      "aws_instance",
      { vpc_security_group_ids: ["sg-1"] },
      { vpc_security_group_ids: ["sg-1", "sg-2"] },
    ),
    [...change, [["vpc_security_group_ids"]]],
  ],
  [
    "another group of a service's machines",
    update(
      "aws_ecs_service",
      { network_configuration: [{ security_groups: ["sg-1"] }] },
      { network_configuration: [{ security_groups: ["sg-2"] }] },
    ),
    [...change, [["network_configuration", 0, "security_groups", 0]]],
  ],
  [
    "a group that a machine isn't in any more",
    remove("aws_network_interface_sg_attachment"),
    [...change, []],
  ],
  [
    "a machine that is created in a group",
    create("aws_instance", { vpc_security_group_ids: ["sg-1"] }),
    undefined,
  ],
  [
    "a site without its application firewall",
    update("aws_cloudfront_distribution", { web_acl_id: "arn:waf" }, { web_acl_id: "" }),
    [...change, [["web_acl_id"]]],
  ],
  [
    "a gateway whose application firewall only watches",
    update(
      "azurerm_application_gateway",
      { waf_configuration: [{ enabled: true, firewall_mode: "Prevention" }] },
      { waf_configuration: [{ enabled: true, firewall_mode: "Detection" }] },
    ),
    [...change, [["waf_configuration", 0, "firewall_mode"]]],
  ],
  [
    "a network that is let in to an account",
    update(
      "azurerm_storage_account",
      { network_rules: [{ ip_rules: ["198.51.100.1"] }] },
      { network_rules: [{ ip_rules: ["198.51.100.1", "203.0.113.1"] }] },
    ),
    [...change, [["network_rules", 0, "ip_rules"]]],
  ],
  [
    "the tags of a machine at Google, by which firewalls go",
    update("google_compute_instance", { tags: ["web"] }, { tags: ["web", "ssh"] }),
    [...change, [["tags"]]],
  ],
  [
    "a backend without its security policy",
    update("google_compute_backend_service", { security_policy: "armor" }, { security_policy: "" }),
    [...change, [["security_policy"]]],
  ],
])("R08 and %s", (_name, given, expected) => {
  expect(said("R08", given)).toEqual(expected);
});

describe("R09, what opens to the internet", () => {
  const high: Said = ["internet_exposure", "medium", "high"];
  const critical: Said = ["internet_exposure", "medium", "critical"];
  const inIngress = [["ingress", 0, "cidr_blocks"]];

  test.each<[string, Given, Seen | undefined]>([
    ["a port", create("aws_security_group", group(ingress(8080, 8080))), [...high, inIngress]],
    ["SSH", create("aws_security_group", group(ingress(22, 22))), [...critical, inIngress]],
    [
      "a database's port in a range",
      create("aws_security_group", group(ingress(3000, 4000))),
      [...critical, inIngress],
    ],
    [
      "all protocols",
      create("aws_security_group", group(ingress(0, 0, { protocol: "-1" }))),
      [...critical, inIngress],
    ],
    ["80", create("aws_security_group", group(ingress(80, 80))), undefined],
    [
      "443, by IPv6",
      create("aws_security_group", group(ingress(443, 443, { cidr_blocks: [], ipv6_cidr_blocks: ["::/0"] }))),
      undefined,
    ],
    ["80 to 443", create("aws_security_group", group(ingress(80, 443))), [...high, inIngress]],
    [
      "a port by IPv6",
      create("aws_security_group", group(ingress(81, 81, { cidr_blocks: null, ipv6_cidr_blocks: ["::/0"] }))),
      [...high, [["ingress", 0, "ipv6_cidr_blocks"]]],
    ],
    [
      "a port by IPv4 in two halves",
      create("aws_security_group", group(ingress(81, 81, { cidr_blocks: ["0.0.0.0/1", "128.0.0.0/1"] }))),
      [...high, inIngress],
    ],
    [
      "a port by all of IPv6 that is in use",
      create(
        "aws_security_group",
        group(ingress(81, 81, { cidr_blocks: [], ipv6_cidr_blocks: ["2000::/3"] })),
      ),
      [...high, [["ingress", 0, "ipv6_cidr_blocks"]]],
    ],
    ["ping", create("aws_security_group", group(ingress(8, 0, { protocol: "icmp" }))), undefined],
    [
      "a port to a network of one's own",
      create("aws_security_group", group(ingress(22, 22, { cidr_blocks: ["10.0.0.0/8"] }))),
      undefined,
    ],
    ["the way out", create("aws_security_group", { egress: [ingress(0, 0, { protocol: "-1" })] }), undefined],
    [
      "a rule beside one that was there",
      update("aws_security_group", group(ingress(22, 22)), group(ingress(22, 22), ingress(8080, 8080))),
      [...high, [["ingress", 1, "cidr_blocks"]]],
    ],
    [
      "a rule that was there, elsewhere in the list",
      update("aws_security_group", group(ingress(22, 22)), group(ingress(443, 443), ingress(22, 22))),
      undefined,
    ],
    [
      "less of what was open",
      update("aws_security_group", group(ingress(0, 100)), group(ingress(22, 22))),
      undefined,
    ],
    ["a rule that goes", update("aws_security_group", group(ingress(22, 22)), { ingress: [] }), undefined],
    ["a group that goes", remove("aws_security_group", group(ingress(22, 22))), undefined],
    [
      "a rule of its own",
      create("aws_security_group_rule", { type: "ingress", ...ingress(3389, 3389) }),
      [...critical, [["cidr_blocks"]]],
    ],
    [
      "a rule out of its own",
      create("aws_security_group_rule", { type: "egress", ...ingress(3389, 3389) }),
      undefined,
    ],
    [
      "a rule of the newer kind",
      create("aws_vpc_security_group_ingress_rule", {
        cidr_ipv4: "0.0.0.0/0",
        ip_protocol: "tcp",
        from_port: 81,
        to_port: 81,
      }),
      [...high, [["cidr_ipv4"]]],
    ],
    [
      "a network ACL that denies",
      create("aws_network_acl_rule", {
        rule_action: "deny",
        egress: false,
        cidr_block: "0.0.0.0/0",
        protocol: "-1",
      }),
      undefined,
    ],
    [
      "a network ACL that allows",
      create("aws_network_acl_rule", {
        rule_action: "allow",
        egress: false,
        cidr_block: "0.0.0.0/0",
        protocol: "6",
        from_port: 81,
        to_port: 81,
      }),
      [...high, [["cidr_block"]]],
    ],
    [
      "a Google firewall",
      create("google_compute_firewall", {
        source_ranges: ANYWHERE,
        allow: [{ protocol: "tcp", ports: ["20-25"] }],
      }),
      [...critical, [["source_ranges"]]],
    ],
    [
      "a Google firewall that is disabled",
      create("google_compute_firewall", {
        disabled: true,
        source_ranges: ANYWHERE,
        allow: [{ protocol: "all" }],
      }),
      undefined,
    ],
    [
      "a Google firewall of the way out",
      create("google_compute_firewall", {
        direction: "EGRESS",
        source_ranges: ANYWHERE,
        allow: [{ protocol: "all" }],
      }),
      undefined,
    ],
    [
      "a Google policy's rule",
      create("google_compute_network_firewall_policy_rule", {
        direction: "INGRESS",
        action: "allow",
        match: [{ src_ip_ranges: ANYWHERE, layer4_configs: [{ ip_protocol: "tcp", ports: ["81"] }] }],
      }),
      [...high, [["match", 0, "src_ip_ranges"]]],
    ],
    [
      "an Azure group",
      create("azurerm_network_security_group", {
        security_rule: [
          {
            direction: "Inbound",
            access: "Allow",
            protocol: "Tcp",
            source_address_prefix: "Internet",
            destination_port_range: "81",
          },
        ],
      }),
      [...high, [["security_rule", 0, "source_address_prefix"]]],
    ],
    [
      "an Azure rule for all",
      create("azurerm_network_security_rule", {
        direction: "Inbound",
        access: "Allow",
        protocol: "*",
        source_address_prefix: "*",
        destination_port_range: "*",
      }),
      [...critical, [["source_address_prefix"]]],
    ],
    [
      "an Azure rule that denies",
      create("azurerm_network_security_rule", {
        direction: "Inbound",
        access: "Deny",
        protocol: "*",
        source_address_prefix: "*",
        destination_port_range: "*",
      }),
      undefined,
    ],
    [
      "an Azure database for everybody",
      create("azurerm_mssql_firewall_rule", {
        start_ip_address: "0.0.0.0",
        end_ip_address: "255.255.255.255",
      }),
      [...critical, [["start_ip_address"]]],
    ],
    [
      "an Azure cache for everybody",
      create("azurerm_redis_firewall_rule", { start_ip: "0.0.0.0", end_ip: "255.255.255.255" }),
      [...critical, [["start_ip"]]],
    ],
    [
      "a small server's SSH",
      create("aws_lightsail_instance_public_ports", {
        port_info: [{ from_port: 22, to_port: 22, protocol: "tcp", cidrs: ["0.0.0.0/0"] }],
      }),
      [...critical, [["port_info", 0, "cidrs"]]],
    ],
    [
      "an Oracle security list's SSH",
      create("oci_core_security_list", oracle({ protocol: "6", tcp_options: [{ min: 22, max: 22 }] })),
      [...critical, [["ingress_security_rules", 0, "source"]]],
    ],
    [
      "all of TCP in a default security list of Oracle's",
      create("oci_core_default_security_list", oracle({ protocol: "6", tcp_options: [] })),
      [...critical, [["ingress_security_rules", 0, "source"]]],
    ],
    [
      "HTTPS and ping in an Oracle security list",
      create("oci_core_security_list", {
        ingress_security_rules: [
          oracleRule({ protocol: "6", tcp_options: [{ min: 443, max: 443 }] }),
          oracleRule({ protocol: "1", icmp_options: [{ type: 3, code: 4 }] }),
        ],
      }),
      undefined,
    ],
    [
      "an Oracle group's rule",
      create("oci_core_network_security_group_security_rule", {
        direction: "INGRESS",
        ...oracleRule({
          protocol: "17",
          udp_options: [{ destination_port_range: [{ min: 81, max: 81 }], source_port_range: [] }],
        }),
      }),
      [...high, [["source"]]],
    ],
    [
      "an Oracle group's rule of the way out",
      create("oci_core_network_security_group_security_rule", {
        direction: "EGRESS",
        ...oracleRule({ protocol: "all" }),
      }),
      undefined,
    ],
    [
      "an Azure database for Azure's services",
      create("azurerm_mssql_firewall_rule", { start_ip_address: "0.0.0.0", end_ip_address: "0.0.0.0" }),
      undefined,
    ],
  ])("%s", (_name, given, expected) => {
    expect(said("R09", given)).toEqual(expected);
  });

  test("of hundreds of rules that stay none is new, in whatever order", () => {
    const rules = Array.from({ length: 300 }, (_, index) => ingress(index + 1000, index + 1000));
    expect(
      said("R09", update("aws_security_group", group(...rules), group(...rules.toReversed()))),
    ).toBeUndefined();
  });

  test("the message names the ports", () => {
    const [, exposure] = findings([create("aws_security_group", group(ingress(20, 25)))]);
    expect(exposure?.message).toBe(
      "A new rule in this aws_security_group opens ports 20 to 25 to the whole internet.",
    );
  });
});

test.each<[string, Given, Seen | undefined]>([
  [
    "a route",
    update("aws_route", { gateway_id: "a" }, { gateway_id: "b" }),
    ["traffic_path_change", "medium", "medium", [["gateway_id"]]],
  ],
  [
    "a DNS record",
    update("google_dns_record_set", { rrdatas: ["a"] }, { rrdatas: ["b"] }),
    ["traffic_path_change", "medium", "medium", [["rrdatas", 0]]],
  ],
  [
    "an Azure peering",
    update("azurerm_virtual_network_peering", { a: 1 }, { a: 2 }),
    ["traffic_path_change", "medium", "medium", [["a"]]],
  ],
  ["a new route", create("aws_route"), undefined],
  [
    "a listener's target",
    update(
      "aws_lb_listener",
      { ssl_policy: "a", default_action: [{ target_group_arn: "a" }] },
      { ssl_policy: "b", default_action: [{ target_group_arn: "b" }] },
    ),
    ["traffic_path_change", "medium", "medium", [["default_action", 0, "target_group_arn"]]],
  ],
  ["how a listener encrypts", update("aws_lb_listener", { ssl_policy: "a" }, { ssl_policy: "b" }), undefined],
  ["how long a DNS record is kept", update("aws_route53_record", { ttl: 60 }, { ttl: 300 }), undefined],
  ["the same at Google", update("google_dns_record_set", { ttl: 60 }, { ttl: 300 }), undefined],
  ["the same at Azure", update("azurerm_dns_a_record", { ttl: 60 }, { ttl: 300 }), undefined],
  [
    "an update that can't be seen into",
    update("aws_route", {}, {}),
    ["traffic_path_change", "medium", "medium", []],
  ],
  ["a queue", update("aws_sqs_queue", { a: 1 }, { a: 2 }), undefined],
  [
    "a network whose machines ask another for names",
    update("azurerm_virtual_network", { dns_servers: ["10.0.0.4"] }, { dns_servers: ["203.0.113.9"] }),
    ["traffic_path_change", "medium", "medium", [["dns_servers", 0]]],
  ],
  [
    "a network with more room",
    update(
      "azurerm_virtual_network",
      { address_space: ["10.0.0.0/16"] },
      { address_space: ["10.0.0.0/16", "10.1.0.0/16"] },
    ),
    undefined,
  ],
])("R15 and %s", (_name, given, expected) => {
  expect(said("R15", given)).toEqual(expected);
});

/** Rules of their own, each for an eighth of all addresses. */
const eighths = (type: string, source: (network: string) => JsonObject): Given[] =>
  EIGHTHS.map((network) => ({ ...create(type, source(network)), address: `${type}.of["${network}"]` }));

test.each<[string, Given[]]>([
  [
    "of a security group",
    eighths("aws_vpc_security_group_ingress_rule", (cidr_ipv4) => ({
      ip_protocol: "tcp",
      from_port: 22,
      to_port: 22,
      cidr_ipv4,
    })),
  ],
  [
    "of firewalls at Google",
    eighths("google_compute_firewall", (network) => ({
      source_ranges: [network],
      allow: [{ protocol: "tcp", ports: ["22"] }],
    })),
  ],
  [
    "of a database at Azure",
    eighths("azurerm_mssql_firewall_rule", (network) => ({
      start_ip_address: network.replace("/3", ""),
      end_ip_address: network.replace(/^(\d+).*$/, (_, first) => `${Number(first) + 31}.255.255.255`),
    })),
  ],
])("R09 adds up what several rules %s let in, and says it of each", (_name, given) => {
  const said = findings(given, "strict").filter(({ rule }) => rule === "R09");
  expect(said.map(({ address, risk_level }) => [address, risk_level])).toEqual(
    given.map(({ address = "" }) => [address, "critical"]),
  );
  expect(said[0]?.message).toStartWith("Together with others, a new rule in this ");
  expect(findings(given.slice(0, 1)).some(({ rule }) => rule === "R09")).toBe(false);
});

const from = (start_ip_address: string, end_ip_address: string): JsonObject => ({
  start_ip_address,
  end_ip_address,
});
test.each<[string, Given, isSaid: boolean]>([
  [
    "a quarter of all addresses",
    create("aws_security_group", group(ingress(22, 22, { cidr_blocks: ["64.0.0.0/2"] }))),
    true,
  ],
  [
    "an eighth of all addresses",
    create("aws_security_group", group(ingress(22, 22, { cidr_blocks: ["64.0.0.0/3"] }))),
    false,
  ],
  ["all addresses but two", create("azurerm_mssql_firewall_rule", from("0.0.0.1", "255.255.255.254")), true],
  [
    "most addresses",
    create("azurerm_postgresql_flexible_server_firewall_rule", from("1.0.0.0", "254.255.255.255")),
    true,
  ],
  ["services of Azure", create("azurerm_mssql_firewall_rule", from("0.0.0.0", "0.0.0.0")), false],
  [
    "the last address alone",
    create("azurerm_mssql_firewall_rule", from("255.255.255.255", "255.255.255.255")),
    false,
  ],
  [
    "a range that is wider now",
    update("azurerm_mssql_firewall_rule", from("10.0.0.0", "10.0.0.9"), from("0.0.0.0", "255.255.255.255")),
    true,
  ],
  ["a list of networks", create("aws_ec2_managed_prefix_list_entry", { cidr: "0.0.0.0/0" }), true],
  [
    "a list that gets all networks",
    update("aws_ec2_managed_prefix_list", { entry: [] }, { entry: [{ cidr: "0.0.0.0/0" }] }),
    true,
  ],
  ["a list of some networks", create("aws_ec2_managed_prefix_list_entry", { cidr: "10.0.0.0/8" }), false],
  [
    "many small parts in one rule",
    create("aws_security_group", group(ingress(22, 22, { cidr_blocks: EIGHTHS }))),
    true,
  ],
  [
    "many small parts, each in a rule",
    create("aws_security_group", group(...EIGHTHS.map((one) => ingress(22, 22, { cidr_blocks: [one] })))),
    true,
  ],
  [
    "many small parts, each for a range of its own around a port",
    create(
      "aws_security_group",
      group(...EIGHTHS.map((one, index) => ingress(22 - index, 22 + index, { cidr_blocks: [one] }))),
    ),
    true,
  ],
  [
    "many small parts, each for another port",
    create(
      "aws_security_group",
      group(...EIGHTHS.map((one, index) => ingress(8000 + index, 8000 + index, { cidr_blocks: [one] }))),
    ),
    false,
  ],
  [
    "the part that makes up for what was missing",
    update(
      "aws_security_group",
      group(ingress(22, 22, { cidr_blocks: EIGHTHS.slice(0, 1) })),
      group(ingress(22, 22, { cidr_blocks: EIGHTHS.slice(0, 2) })),
    ),
    true,
  ],
  [
    "parts that were there, by other rules",
    update(
      "aws_security_group",
      group(ingress(22, 22, { cidr_blocks: EIGHTHS })),
      group(...EIGHTHS.map((one) => ingress(22, 22, { cidr_blocks: [one] }))),
    ),
    false,
  ],
  [
    "one part over and over",
    create(
      "aws_security_group",
      group(...EIGHTHS.map(() => ingress(22, 22, { cidr_blocks: EIGHTHS.slice(0, 1) }))),
    ),
    false,
  ],
  [
    "all private networks",
    create(
      "aws_security_group",
      group(ingress(22, 22, { cidr_blocks: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"] })),
    ),
    false,
  ],
  [
    "all of IPv6 that is in use, in halves",
    create(
      "aws_security_group",
      group(ingress(22, 22, { cidr_blocks: [], ipv6_cidr_blocks: ["2000::/4", "3000::/4"] })),
    ),
    true,
  ],
])("R09 of what is as good as the whole internet: %s", (_name, given, isSaid) => {
  expect(said("R09", given) !== undefined).toBe(isSaid);
});
