import { describe, expect, test } from "bun:test";

import type { Json, JsonObject } from "@leeway/shared/json";

import { classesOf, classesOfChange, unchanged } from "./noise.fixture.ts";

type Case = [fact: string, type: string, before: JsonObject, after: JsonObject];

const json = (value: Json): string => JSON.stringify(value);
const ROLE = "arn:aws:iam::210987654321:role/deployer";

function policy(statement: Json, rest: JsonObject = { Version: "2012-10-17" }): JsonObject {
  return { policy: json({ ...rest, Statement: statement }) };
}

function expectOnly(noiseClass: string, type: string, before: JsonObject, after: JsonObject): void {
  expect(classesOfChange(type, before, after)).toEqual([noiseClass]);
  expect(classesOfChange(type, after, before)).toEqual([noiseClass]);
}

function expectNone(type: string, before: JsonObject, after: JsonObject): void {
  expect(classesOfChange(type, before, after)).toEqual([]);
  expect(classesOfChange(type, after, before)).toEqual([]);
}

const GET = { Effect: "Allow", Action: "s3:GetObject", Resource: "*" };
const PUT = { Effect: "Deny", Action: ["s3:PutObject", "s3:DeleteObject"], Resource: "*" };

const withPassword = (layout: number): JsonObject => ({
  definition: JSON.stringify({ db_password: "hunter2hunter2" }, null, layout),
});

describe("json_policy_normalization", () => {
  test.each<Case>([
    [
      "layout",
      "aws_iam_policy",
      { policy: json({ Statement: [GET] }) },
      { policy: `{ "Statement": [\n${json(GET)}] }` },
    ],
    [
      "order of members",
      "aws_iam_policy",
      policy(GET),
      policy({ Resource: "*", Action: "s3:GetObject", Effect: "Allow" }),
    ],
    ["order of statements", "aws_iam_policy", policy([GET, PUT]), policy([PUT, GET])],
    ["a statement alone", "aws_iam_policy", policy(GET), policy([GET])],
    [
      "order of actions",
      "aws_iam_policy",
      policy(PUT),
      policy({ ...PUT, Action: ["s3:DeleteObject", "s3:PutObject"] }),
    ],
    ["one action in a list", "aws_iam_policy", policy(GET), policy({ ...GET, Action: ["s3:GetObject"] })],
    ["an empty Sid", "aws_iam_policy", policy(GET), policy({ ...GET, Sid: "" })],
    [
      "the version that absence means",
      "aws_iam_policy",
      policy(GET, {}),
      policy(GET, { Version: "2008-10-17" }),
    ],
    [
      "an account and its root",
      "aws_sqs_queue_policy",
      policy({ ...GET, Principal: { AWS: "210987654321" } }),
      policy({ ...GET, Principal: { AWS: ["arn:aws:iam::210987654321:root"] } }),
    ],
    [
      "a switch in a condition as text",
      "aws_sqs_queue_policy",
      policy({ ...GET, Condition: { Bool: { "aws:SecureTransport": true } } }),
      policy({ ...GET, Condition: { Bool: { "aws:SecureTransport": ["true"] } } }),
    ],
    [
      "containers and their variables in another order, and defaults written out",
      "aws_ecs_task_definition",
      {
        container_definitions: json([
          {
            name: "a",
            image: "a",
            environment: [
              { name: "X", value: "1" },
              { name: "Y", value: "2" },
            ],
          },
          { name: "b", image: "b", portMappings: [{ containerPort: 80 }] },
        ]),
      },
      {
        container_definitions: json([
          {
            name: "b",
            image: "b",
            cpu: 0,
            essential: true,
            portMappings: [{ containerPort: 80, hostPort: 0, protocol: "tcp" }],
          },
          {
            name: "a",
            image: "a",
            mountPoints: [],
            environment: [
              { name: "Y", value: "2" },
              { name: "X", value: "1" },
            ],
          },
        ]),
      },
    ],
    [
      "the mode of a column",
      "google_bigquery_table",
      { schema: json([{ name: "a", type: "RECORD", fields: [{ name: "b", type: "STRING" }] }]) },
      {
        schema: json([
          {
            name: "a",
            mode: "NULLABLE",
            type: "RECORD",
            fields: [{ name: "b", mode: "NULLABLE", type: "STRING" }],
          },
        ]),
      },
    ],
    [
      "members of a binding",
      "google_project_iam_policy",
      { policy_data: json({ bindings: [{ role: "roles/viewer", members: ["user:a@b.c", "user:d@e.f"] }] }) },
      { policy_data: json({ bindings: [{ members: ["user:d@e.f", "user:a@b.c"], role: "roles/viewer" }] }) },
    ],
  ])("%s means nothing", (_, type, before, after) => {
    expectOnly("json_policy_normalization 1", type, before, after);
  });

  test.each<Case>([
    [
      "an action more",
      "aws_iam_policy",
      policy(GET),
      policy({ ...GET, Action: ["s3:GetObject", "s3:PutObject"] }),
    ],
    ["an effect", "aws_iam_policy", policy(GET), policy({ ...GET, Effect: "Deny" })],
    [
      "NotAction for Action",
      "aws_iam_policy",
      policy(GET),
      policy({ Effect: "Allow", NotAction: "s3:GetObject", Resource: "*" }),
    ],
    ["a name that a statement gets", "aws_iam_policy", policy(GET), policy({ ...GET, Sid: "Read" })],
    ["another version of the grammar", "aws_iam_policy", policy(GET, {}), policy(GET)],
    [
      "another account",
      "aws_sqs_queue_policy",
      policy({ ...GET, Principal: { AWS: "210987654321" } }),
      policy({ ...GET, Principal: { AWS: "arn:aws:iam::210987654322:root" } }),
    ],
    [
      "everybody for an account",
      "aws_sqs_queue_policy",
      policy({ ...GET, Principal: { AWS: "210987654321" } }),
      policy({ ...GET, Principal: "*" }),
    ],
    [
      "the order of a state machine's list",
      "aws_sfn_state_machine",
      { definition: json({ a: [1, 2] }) },
      { definition: json({ a: [2, 1] }) },
    ],
    [
      "a number that only rounding makes equal",
      "aws_x",
      { definition: '{"a":12345678901234567890}' },
      { definition: '{"a":12345678901234567891}' },
    ],
    ["a member that is there twice", "aws_x", { definition: '{"a":1,"a":2}' }, { definition: '{"a":2}' }],
    ["the bytes of a file", "aws_s3_object", { content: '{"a":1}' }, { content: '{"a": 1}' }],
    [
      "a variable that is set twice",
      "aws_ecs_task_definition",
      {
        container_definitions: json([
          {
            name: "a",
            environment: [
              { name: "X", value: "1" },
              { name: "X", value: "2" },
            ],
          },
        ]),
      },
      {
        container_definitions: json([
          {
            name: "a",
            environment: [
              { name: "X", value: "2" },
              { name: "X", value: "1" },
            ],
          },
        ]),
      },
    ],
    [
      "a container that is essential no more",
      "aws_ecs_task_definition",
      { container_definitions: json([{ name: "a" }]) },
      { container_definitions: json([{ name: "a", essential: false }]) },
    ],
    [
      "a command's order",
      "aws_ecs_task_definition",
      { container_definitions: json([{ name: "a", command: ["a", "b"] }]) },
      { container_definitions: json([{ name: "a", command: ["b", "a"] }]) },
    ],
  ])("%s means something", (_, type, before, after) => {
    expectNone(type, before, after);
  });

  test("what was masked in a document isn't shown to be equal", () => {
    expectNone("aws_x", withPassword(0), withPassword(2));
  });
});

