import { expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";
import { REDACTED } from "@leeway/shared/security/redaction/redact";

import {
  create,
  CREATE_FIRST,
  DESTROY_FIRST,
  findings,
  remove,
  replace,
  findingBy,
  update,
  type Given,
  type RatedFinding,
} from "./change.fixture.ts";

const masked = { before_sensitive: { password: true }, after_sensitive: { password: true } };
const changedPaths = { leeway_changed: [["password"]] };
const hidden = { password: REDACTED };

test.each<[string, string, Given, RatedFinding | undefined]>([
  ["R20", "what is created", create("aws_instance"), ["create", "low", "low", []]],
  ["R20", "a group, of which R08 speaks", create("aws_security_group"), undefined],
  ...["aws_ecs_task_definition", "google_compute_instance_template", "aws-native:ecs:TaskDefinition"].map(
    (type): [string, string, Given, RatedFinding] => [
      "R20",
      `a new revision that replaces the previous one: ${type}`,
      replace(type, DESTROY_FIRST),
      ["new_revision", "low", "low", [["name"]]],
    ],
  ),
  [
    "R20",
    "a new revision with more access, which R12 covers",
    replace("aws_ecs_task_definition", CREATE_FIRST, { task_role_arn: "a" }, { task_role_arn: "b" }),
    undefined,
  ],
  [
    "R12",
    "a new revision with another role",
    replace("aws_ecs_task_definition", CREATE_FIRST, { task_role_arn: "a" }, { task_role_arn: "b" }),
    ["iam_change", "medium", "medium", [["task_role_arn"]]],
  ],
  [
    "R08",
    "a new revision with another security group",
    replace("aws_launch_configuration", CREATE_FIRST, { security_groups: ["a"] }, { security_groups: ["b"] }),
    ["network_policy_change", "medium", "medium", [["security_groups", 0]]],
  ],
  ["R18", "a deleted revision", remove("aws_ecs_task_definition"), ["destroy", "medium", "medium", []]],
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
    "network tags at Google, which firewalls use",
    update("google_compute_instance", { tags: ["a"] }, { tags: ["b"] }),
    undefined,
  ],
  [
    "R21",
    "labels in Kubernetes, which selectors use",
    update("kubernetes_pod", { metadata: [{ labels: { a: "1" } }] }, { metadata: [{ labels: { a: "2" } }] }),
    undefined,
  ],
  [
    "R23",
    "an unknown type",
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
    "another TLS policy that isn't older",
    update(
      "aws_lb_listener",
      { ssl_policy: "ELBSecurityPolicy-2016-08" },
      { ssl_policy: "ELBSecurityPolicy-TLS13-1-2-2021-06" },
    ),
    ["update", "low", "low", [["ssl_policy"]]],
  ],
  [
    "R23",
    "the display name of a service account",
    update("google_service_account", { display_name: "a" }, { display_name: "b" }),
    undefined,
  ],
  ["R23", "an update that can't be seen into", update("aws_instance", {}, {}), ["update", "low", "low", []]],
  [
    "R25",
    "a secret",
    update("aws_instance", hidden, hidden, { ...masked, ...changedPaths }),
    ["secret_rotation", "low", "low", [["password"]]],
  ],
  [
    "R25",
    "a masked secret",
    update("aws_instance", hidden, hidden, changedPaths),
    ["secret_rotation", "low", "low", [["password"]]],
  ],
  [
    "R25",
    "the master password of a database",
    update("aws_db_instance", hidden, hidden, changedPaths),
    ["secret_rotation", "medium", "medium", [["password"]]],
  ],
  [
    "R25",
    "a write-only password with a new version",
    update("aws_db_instance", { password_wo_version: 1 }, { password_wo_version: 2 }),
    ["secret_rotation", "medium", "medium", [["password_wo_version"]]],
  ],
  [
    "R25",
    "a write-only secret of a resource without data",
    update("kubernetes_secret_v1", { data_wo_revision: 1 }, { data_wo_revision: 2 }),
    ["secret_rotation", "low", "low", [["data_wo_revision"]]],
  ],
  ["R25", "a new secret", create("aws_instance", hidden), undefined],
])("%s: %s", (rule, _name, given, expected) => {
  expect(findingBy(rule, given)).toEqual(expected);
});

test.each<[what: string, type: string, before: JsonObject, after: JsonObject, rule: string]>([
  [
    "tags in a provider that mirrors AWS",
    "awscc_ec2_instance",
    { tags: [{ key: "a", value: "1" }] },
    { tags: [] },
    "R21",
  ],
  ["an Azure tag list", "azurerm_lb", { tags: ["a"] }, { tags: ["b"] }, "R21"],
  ["tags with values of another provider", "acme_page", { tags: { a: "1" } }, { tags: { a: "2" } }, "R21"],
  [
    "tags that grant access to a user",
    "rabbitmq_user",
    { tags: ["monitoring"] },
    { tags: ["management"] },
    "R12",
  ],
  ["tags that control access to a device", "tailscale_device_tags", { tags: ["a"] }, { tags: ["b"] }, "R12"],
  ["tags that select machines for a firewall", "digitalocean_firewall", { tags: ["a"] }, { tags: [] }, "R08"],
  ["tags that firewalls use", "digitalocean_droplet", { tags: ["a"] }, { tags: [] }, "R08"],
  ["a tag list of another provider", "acme_page", { tags: ["a"] }, { tags: ["b"] }, "R23"],
  [
    "variables of a program",
    "aws_lambda_function",
    { environment: [{ variables: { description: "a", tags: "b" } }] },
    { environment: [{ variables: { description: "b", tags: "a" } }] },
    "R23",
  ],
  [
    "files of a program",
    "kubernetes_config_map",
    { data: { description: "a" } },
    { data: { description: "b" } },
    "R23",
  ],
  [
    "settings of an app",
    "azurerm_linux_web_app",
    { app_settings: { tags: "a" } },
    { app_settings: { tags: "b" } },
    "R23",
  ],
  [
    "metadata of a VM",
    "google_compute_instance",
    { metadata: { description: "a" } },
    { metadata: {} },
    "R23",
  ],
  [
    "a tag filter of a bucket's deletion rule",
    "aws_s3_bucket_lifecycle_configuration",
    { rule: [{ filter: [{ and: [{ tags: { a: "1" } }] }], expiration: [{ days: 1 }] }] },
    { rule: [{ filter: [{ and: [{ tags: { a: "2" } }] }], expiration: [{ days: 1 }] }] },
    "R02",
  ],
])("%s (%s)", (_what, type, ...[before, after, rule]) => {
  expect(findings([update(type, before, after)]).map((finding) => finding.rule)).toEqual([rule]);
});

test("a security group or role removed from the state has only R22", () => {
  const left = ["aws_security_group", "aws_iam_role"].map((type) => ({ type, actions: ["forget"] }));
  expect(findings(left).map(({ rule }) => rule)).toEqual(["R22", "R22"]);
});

test("read, imported, unchanged and data resources have no finding", () => {
  const idle: Given[] = [
    { type: "aws_instance", actions: ["no-op"], before: { a: 1 }, after: { a: 1 } },
    { type: "aws_instance", actions: ["read"] },
    { type: "aws_instance", actions: ["no-op"], change: { importing: { id: "i" } } },
  ];
  expect(findings(idle)).toEqual([]);
});

test("attributes that only the provider fills in have no finding", () => {
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
