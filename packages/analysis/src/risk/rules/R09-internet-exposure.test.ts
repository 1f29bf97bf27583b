import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import {
  create,
  findings,
  remove,
  findingBy,
  update,
  type Given,
  type Rating,
  type RatedFinding,
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

describe("R09, exposure to the internet", () => {
  const high: Rating = ["internet_exposure", "medium", "high"];
  const critical: Rating = ["internet_exposure", "medium", "critical"];
  const inIngress = [["ingress", 0, "cidr_blocks"]];

  test.each<[string, Given, RatedFinding | undefined]>([
    ["a port", create("aws_security_group", group(ingress(8080, 8080))), [...high, inIngress]],
    ["SSH", create("aws_security_group", group(ingress(22, 22))), [...critical, inIngress]],
    [
      "a range that includes a database port",
      create("aws_security_group", group(ingress(3000, 4000))),
      [...critical, inIngress],
    ],
    [
      "all protocols",
      create("aws_security_group", group(ingress(0, 0, { protocol: "-1" }))),
      [...critical, inIngress],
    ],
    [
      "an Atlas cluster",
      create("mongodbatlas_project_ip_access_list", { cidr_block: "0.0.0.0/0" }),
      [...critical, [["cidr_block"]]],
    ],
    [
      "a managed database of DigitalOcean",
      create("digitalocean_database_firewall", { rule: [{ type: "ip_addr", value: "0.0.0.0/0" }] }),
      [...critical, [["rule", 0, "value"]]],
    ],
    [
      "Snowflake",
      update(
        "snowflake_network_policy",
        { allowed_ip_list: ["192.0.2.1/32"] },
        { allowed_ip_list: ["192.0.2.1/32", "0.0.0.0/0"] },
      ),
      [...critical, [["allowed_ip_list"]]],
    ],
    ...(
      [
        ["scaleway_rdb_acl", { acl_rules: [{ ip: "0.0.0.0/0" }] }, ["acl_rules", 0, "ip"]],
        ["ovh_cloud_project_database_ip_restriction", { ip: "0.0.0.0/0" }, ["ip"]],
        ["databricks_ip_access_list", { list_type: "ALLOW", ip_addresses: ANYWHERE }, ["ip_addresses"]],
        [
          "scaleway_instance_security_group",
          { inbound_rule: [{ action: "accept", protocol: "TCP", port: 22, ip_range: "0.0.0.0/0" }] },
          ["inbound_rule", 0, "ip_range"],
        ],
        [
          "exoscale_security_group_rule",
          { type: "INGRESS", protocol: "TCP", cidr: "0.0.0.0/0", start_port: 22, end_port: 22 },
          ["cidr"],
        ],
        [
          "tencentcloud_security_group_rule",
          { type: "ingress", policy: "accept", ip_protocol: "tcp", port_range: "22", cidr_ip: "0.0.0.0/0" },
          ["cidr_ip"],
        ],
        [
          "ibm_is_security_group_rule",
          {
            direction: "inbound",
            protocol: "tcp",
            remote: "0.0.0.0/0",
            tcp: [{ port_min: 22, port_max: 22 }],
          },
          ["remote"],
        ],
      ] satisfies [string, JsonObject, (string | number)[]][]
    ).map(([type, after, path]): [string, Given, RatedFinding] => [
      `an open ${type}`,
      create(type, after),
      [...critical, [path]],
    ]),
    [
      "SSH of Linode",
      create("linode_firewall", {
        inbound: [{ action: "ACCEPT", protocol: "TCP", ports: "22", ipv4: ANYWHERE, ipv6: [] }],
      }),
      [...critical, [["inbound", 0, "ipv4"]]],
    ],
    [
      "SSH of Yandex Cloud",
      create("yandex_vpc_security_group", {
        ingress: [{ protocol: "TCP", port: 22, from_port: -1, to_port: -1, v4_cidr_blocks: ANYWHERE }],
      }),
      [...critical, [["ingress", 0, "v4_cidr_blocks"]]],
    ],
    [
      "HTTPS of Yandex Cloud",
      create("yandex_vpc_security_group", {
        ingress: [{ protocol: "TCP", port: 443, from_port: -1, to_port: -1, v4_cidr_blocks: ANYWHERE }],
      }),
      undefined,
    ],
    [
      "HTTPS in a range of IBM Cloud",
      create("ibm_is_security_group_rule", {
        direction: "inbound",
        remote: "0.0.0.0/0",
        tcp: [{ port_min: 443, port_max: 443 }],
        protocol: "tcp",
      }),
      undefined,
    ],
    [
      "addresses that Databricks blocks",
      create("databricks_ip_access_list", { list_type: "BLOCK", ip_addresses: ANYWHERE }),
      undefined,
    ],
    ["80", create("aws_security_group", group(ingress(80, 80))), undefined],
    [
      "443, by IPv6",
      create("aws_security_group", group(ingress(443, 443, { cidr_blocks: [], ipv6_cidr_blocks: ["::/0"] }))),
      undefined,
    ],
    ["80 to 443", create("aws_security_group", group(ingress(80, 443))), [...high, inIngress]],
    [
      "a port over IPv6",
      create("aws_security_group", group(ingress(81, 81, { cidr_blocks: null, ipv6_cidr_blocks: ["::/0"] }))),
      [...high, [["ingress", 0, "ipv6_cidr_blocks"]]],
    ],
    [
      "a port over IPv4 in two halves",
      create("aws_security_group", group(ingress(81, 81, { cidr_blocks: ["0.0.0.0/1", "128.0.0.0/1"] }))),
      [...high, inIngress],
    ],
    [
      "a port over all IPv6 in use",
      create(
        "aws_security_group",
        group(ingress(81, 81, { cidr_blocks: [], ipv6_cidr_blocks: ["2000::/3"] })),
      ),
      [...high, [["ingress", 0, "ipv6_cidr_blocks"]]],
    ],
    ["ping", create("aws_security_group", group(ingress(8, 0, { protocol: "icmp" }))), undefined],
    [
      "a port for a private network",
      create("aws_security_group", group(ingress(22, 22, { cidr_blocks: ["10.0.0.0/8"] }))),
      undefined,
    ],
    ["egress", create("aws_security_group", { egress: [ingress(0, 0, { protocol: "-1" })] }), undefined],
    [
      "a new rule beside an existing one",
      update("aws_security_group", group(ingress(22, 22)), group(ingress(22, 22), ingress(8080, 8080))),
      [...high, [["ingress", 1, "cidr_blocks"]]],
    ],
    [
      "an existing rule at another place in the list",
      update("aws_security_group", group(ingress(22, 22)), group(ingress(443, 443), ingress(22, 22))),
      undefined,
    ],
    [
      "less than what was open",
      update("aws_security_group", group(ingress(0, 100)), group(ingress(22, 22))),
      undefined,
    ],
    ["a removed rule", update("aws_security_group", group(ingress(22, 22)), { ingress: [] }), undefined],
    ["a deleted group", remove("aws_security_group", group(ingress(22, 22))), undefined],
    [
      "a standalone rule",
      create("aws_security_group_rule", { type: "ingress", ...ingress(3389, 3389) }),
      [...critical, [["cidr_blocks"]]],
    ],
    [
      "a standalone egress rule",
      create("aws_security_group_rule", { type: "egress", ...ingress(3389, 3389) }),
      undefined,
    ],
    [
      "a rule of the newer type",
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
        from_port: 22,
        to_port: 22,
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
      "a disabled Google firewall",
      create("google_compute_firewall", {
        disabled: true,
        source_ranges: ANYWHERE,
        allow: [{ protocol: "all" }],
      }),
      undefined,
    ],
    [
      "a Google egress firewall",
      create("google_compute_firewall", {
        direction: "EGRESS",
        source_ranges: ANYWHERE,
        allow: [{ protocol: "all" }],
      }),
      undefined,
    ],
    [
      "a rule of a Google firewall policy",
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
      "an Azure database open to everyone",
      create("azurerm_mssql_firewall_rule", {
        start_ip_address: "0.0.0.0",
        end_ip_address: "255.255.255.255",
      }),
      [...critical, [["start_ip_address"]]],
    ],
    [
      "an Azure cache open to everyone",
      create("azurerm_redis_firewall_rule", { start_ip: "0.0.0.0", end_ip: "255.255.255.255" }),
      [...critical, [["start_ip"]]],
    ],
    [
      "SSH of a Lightsail instance",
      create("aws_lightsail_instance_public_ports", {
        port_info: [{ from_port: 22, to_port: 22, protocol: "tcp", cidrs: ["0.0.0.0/0"] }],
      }),
      [...critical, [["port_info", 0, "cidrs"]]],
    ],
    [
      "SSH in an Oracle security list",
      create("oci_core_security_list", oracle({ protocol: "6", tcp_options: [{ min: 22, max: 22 }] })),
      [...critical, [["ingress_security_rules", 0, "source"]]],
    ],
    [
      "all TCP in a default Oracle security list",
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
      "a rule of an Oracle security group",
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
      "an egress rule of an Oracle security group",
      create("oci_core_network_security_group_security_rule", {
        direction: "EGRESS",
        ...oracleRule({ protocol: "all" }),
      }),
      undefined,
    ],
    [
      "an Azure database open to Azure services",
      create("azurerm_mssql_firewall_rule", { start_ip_address: "0.0.0.0", end_ip_address: "0.0.0.0" }),
      [...high, [["start_ip_address"]]],
    ],
  ])("%s", (_name, given, expected) => {
    expect(findingBy("R09", given)).toEqual(expected);
  });

  test("has no finding for hundreds of reordered rules", () => {
    const rules = Array.from({ length: 300 }, (_, index) => ingress(index + 1000, index + 1000));
    expect(
      findingBy("R09", update("aws_security_group", group(...rules), group(...rules.toReversed()))),
    ).toBeUndefined();
  });

  test("has one finding that names the ports and their sources", () => {
    const found = findings([create("aws_security_group", group(ingress(20, 25), ingress(8080, 8080)))]);
    expect(found.map(({ rule, message }) => [rule, message])).toEqual([
      ["R09", "Opens ports 20 to 25 to 0.0.0.0/0"],
    ]);
  });
});

/** Builds separate rules, each for an eighth of all addresses. */
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
    "of Google firewalls",
    eighths("google_compute_firewall", (network) => ({
      source_ranges: [network],
      allow: [{ protocol: "tcp", ports: ["22"] }],
    })),
  ],
  [
    "of an Azure database",
    eighths("azurerm_mssql_firewall_rule", (network) => ({
      start_ip_address: network.replace("/3", ""),
      end_ip_address: network.replace(/^(\d+).*$/, (_, first) => `${Number(first) + 31}.255.255.255`),
    })),
  ],
])("R09 adds up several rules %s and reports each", (_name, given) => {
  const exposures = findings(given, "standard").filter(({ rule }) => rule === "R09");
  expect(exposures.map(({ address, risk_level }) => [address, risk_level])).toEqual(
    given.map(({ address = "" }) => [address, "critical"]),
  );
  expect(exposures[0]?.message).toEndWith(" to the internet together with other rules");
  expect(findings(given.slice(0, 1)).some(({ rule }) => rule === "R09")).toBe(false);
});

