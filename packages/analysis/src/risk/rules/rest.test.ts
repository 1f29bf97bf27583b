import { expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/json";
import { REDACTED } from "@leeway/shared/redaction/redact";

import {
  create,
  CREATE_FIRST,
  DESTROY_FIRST,
  findings,
  remove,
  replace,
  said,
  update,
  type Given,
  type Seen,
} from "../change.fixture.ts";

const masked = { before_sensitive: { password: true }, after_sensitive: { password: true } };
const told = { leeway_changed: [["password"]] };
const hidden = { password: REDACTED };

test.each<[string, string, Given, Seen | undefined]>([
  ["R20", "what is created", create("aws_instance"), ["create", "low", "low", []]],
  ["R20", "a group, of which R08 speaks", create("aws_security_group"), undefined],
  ...["aws_ecs_task_definition", "google_compute_instance_template", "aws-native:ecs:TaskDefinition"].map(
    (type): [string, string, Given, Seen] => [
      "R20",
      `a new revision in place of the one before: ${type}`,
      replace(type, DESTROY_FIRST),
      ["new_revision", "low", "low", [["name"]]],
    ],
  ),
  [
    "R20",
    "a new revision that may do more, of which R12 speaks",
    replace("aws_ecs_task_definition", CREATE_FIRST, { task_role_arn: "a" }, { task_role_arn: "b" }),
    undefined,
  ],
  [
    "R12",
    "a new revision that acts as somebody else",
    replace("aws_ecs_task_definition", CREATE_FIRST, { task_role_arn: "a" }, { task_role_arn: "b" }),
    ["iam_change", "medium", "medium", [["task_role_arn"]]],
  ],
  [
    "R08",
    "a new revision behind another firewall",
    replace("aws_launch_configuration", CREATE_FIRST, { security_groups: ["a"] }, { security_groups: ["b"] }),
    ["network_policy_change", "medium", "medium", [["security_groups", 0]]],
  ],
  [
    "R18",
    "a revision that goes for good",
    remove("aws_ecs_task_definition"),
    ["destroy", "medium", "medium", []],
  ],
  [
    "R21",
    "tags",
    update("aws_instance", { tags: { a: "1" } }, { tags: { a: "2" }, tags_all: { a: "2" } }),
    [
      "cosmetic",
      "none",
      "none",
      [
        ["tags", "a"],
        ["tags_all", "a"],
      ],
    ],
  ],
  [
    "R21",
    "a description",
    update("aws_security_group", { description: "a" }, { description: "b" }),
    ["cosmetic", "none", "none", [["description"]]],
  ],
  [
    "R21",
    "tags and more",
    update("aws_instance", { tags: {}, ami: "a" }, { tags: { a: "1" }, ami: "b" }),
    undefined,
  ],
  [
    "R21",
    "labels at Google",
    update("google_storage_bucket", { labels: { a: "1" } }, { labels: { a: "2" } }),
    ["cosmetic", "none", "none", [["labels", "a"]]],
  ],
  [
    "R21",
    "network tags at Google, which firewalls go by",
    update("google_compute_instance", { tags: ["a"] }, { tags: ["b"] }),
    undefined,
  ],
  [
    "R21",
    "labels in Kubernetes, which select",
    update("kubernetes_pod", { metadata: [{ labels: { a: "1" } }] }, { metadata: [{ labels: { a: "2" } }] }),
    undefined,
  ],
  [
    "R23",
    "a type that nobody knows",
    update("acme_page", { title: "a" }, { title: "b" }),
    ["update", "low", "low", [["title"]]],
  ],
  [
    "R23",
    "any other update",
    update("aws_instance", { ami: "a" }, { ami: "b" }),
    ["update", "low", "low", [["ami"]]],
  ],
  [
    "R23",
    "a TLS policy that isn't older",
    update(
      "aws_lb_listener",
      { ssl_policy: "ELBSecurityPolicy-2016-08" },
      { ssl_policy: "ELBSecurityPolicy-TLS13-1-2-2021-06" },
    ),
    ["update", "low", "low", [["ssl_policy"]]],
  ],
  [
    "R23",
    "what a service account is called",
    update("google_service_account", { display_name: "a" }, { display_name: "b" }),
    ["update", "low", "low", [["display_name"]]],
  ],
  ["R23", "an update that can't be seen into", update("aws_instance", {}, {}), ["update", "low", "low", []]],
  [
    "R25",
    "a secret",
    update("aws_instance", hidden, hidden, { ...masked, ...told }),
    ["secret_rotation", "low", "low", [["password"]]],
  ],
  [
    "R25",
    "a secret that only its form shows",
    update("aws_instance", hidden, hidden, told),
    ["secret_rotation", "low", "low", [["password"]]],
  ],
  [
    "R25",
    "the password of a database's master",
    update("aws_db_instance", hidden, hidden, told),
    ["secret_rotation", "medium", "medium", [["password"]]],
  ],
  [
    "R25",
    "a write-only password, of which only the version shows that it is another",
    update("aws_db_instance", { password_wo_version: 1 }, { password_wo_version: 2 }),
    ["secret_rotation", "medium", "medium", [["password_wo_version"]]],
  ],
  [
    "R25",
    "a write-only secret of what holds no data",
    update("kubernetes_secret_v1", { data_wo_revision: 1 }, { data_wo_revision: 2 }),
    ["secret_rotation", "low", "low", [["data_wo_revision"]]],
  ],
  ["R25", "a new secret", create("aws_instance", hidden), undefined],
])("%s and %s", (rule, _name, given, expected) => {
  expect(said(rule, given)).toEqual(expected);
});

test.each<[what: string, type: string, before: JsonObject, after: JsonObject, rule: string]>([
  [
    "tags of what mirrors AWS",
    "awscc_ec2_instance",
    { tags: [{ key: "a", value: "1" }] },
    { tags: [] },
    "R21",
  ],
  ["tags at Azure in a list", "azurerm_lb", { tags: ["a"] }, { tags: ["b"] }, "R21"],
  ["tags of others that have values", "acme_page", { tags: { a: "1" } }, { tags: { a: "2" } }, "R21"],
  [
    "tags that say what a user may",
    "rabbitmq_user",
    { tags: ["monitoring"] },
    { tags: ["management"] },
    "R12",
  ],
  ["tags that say who reaches a device", "tailscale_device_tags", { tags: ["a"] }, { tags: ["b"] }, "R12"],
  [
    "tags that say which machines a firewall is for",
    "digitalocean_firewall",
    { tags: ["a"] },
    { tags: [] },
    "R08",
  ],
  ["tags that firewalls go by", "digitalocean_droplet", { tags: ["a"] }, { tags: [] }, "R08"],
  ["tags of others in a list", "acme_page", { tags: ["a"] }, { tags: ["b"] }, "R23"],
  [
    "a program's variables, whatever they are called",
    "aws_lambda_function",
    { environment: [{ variables: { description: "a", tags: "b" } }] },
    { environment: [{ variables: { description: "b", tags: "a" } }] },
    "R23",
  ],
  [
    "a program's files",
    "kubernetes_config_map",
    { data: { description: "a" } },
    { data: { description: "b" } },
    "R23",
  ],
  [
    "an app's settings",
    "azurerm_linux_web_app",
    { app_settings: { tags: "a" } },
    { app_settings: { tags: "b" } },
    "R23",
  ],
  [
    "a machine's metadata",
    "google_compute_instance",
    { metadata: { description: "a" } },
    { metadata: {} },
    "R23",
  ],
  [
    "tags of what a bucket's rule deletes",
    "aws_s3_bucket_lifecycle_configuration",
    { rule: [{ filter: [{ and: [{ tags: { a: "1" } }] }], expiration: [{ days: 1 }] }] },
    { rule: [{ filter: [{ and: [{ tags: { a: "2" } }] }], expiration: [{ days: 1 }] }] },
    "R02",
  ],
])("%s of %s", (_what, type, ...[before, after, rule]) => {
  expect(findings([update(type, before, after)]).map((finding) => finding.rule)).toEqual([rule]);
});

test("a security group or role that only leaves the state changes nothing", () => {
  const left = ["aws_security_group", "aws_iam_role"].map((type) => ({ type, actions: ["forget"] }));
  expect(findings(left).map(({ rule }) => rule)).toEqual(["R22", "R22"]);
});

test("what is read, moved or imported, or a data source, is no finding", () => {
  const idle: Given[] = [
    { type: "aws_instance", actions: ["no-op"], before: { a: 1 }, after: { a: 1 } },
    { type: "aws_instance", actions: ["read"] },
    { type: "aws_instance", actions: ["no-op"], change: { importing: { id: "i" } } },
  ];
  expect(findings(idle)).toEqual([]);
});

test("attributes that providers fill in, and nothing else, are no finding", () => {
  const given = update(
    "aws_lambda_function",
    { qualified_arn: "a:1" },
    {},
    { after_unknown: { qualified_arn: true } },
  );
  expect(findings([given])).toEqual([]);
  const configured = update(
    "aws_lambda_function",
    { handler: "a" },
    {},
    { after_unknown: { handler: true } },
  );
  expect(findings([configured]).map(({ rule }) => rule)).toEqual(["R23"]);
});
