import { describe, expect, test } from "bun:test";

import { classesOf, unchanged } from "./noise.fixture.ts";
import { expectNone, expectOnly, GET, policy, ROLE, type Case } from "./same.fixture.ts";

const AZURE_ID = "/subscriptions/0b1f6471-1bf0-4dda-aec3-cb9272f09590/resourceGroups/Main";

describe("case_change", () => {
  test.each<Case>([
    ["an Azure id", "azurerm_role_assignment", { scope: AZURE_ID }, { scope: AZURE_ID.toLowerCase() }],
    [
      "an Azure UUID",
      "azuread_application",
      { owner: "0B1F6471-1BF0-4DDA-AEC3-CB9272F09590" },
      { owner: "0b1f6471-1bf0-4dda-aec3-cb9272f09590" },
    ],
    ["an Azure rule's protocol", "azurerm_network_security_rule", { protocol: "TCP" }, { protocol: "Tcp" }],
    [
      "a host",
      "aws_route53_record",
      { name: "Api.Example.com", type: "A" },
      { name: "api.example.com", type: "A" },
    ],
  ])("the case of %s is noise", (_, type, before, after) => {
    expectOnly("case_change 1", type, before, after);
  });

  test.each<Case>([
    ["a name", "aws_s3_object", { key: "A" }, { key: "a" }],
    [
      "an administrator's name",
      "azurerm_linux_virtual_machine",
      { admin_username: "Root" },
      { admin_username: "root" },
    ],
    ["a tag", "azurerm_virtual_network", { tags: { location: "EU" } }, { tags: { location: "eu" } }],
    [
      "a text record",
      "google_dns_record_set",
      { type: "TXT", rrdatas: ["A.b"] },
      { type: "TXT", rrdatas: ["a.b"] },
    ],
  ])("the case of %s is significant", (_, type, before, after) => {
    expectNone(type, before, after);
  });
});

describe("trailing_char", () => {
  test.each<Case>([
    [
      "a trailing dot of a host",
      "aws_route53_record",
      { type: "CNAME", records: ["a.example.com."] },
      { type: "CNAME", records: ["a.example.com"] },
    ],
    [
      "a trailing newline in a description",
      "aws_kms_key",
      { description: "keys\n" },
      { description: "keys" },
    ],
    [
      "a trailing slash of a bare URL",
      "aws_x",
      { endpoint: "https://example.com/" },
      { endpoint: "https://example.com" },
    ],
  ])("%s is noise", (_, type, before, after) => {
    expectOnly("trailing_char 1", type, before, after);
  });

  test.each<Case>([
    [
      "a trailing slash in a path",
      "aws_x",
      { endpoint: "https://example.com/a/" },
      { endpoint: "https://example.com/a" },
    ],
    [
      "a trailing slash in a redirect URI",
      "aws_cognito_user_pool_client",
      { callback_urls: ["https://example.com/"] },
      { callback_urls: ["https://example.com"] },
    ],
    ["a trailing newline in a file", "aws_s3_object", { content: "a\n" }, { content: "a" }],
    [
      "a trailing dot in a text record",
      "aws_route53_record",
      { type: "TXT", records: ["a.b."] },
      { type: "TXT", records: ["a.b"] },
    ],
  ])("%s is significant", (_, type, before, after) => {
    expectNone(type, before, after);
  });
});

describe("number_string_bool", () => {
  test.each<Case>([
    ["a number as text", "aws_x", { size: 1 }, { size: "1" }],
    ["a boolean as text", "aws_x", { on: true }, { on: "true" }],
    ["empty text instead of null", "aws_x", { text: "" }, { text: null }],
    ["an empty list instead of null", "aws_x", { list: [] }, { list: null }],
    ["an empty map instead of null", "aws_x", { tags: {} }, { tags: null }],
    ["null instead of an absent attribute", "aws_x", { text: null }, {}],
    ["timeouts that are all null", "aws_x", { timeouts: null }, { timeouts: { create: null, delete: null } }],
  ])("%s is noise", (_, type, before, after) => {
    expectOnly("number_string_bool 1", type, before, after);
  });

  test.each<Case>([
    ["another number", "aws_x", { size: 1 }, { size: "2" }],
    ["a number with a leading zero", "aws_x", { zip: "01" }, { zip: 1 }],
    ["an empty tag", "aws_x", { tags: { a: "", b: "1" } }, { tags: { b: "1" } }],
    ["an empty block", "aws_x", { rule: [{}] }, { rule: [] }],
    ["an empty item", "aws_x", { list: [""] }, { list: [null] }],
    ["a false boolean", "aws_x", { on: false }, { on: null }],
    [
      "an empty list of CIDRs, which means all",
      "aws_eks_cluster",
      { vpc_config: [{ public_access_cidrs: [] }] },
      { vpc_config: [{ public_access_cidrs: null }] },
    ],
    ["an empty selector", "kubernetes_manifest", { pod_selector: {} }, { pod_selector: null }],
  ])("%s is significant", (_, type, before, after) => {
    expectNone(type, before, after);
  });
});

describe("default_materialized", () => {
  test.each<Case>([
    ["AWS", "aws_lambda_function", { timeout: null }, { timeout: 3 }],
    [
      "Google",
      "google_compute_router",
      { bgp: [{ keepalive_interval: null }] },
      { bgp: [{ keepalive_interval: 20 }] },
    ],
    ["Azure", "azurerm_public_ip", { idle_timeout_in_minutes: null }, { idle_timeout_in_minutes: 4 }],
  ])("a default of %s that is written out is noise", (_, type, before, after) => {
    expectOnly("default_materialized 0.9", type, before, after);
  });

  test("a value other than the default is significant", () => {
    expectNone("aws_lambda_function", { timeout: null }, { timeout: 4 });
    expectNone("aws_lambda_function", { timeout: 4 }, { timeout: 3 });
  });
});