const from = (start_ip_address: string, end_ip_address: string): JsonObject => ({
  start_ip_address,
  end_ip_address,
});
test.each<[string, Given, isReported: boolean]>([
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
  ["services of Azure", create("azurerm_mssql_firewall_rule", from("0.0.0.0", "0.0.0.0")), true],
  [
    "only the last address",
    create("azurerm_mssql_firewall_rule", from("255.255.255.255", "255.255.255.255")),
    false,
  ],
  [
    "a range that becomes wider",
    update("azurerm_mssql_firewall_rule", from("10.0.0.0", "10.0.0.9"), from("0.0.0.0", "255.255.255.255")),
    true,
  ],
  ["a prefix list", create("aws_ec2_managed_prefix_list_entry", { cidr: "0.0.0.0/0" }), true],
  [
    "a prefix list that gets all networks",
    update("aws_ec2_managed_prefix_list", { entry: [] }, { entry: [{ cidr: "0.0.0.0/0" }] }),
    true,
  ],
  [
    "a prefix list of some networks",
    create("aws_ec2_managed_prefix_list_entry", { cidr: "10.0.0.0/8" }),
    false,
  ],
  [
    "many small parts in one rule",
    create("aws_security_group", group(ingress(22, 22, { cidr_blocks: EIGHTHS }))),
    true,
  ],
  [
    "many small parts, each in its own rule",
    create("aws_security_group", group(...EIGHTHS.map((one) => ingress(22, 22, { cidr_blocks: [one] })))),
    true,
  ],
  [
    "many small parts, each with its own range around one port",
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
    "a part that completes a large range",
    update(
      "aws_security_group",
      group(ingress(22, 22, { cidr_blocks: EIGHTHS.slice(0, 1) })),
      group(ingress(22, 22, { cidr_blocks: EIGHTHS.slice(0, 2) })),
    ),
    true,
  ],
  [
    "existing parts in other rules",
    update(
      "aws_security_group",
      group(ingress(22, 22, { cidr_blocks: EIGHTHS })),
      group(...EIGHTHS.map((one) => ingress(22, 22, { cidr_blocks: [one] }))),
    ),
    false,
  ],
  [
    "the same part several times",
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
    "all IPv6 in use, in halves",
    create(
      "aws_security_group",
      group(ingress(22, 22, { cidr_blocks: [], ipv6_cidr_blocks: ["2000::/4", "3000::/4"] })),
    ),
    true,
  ],
])("R09 for almost the whole internet: %s", (_name, given, isReported) => {
  expect(findingBy("R09", given) !== undefined).toBe(isReported);
});