describe("set_order", () => {
  test.each<Case>([
    [
      "security groups",
      "aws_instance",
      { vpc_security_group_ids: ["sg-1", "sg-2"] },
      { vpc_security_group_ids: ["sg-2", "sg-1"] },
    ],
    [
      "tags as a list",
      "awscc_ec2_vpc",
      {
        tags: [
          { key: "a", value: "1" },
          { key: "b", value: "2" },
        ],
      },
      {
        tags: [
          { key: "b", value: "2" },
          { key: "a", value: "1" },
        ],
      },
    ],
    [
      "sources in a rule",
      "aws_security_group",
      { ingress: [{ cidr_blocks: ["10.0.0.0/8", "10.1.0.0/16"] }] },
      { ingress: [{ cidr_blocks: ["10.1.0.0/16", "10.0.0.0/8"] }] },
    ],
    [
      "rules of a security group",
      "aws_security_group",
      { ingress: [{ from_port: 1 }, { from_port: 2 }] },
      { ingress: [{ from_port: 2 }, { from_port: 1 }] },
    ],
  ])("the order of %s means nothing", (_, type, before, after) => {
    expectOnly("set_order 1", type, before, after);
  });

  test.each<Case>([
    ["a command", "kubernetes_pod", { command: ["a", "b"] }, { command: ["b", "a"] }],
    [
      "DNS servers",
      "azurerm_virtual_network",
      { dns_servers: ["10.0.0.1", "10.0.0.2"] },
      { dns_servers: ["10.0.0.2", "10.0.0.1"] },
    ],
    [
      "cache behaviours",
      "aws_cloudfront_distribution",
      { ordered_cache_behavior: [{ path_pattern: "a" }, { path_pattern: "b" }] },
      { ordered_cache_behavior: [{ path_pattern: "b" }, { path_pattern: "a" }] },
    ],
  ])("the order of %s may mean something", (_, type, before, after) => {
    expectNone(type, before, after);
  });

  test("an item twice is not an item once", () => {
    expectNone("aws_instance", { subnet_ids: ["a", "a", "b"] }, { subnet_ids: ["a", "b", "b"] });
  });

  test("items that are partly unknown or masked aren't shown to be the same", () => {
    const type = "aws_instance";
    const [before, after] = [{ subnet_ids: ["a", "b"] }, { subnet_ids: ["b", "a"] }];
    expect(classesOf({ changes: [{ type, before, after, sensitive: { subnet_ids: true } }] })).toEqual([]);
    expect(classesOf({ changes: [{ type, before, after, unknown: { subnet_ids: [false, true] } }] })).toEqual(
      [],
    );
  });

  test("an order that the plan only sets back is likely noise, and no more than that", () => {
    const [before, after] = [{ dns_servers: ["a", "b"] }, { dns_servers: ["b", "a"] }];
    const type = "azurerm_virtual_network";
    const plan = { changes: [{ type, before: after, after: before }], drift: [{ type, before, after }] };
    expect(classesOf(plan)).toEqual(["set_order 0.75"]);
  });
});

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
  ])("the case of %s means nothing", (_, type, before, after) => {
    expectOnly("case_change 1", type, before, after);
  });

  test.each<Case>([
    ["a name", "aws_s3_object", { key: "A" }, { key: "a" }],
    [
      "a password's hash",
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
  ])("the case of %s means something", (_, type, before, after) => {
    expectNone(type, before, after);
  });
});

