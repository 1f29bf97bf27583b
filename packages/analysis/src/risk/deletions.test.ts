import { expect, test } from "bun:test";

import {
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

type Case = [string, string, Given, RatedFinding | undefined];

/** Types of providers that no table knows. */
const MAY_HOLD_DATA = [
  "vsphere_virtual_machine",
  "proxmox_virtual_environment_vm",
  "yandex_mdb_postgresql_cluster",
  "tencentcloud_mysql_instance",
  "exoscale_database",
  "nomad_volume",
  "acme_file_system_v2",
  "acme_table",
];
const MAY_SERVE = ["rancher2_cluster", "upcloud_server", "gandi_livedns_record", "argocd_application"];
const ONLY_NAMED_AFTER = [
  "acme_database_user",
  "acme_volume_attachment",
  "acme_route_table",
  "netbox_virtual_machine",
];

test.each<Case>([
  ["R03", "a key", remove("aws_kms_key"), ["destroy_key_material", "critical", "critical", []]],
  ["R03", "a secret", remove("vault_kv_secret_v2"), ["destroy_key_material", "critical", "critical", []]],
  [
    "R03",
    "a secret version",
    remove("google_secret_manager_secret_version"),
    ["destroy_key_material", "critical", "critical", []],
  ],
  [
    "R03",
    "a replaced secret version",
    replace("google_secret_manager_secret_version", DESTROY_FIRST),
    undefined,
  ],
  [
    "R03",
    "a secret version replaced by one of another secret",
    {
      type: "google_secret_manager_secret_version",
      actions: DESTROY_FIRST,
      before: { secret: "projects/a/secrets/old" },
      after: { secret: "projects/a/secrets/new" },
    },
    ["destroy_key_material", "critical", "critical", []],
  ],
  ["R03", "a vault", remove("azurerm_key_vault"), ["destroy_key_material", "critical", "critical", []]],
  [
    "R03",
    "a replaced key",
    replace("google_kms_crypto_key", DESTROY_FIRST),
    ["destroy_key_material", "critical", "critical", [["name"]]],
  ],
  [
    "R03",
    "a disabled key",
    update("aws_kms_key", { is_enabled: true }, { is_enabled: false }),
    ["key_disabled", "high", "high", [["is_enabled"]]],
  ],
  [
    "R03",
    "a key without a deletion window",
    update("aws_kms_key", { deletion_window_in_days: 30 }, { deletion_window_in_days: 0 }),
    ["key_disabled", "high", "high", [["deletion_window_in_days"]]],
  ],
  [
    "R03",
    "a bucket with a name for states",
    remove("aws_s3_bucket", { bucket: "acme-tfstate-prod" }),
    ["destroy_key_material", "critical", "critical", []],
  ],
  ["R03", "a bucket named for estates", remove("aws_s3_bucket", { bucket: "acme-estates" }), undefined],
  ["R03", "an enabled key", update("aws_kms_key", { is_enabled: false }, { is_enabled: true }), undefined],
  ["R03", "an alias", remove("aws_kms_alias"), undefined],
  ["R04", "a network", remove("aws_vpc"), ["destroy_container", "critical", "critical", []]],
  [
    "R04",
    "a resource group",
    remove("azurerm_resource_group"),
    ["destroy_container", "critical", "critical", []],
  ],
  [
    "R04",
    "a replaced zone",
    replace("google_dns_managed_zone", CREATE_FIRST),
    ["destroy_container", "critical", "critical", [["name"]]],
  ],
  ["R04", "a group of projects", remove("gitlab_group"), ["destroy_container", "critical", "critical", []]],
  ["R04", "a subnet", remove("aws_subnet"), undefined],
  [
    "R05",
    "a load balancer destroyed first",
    replace("aws_lb", DESTROY_FIRST),
    ["replace_downtime", "high", "high", [["name"]]],
  ],
  [
    "R05",
    "an instance destroyed first",
    replace("google_compute_instance", DESTROY_FIRST),
    ["replace_downtime", "high", "high", [["name"]]],
  ],
  ["R05", "a load balancer created first", replace("aws_lb", CREATE_FIRST), undefined],
  ["R05", "a role destroyed first", replace("aws_iam_role", DESTROY_FIRST), undefined],
  [
    "R06",
    "a load balancer created first",
    replace("aws_lb", CREATE_FIRST),
    ["replace_no_downtime", "medium", "medium", [["name"]]],
  ],
  [
    "R06",
    "a load balancer with a fixed name",
    replace("aws_lb", CREATE_FIRST, { name: "web" }),
    ["replace_no_downtime", "medium", "high", [["name"]]],
  ],
  [
    "R06",
    "a load balancer with a name prefix",
    replace("aws_lb", CREATE_FIRST, { name: "web-1", name_prefix: "web-" }),
    ["replace_no_downtime", "medium", "medium", [["name"]]],
  ],
  [
    "R06",
    "a load balancer with a new name",
    replace("aws_lb", CREATE_FIRST, { name: "a" }, { name: "b" }),
    ["replace_no_downtime", "medium", "medium", [["name"]]],
  ],
  ["R06", "a load balancer destroyed first", replace("aws_lb", DESTROY_FIRST), undefined],
  ["R17", "a load balancer that goes", remove("aws_lb"), ["destroy_serving", "high", "high", []]],
  ["R17", "a cache, which holds data", remove("aws_elasticache_cluster"), undefined],
  ["R17", "a load balancer that is replaced", replace("aws_lb", DESTROY_FIRST), undefined],
  ["R18", "a subnet", remove("aws_subnet"), ["destroy", "medium", "medium", []]],
  ["R18", "a type that nobody knows", remove("acme_page"), ["destroy", "medium", "medium", []]],
  ...MAY_HOLD_DATA.map((type): Case => [
    "R01",
    `${type} by its name`,
    remove(type),
    ["maybe_stateful", "high", "high", []],
  ]),
  ...MAY_SERVE.map((type): Case => [
    "R17",
    `${type} by its name`,
    remove(type),
    ["destroy_serving", "high", "high", []],
  ]),
  ...ONLY_NAMED_AFTER.map((type): Case => [
    "R18",
    `${type}, which is only named after one`,
    remove(type),
    ["destroy", "medium", "medium", []],
  ]),
  ["R01", "an add-on of Heroku", remove("heroku_addon"), ["maybe_stateful", "high", "high", []]],
  [
    "R04",
    "a stack of Spacelift",
    remove("spacelift_stack"),
    ["destroy_container", "critical", "critical", []],
  ],
  [
    "R01",
    "a virtual machine that is replaced",
    replace("vsphere_virtual_machine", DESTROY_FIRST),
    ["maybe_stateful", "high", "high", [["name"]]],
  ],
  [
    "R18",
    "a replaced subnet",
    replace("aws_subnet", CREATE_FIRST),
    ["destroy", "medium", "medium", [["name"]]],
  ],
  ["R18", "a database, of which R01 speaks", remove("aws_db_instance"), undefined],
  [
    "R22",
    "a subnet removed from the state",
    { type: "aws_subnet", actions: ["forget"] },
    ["orphaned", "low", "low", []],
  ],
  [
    "R22",
    "a database removed from the state",
    { type: "aws_db_instance", actions: ["forget"] },
    ["orphaned", "medium", "medium", []],
  ],
  ["R22", "a subnet that is deleted", remove("aws_subnet"), undefined],
])("%s: %s", (rule, _name, given, expected) => {
  expect(findingBy(rule, given)).toEqual(expected);
});

test.each([
  "azurerm_netapp_account",
  "azurerm_netapp_pool",
  "azurerm_mssql_elasticpool",
  "azurerm_eventhub_cluster",
  "azurerm_shared_image",
  "azurerm_disk_encryption_set",
  "google_compute_storage_pool",
  "google_netapp_storage_pool",
  "aws_cloudformation_stack_set",
])("%s must be empty to be deleted, so no data is lost", (type) => {
  expect(findings([remove(type)]).map(({ rule, risk_level }) => [rule, risk_level])).toEqual([
    ["R18", "medium"],
  ]);
});

test.each([
  ["data and downtime", replace("aws_elasticache_cluster", DESTROY_FIRST), "R01"],
  ["a key, which holds data too", remove("aws_kms_key"), "R03"],
  ["a zone, which holds records", remove("aws_route53_zone"), "R04"],
])("a deletion has only its worst finding: %s", (_name, given, rule) => {
  expect(findings([given]).map((finding) => [finding.rule, finding.risk_level])).toEqual([
    [rule, "critical"],
  ]);
});

test.each<[string, Given, string, string]>([
  ["a plain-text parameter", remove("aws_ssm_parameter", { type: "String" }), "R18", "medium"],
  ["an encrypted parameter", remove("aws_ssm_parameter", { type: "SecureString" }), "R03", "critical"],
  ["a parameter of unknown type", remove("aws_ssm_parameter"), "R03", "critical"],
  ["a memcached cluster", remove("aws_elasticache_cluster", { engine: "memcached" }), "R17", "high"],
  ["a Redis cluster", remove("aws_elasticache_cluster", { engine: "redis" }), "R01", "critical"],
  ["a queue", remove("aws_sqs_queue", { name: "orders" }), "R01", "critical"],
  ["a dead-letter queue", remove("aws_sqs_queue", { name: "orders-dlq" }), "R18", "medium"],
  ["a subscription", remove("aws_sns_topic_subscription"), "R18", "medium"],
  ["an event rule", remove("aws_cloudwatch_event_rule"), "R18", "medium"],
  ["a schedule", remove("aws_scheduler_schedule"), "R18", "medium"],
  ["a log group", remove("aws_cloudwatch_log_group"), "R01", "high"],
  ["a machine image", remove("aws_ami"), "R01", "critical"],
  ["a generated password", remove("random_password"), "R01", "medium"],
  ["a private key", remove("tls_private_key"), "R01", "high"],
  ["a null resource", remove("null_resource"), "R18", "low"],
])("deleting %s gives %p", (_name, given, rule, level) => {
  expect(findings([given]).map((finding) => [finding.rule, finding.risk_level])).toEqual([[rule, level]]);
});

test("a message names the cause of a replacement", () => {
  const given = {
    ...replace(
      "aws_lb",
      DESTROY_FIRST,
      { subnet_mapping: [{ subnet_id: "subnet-a" }] },
      { subnet_mapping: [{ subnet_id: "subnet-b" }] },
    ),
    change: { replace_paths: [["subnet_mapping", 0, "subnet_id"]] },
  };
  const [finding] = findings([given]);
  expect(finding?.message).toBe(
    "Replaces it (subnet_mapping.subnet_id subnet-a → subnet-b): it is down until the new one is ready",
  );
  expect(finding?.replace_paths).toEqual([["subnet_mapping", 0, "subnet_id"]]);
});