describe("equivalent_value", () => {
  test.each<Case>([
    ["a network with host bits", "aws_x", { cidr_block: "10.0.0.1/24" }, { cidr_block: "10.0.0.0/24" }],
    [
      "an IPv6 network",
      "aws_x",
      { ipv6_cidr_block: "2001:DB8:0::/48" },
      { ipv6_cidr_block: "2001:db8::/48" },
    ],
    [
      "an interface's IPv6 address",
      "junos_interface_logical",
      { cidr_ip: "2001:DB8:0::1/64" },
      { cidr_ip: "2001:db8::1/64" },
    ],
    ["a single address", "azurerm_x", { ip_rules: ["203.0.113.7"] }, { ip_rules: ["203.0.113.7/32"] }],
    ["minutes and seconds", "google_x", { timeout: "60s" }, { timeout: "1m0s" }],
    ["days and hours", "azurerm_x", { message_ttl: "P1D" }, { message_ttl: "PT24H" }],
    [
      "a certificate in Base64",
      "aws_instance",
      { certificate: "#!/bin/sh\n" },
      { certificate: "IyEvYmluL3NoCg==" },
    ],
    [
      "a URL of a Google resource",
      "google_x",
      { network: "https://www.googleapis.com/compute/v1/projects/p/global/networks/n" },
      { network: "projects/p/global/networks/n" },
    ],
    ["an Azure region's display name", "azurerm_x", { location: "West Europe" }, { location: "westeurope" }],
    ["a protocol number", "aws_network_acl_rule", { protocol: "tcp" }, { protocol: "6" }],
  ])("%s is equivalent", (_, type, before, after) => {
    expectOnly("equivalent_value 1", type, before, after);
  });

  test("a running version matches the partial version that was requested", () => {
    const [asked, running] = [{ engine_version: "8.0" }, { engine_version: "8.0.35" }];
    const type = "aws_db_instance";
    expect(classesOf({ changes: [{ type, before: running, after: asked }] })).toEqual([
      "equivalent_value 0.9",
    ]);
    expect(classesOf({ drift: [{ type, before: asked, after: running }] })).toEqual(["equivalent_value 0.9"]);
  });

  test.each([
    ["6.x", "6.2.6"],
    ["7", "7.1.0"],
  ])("a cache of version %s matches %s", (asked, running) => {
    const [before, after] = [{ engine_version: asked }, { engine_version: running }];
    const type = "aws_elasticache_cluster";
    expect(classesOf({ drift: [{ type, before, after }] })).toEqual(["equivalent_value 0.9"]);
  });

  test("pinning a version is significant", () => {
    const [before, after] = [{ engine_version: "8.0" }, { engine_version: "8.0.36" }];
    expect(classesOf({ changes: [{ type: "aws_db_instance", before, after }] })).toEqual([]);
  });

  test.each<Case>([
    ["another network", "aws_x", { cidr_block: "10.0.0.0/24" }, { cidr_block: "10.0.0.0/25" }],
    [
      "another gateway of a segment, with its network",
      "nsxt_policy_segment",
      { subnet: [{ cidr: "12.12.2.1/24" }] },
      { subnet: [{ cidr: "12.12.2.254/24" }] },
    ],
    [
      "another address of a router",
      "google_compute_router_interface",
      { ip_range: "169.254.1.1/30" },
      { ip_range: "169.254.1.2/30" },
    ],
    ["another host", "aws_x", { private_ip: "10.0.0.1/24" }, { private_ip: "10.0.0.2/24" }],
    ["another duration", "google_x", { timeout: "60s" }, { timeout: "61s" }],
    ["a month, which has no fixed length", "azurerm_x", { message_ttl: "P1M" }, { message_ttl: "P30D" }],
    ["a name that looks like a duration", "aws_x", { name: "60s" }, { name: "1m" }],
    ["another key", "aws_instance", { public_key: "abcd efgh" }, { public_key: "abcdefgh" }],
    ["another version", "aws_db_instance", { engine_version: "8.0.3" }, { engine_version: "8.0.35" }],
    [
      "another major version of a cache",
      "aws_elasticache_cluster",
      { engine_version: "6.x" },
      { engine_version: "7.1.0" },
    ],
    ["another major version", "aws_db_instance", { engine_version: "8.0" }, { engine_version: "5.7" }],
  ])("%s isn't equivalent", (_, type, before, after) => {
    expectNone(type, before, after);
  });

  const byId = policy({ ...GET, Principal: { AWS: "AROA1234567890EXAMPLE" } });
  const byArn = policy({ ...GET, Principal: { AWS: ROLE } });
  const change = { type: "aws_sqs_queue_policy", before: byId, after: byArn };

  test("a role's unique id equals its ARN if the plan contains the role", () => {
    const role = unchanged("aws_iam_role", { arn: ROLE, unique_id: "AROA1234567890EXAMPLE" });
    expect(classesOf({ changes: [change, role] })).toEqual(["equivalent_value 1"]);
  });

  test("the unique id of a deleted role doesn't equal the ARN of a new role", () => {
    const role = unchanged("aws_iam_role", { arn: ROLE, unique_id: "AROA9876543210EXAMPLE" });
    expect(classesOf({ changes: [change, role] })).toEqual([]);
    expect(classesOf({ changes: [change] })).toEqual([]);
  });
});