describe("trailing_char", () => {
  test.each<Case>([
    [
      "the dot of a host",
      "aws_route53_record",
      { type: "CNAME", records: ["a.example.com."] },
      { type: "CNAME", records: ["a.example.com"] },
    ],
    ["a line's end in a description", "aws_kms_key", { description: "keys\n" }, { description: "keys" }],
    [
      "the slash of a bare URL",
      "aws_x",
      { endpoint: "https://example.com/" },
      { endpoint: "https://example.com" },
    ],
  ])("%s means nothing", (_, type, before, after) => {
    expectOnly("trailing_char 1", type, before, after);
  });

  test.each<Case>([
    [
      "a slash in a path",
      "aws_x",
      { endpoint: "https://example.com/a/" },
      { endpoint: "https://example.com/a" },
    ],
    [
      "a slash in a redirect URI",
      "aws_cognito_user_pool_client",
      { callback_urls: ["https://example.com/"] },
      { callback_urls: ["https://example.com"] },
    ],
    ["a line's end in a file", "aws_s3_object", { content: "a\n" }, { content: "a" }],
    [
      "a dot in a text record",
      "aws_route53_record",
      { type: "TXT", records: ["a.b."] },
      { type: "TXT", records: ["a.b"] },
    ],
  ])("%s means something", (_, type, before, after) => {
    expectNone(type, before, after);
  });
});

describe("number_string_bool", () => {
  test.each<Case>([
    ["a number as text", "aws_x", { size: 1 }, { size: "1" }],
    ["a switch as text", "aws_x", { on: true }, { on: "true" }],
    ["an empty text for none", "aws_x", { text: "" }, { text: null }],
    ["an empty list for none", "aws_x", { list: [] }, { list: null }],
    ["an empty map for none", "aws_x", { tags: {} }, { tags: null }],
    ["none for what isn't there", "aws_x", { text: null }, {}],
    ["time-outs that are none", "aws_x", { timeouts: null }, { timeouts: { create: null, delete: null } }],
  ])("%s means nothing", (_, type, before, after) => {
    expectOnly("number_string_bool 1", type, before, after);
  });

  test.each<Case>([
    ["another number", "aws_x", { size: 1 }, { size: "2" }],
    ["a number written otherwise", "aws_x", { zip: "01" }, { zip: 1 }],
    ["an empty tag", "aws_x", { tags: { a: "", b: "1" } }, { tags: { b: "1" } }],
    ["an empty block", "aws_x", { rule: [{}] }, { rule: [] }],
    ["an empty item", "aws_x", { list: [""] }, { list: [null] }],
    ["a switch that is off", "aws_x", { on: false }, { on: null }],
    [
      "nobody for everybody",
      "aws_eks_cluster",
      { vpc_config: [{ public_access_cidrs: [] }] },
      { vpc_config: [{ public_access_cidrs: null }] },
    ],
    ["an empty selector", "kubernetes_manifest", { pod_selector: {} }, { pod_selector: null }],
  ])("%s means something", (_, type, before, after) => {
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
  ])("a default of %s written out means nothing", (_, type, before, after) => {
    expectOnly("default_materialized 0.9", type, before, after);
  });

  test("another value than the default means something", () => {
    expectNone("aws_lambda_function", { timeout: null }, { timeout: 4 });
    expectNone("aws_lambda_function", { timeout: 4 }, { timeout: 3 });
  });
});

describe("equivalent_value", () => {
  test.each<Case>([
    ["a network with bits of a host", "aws_x", { cidr_block: "10.0.0.1/24" }, { cidr_block: "10.0.0.0/24" }],
    [
      "an IPv6 network",
      "aws_x",
      { ipv6_cidr_block: "2001:DB8:0::/48" },
      { ipv6_cidr_block: "2001:db8::/48" },
    ],
    ["an address alone", "azurerm_x", { ip_rules: ["203.0.113.7"] }, { ip_rules: ["203.0.113.7/32"] }],
    ["minutes in seconds", "google_x", { timeout: "60s" }, { timeout: "1m0s" }],
    ["hours in days", "azurerm_x", { message_ttl: "P1D" }, { message_ttl: "PT24H" }],
    [
      "a certificate in Base64",
      "aws_instance",
      { certificate: "#!/bin/sh\n" },
      { certificate: "IyEvYmluL3NoCg==" },
    ],
    [
      "a link to a Google resource",
      "google_x",
      { network: "https://www.googleapis.com/compute/v1/projects/p/global/networks/n" },
      { network: "projects/p/global/networks/n" },
    ],
    ["an Azure region's display name", "azurerm_x", { location: "West Europe" }, { location: "westeurope" }],
    ["a protocol's number", "aws_network_acl_rule", { protocol: "tcp" }, { protocol: "6" }],
  ])("%s is the same", (_, type, before, after) => {
    expectOnly("equivalent_value 1", type, before, after);
  });

  test("a version that runs is one of those that were asked for", () => {
    const [asked, running] = [{ engine_version: "8.0" }, { engine_version: "8.0.35" }];
    const type = "aws_db_instance";
    expect(classesOf({ changes: [{ type, before: running, after: asked }] })).toEqual([
      "equivalent_value 0.9",
    ]);
    expect(classesOf({ drift: [{ type, before: asked, after: running }] })).toEqual(["equivalent_value 0.9"]);
  });

  test("a version that is to be pinned is another than the one that was asked for", () => {
    const [before, after] = [{ engine_version: "8.0" }, { engine_version: "8.0.36" }];
    expect(classesOf({ changes: [{ type: "aws_db_instance", before, after }] })).toEqual([]);
  });

  test.each<Case>([
    ["another network", "aws_x", { cidr_block: "10.0.0.0/24" }, { cidr_block: "10.0.0.0/25" }],
    ["another host", "aws_x", { private_ip: "10.0.0.1/24" }, { private_ip: "10.0.0.2/24" }],
    ["another duration", "google_x", { timeout: "60s" }, { timeout: "61s" }],
    ["a month, which has no length", "azurerm_x", { message_ttl: "P1M" }, { message_ttl: "P30D" }],
    ["a name that looks like a duration", "aws_x", { name: "60s" }, { name: "1m" }],
    ["another key", "aws_instance", { public_key: "abcd efgh" }, { public_key: "abcdefgh" }],
    ["another version", "aws_db_instance", { engine_version: "8.0.3" }, { engine_version: "8.0.35" }],
    ["another major version", "aws_db_instance", { engine_version: "8.0" }, { engine_version: "5.7" }],
  ])("%s is not the same", (_, type, before, after) => {
    expectNone(type, before, after);
  });

  const byId = policy({ ...GET, Principal: { AWS: "AROA1234567890EXAMPLE" } });
  const byArn = policy({ ...GET, Principal: { AWS: ROLE } });
  const change = { type: "aws_sqs_queue_policy", before: byId, after: byArn };

  test("a role's unique id is its ARN, where the plan has the role with both", () => {
    const role = unchanged("aws_iam_role", { arn: ROLE, unique_id: "AROA1234567890EXAMPLE" });
    expect(classesOf({ changes: [change, role] })).toEqual(["equivalent_value 1"]);
  });

  test("an id of a role that is gone grants nothing to the role of the same ARN", () => {
    const role = unchanged("aws_iam_role", { arn: ROLE, unique_id: "AROA9876543210EXAMPLE" });
    expect(classesOf({ changes: [change, role] })).toEqual([]);
    expect(classesOf({ changes: [change] })).toEqual([]);
  });
});
