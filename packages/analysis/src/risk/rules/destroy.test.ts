import { describe, expect, test } from "bun:test";

import {
  CREATE_FIRST,
  DESTROY_FIRST,
  create,
  findings,
  remove,
  replace,
  said,
  update,
  type Given,
  type Said,
  type Seen,
} from "../change.fixture.ts";
import { AWS } from "../tables/aws.ts";
import { AZURE } from "../tables/azure.ts";
import { GCP } from "../tables/gcp.ts";
import { OTHER } from "../tables/other.ts";

const CRITICAL: Seen = ["destroy_stateful", "critical", "critical", []];
const MAYBE: Said = ["maybe_stateful", "high", "high"];

describe("R01, data that is destroyed", () => {
  const stateful = [AWS, GCP, AZURE, OTHER]
    .flatMap((table) => table.stateful)
    .map((type) => type.replaceAll("*", "x"));
  test.each(stateful)("%s holds data", (type) => {
    expect(said("R01", remove(type))).toEqual(CRITICAL);
  });

  test.each([
    "mongodbatlas_advanced_cluster",
    "digitalocean_database_cluster",
    "hcloud_volume",
    "oci_database_autonomous_database",
    "openstack_blockstorage_volume_v3",
    "alicloud_db_instance",
    "snowflake_database",
    "postgresql_database",
    "confluent_kafka_topic",
    "aws_glacier_vault",
    "azurerm_synapse_sql_pool",
    "azurerm_redis_enterprise_database",
    "azurerm_oracle_autonomous_database",
    "azurerm_monitor_workspace",
    "aws_backup_logically_air_gapped_vault",
    "aws_codeartifact_domain",
    "aws_codeartifact_repository",
    "aws_cloudsearch_domain",
    "aws_prometheus_workspace",
    "aws_dynamodb_table_replica",
    "aws_sagemaker_domain",
    "awscc_aps_workspace",
  ])("%s holds data, though its attributes say nothing of it", (type) => {
    expect(said("R01", remove(type, { name: "a" }))).toEqual(CRITICAL);
  });

  test("a replacement destroys too, in either order, and what forces it is the evidence", () => {
    for (const actions of [DESTROY_FIRST, CREATE_FIRST]) {
      const [flag, baseline, strict] = CRITICAL;
      expect(said("R01", replace("aws_db_instance", actions))).toEqual([flag, baseline, strict, [["name"]]]);
    }
  });

  test.each<[string, Given, Seen | undefined]>([
    [
      "an instance whose root volume goes with it may",
      remove("aws_instance", { root_block_device: [{ delete_on_termination: true }] }),
      [...MAYBE, [["root_block_device"]]],
    ],
    [
      "an instance with an instance store may",
      remove("aws_instance", { ephemeral_block_device: [{ device_name: "b" }] }),
      [...MAYBE, [["ephemeral_block_device"]]],
    ],
    [
      "an instance whose root volume stays doesn't",
      remove("aws_instance", { root_block_device: [{ delete_on_termination: false }] }),
      undefined,
    ],
    [
      "an unknown provider's type with backups may",
      remove("acme_database", { backup_window: "1h" }),
      [...MAYBE, [["backup_window"]]],
    ],
    [
      "an unknown provider's type with protection may",
      remove("acme_database", { deletion_protection: null }),
      [...MAYBE, [["deletion_protection"]]],
    ],
    [
      "an unknown provider's type without such attributes doesn't",
      remove("acme_page", { title: "x" }),
      undefined,
    ],
    [
      "a known provider's other type with such an attribute doesn't",
      remove("aws_lb", { retention_days: 3 }),
      undefined,
    ],
    ["a Datadog monitor doesn't", remove("datadog_monitor", { retention_period: 3 }), undefined],
    ["a Helm release may have volumes", remove("helm_release"), ["maybe_stateful", "medium", "medium", []]],
    ["creating one destroys nothing", create("aws_db_instance"), undefined],
    ["updating one destroys nothing", update("aws_db_instance", { a: 1 }, { a: 2 }), undefined],
  ])("%s", (_name, given, expected) => {
    expect(said("R01", given)).toEqual(expected);
  });

  test("a bucket whose force_destroy is false is as critical: the plan can't prove it empty", () => {
    expect(said("R01", remove("aws_s3_bucket", { force_destroy: false }))).toEqual(CRITICAL);
  });
});

test.each<[string, string, Given, Seen | undefined]>([
  ["R03", "a key", remove("aws_kms_key"), ["destroy_key_material", "critical", "critical", []]],
  ["R03", "a secret", remove("vault_kv_secret_v2"), ["destroy_key_material", "critical", "critical", []]],
  [
    "R03",
    "a secret's version",
    remove("google_secret_manager_secret_version"),
    ["destroy_key_material", "critical", "critical", []],
  ],
  [
    "R03",
    "a secret's version that a new one takes the place of",
    replace("google_secret_manager_secret_version", DESTROY_FIRST),
    undefined,
  ],
  [
    "R03",
    "a secret's version that gives way to one of another secret",
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
    "a key that is disabled",
    update("aws_kms_key", { is_enabled: true }, { is_enabled: false }),
    ["destroy_key_material", "critical", "critical", [["is_enabled"]]],
  ],
  [
    "R03",
    "a key whose deletion no longer waits",
    update("aws_kms_key", { deletion_window_in_days: 30 }, { deletion_window_in_days: 0 }),
    ["destroy_key_material", "critical", "critical", [["deletion_window_in_days"]]],
  ],
  [
    "R03",
    "a bucket named for states",
    remove("aws_s3_bucket", { bucket: "acme-tfstate-prod" }),
    ["destroy_key_material", "critical", "critical", []],
  ],
  ["R03", "a bucket named for estates", remove("aws_s3_bucket", { bucket: "acme-estates" }), undefined],
  [
    "R03",
    "a key that is enabled",
    update("aws_kms_key", { is_enabled: false }, { is_enabled: true }),
    undefined,
  ],
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
    "a zone that is replaced",
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
    "a load balancer of one fixed name",
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
    "a load balancer of another name",
    replace("aws_lb", CREATE_FIRST, { name: "a" }, { name: "b" }),
    ["replace_no_downtime", "medium", "medium", [["name"]]],
  ],
  ["R06", "a load balancer destroyed first", replace("aws_lb", DESTROY_FIRST), undefined],
  ["R17", "a load balancer that goes", remove("aws_lb"), ["destroy_serving", "high", "high", []]],
  ["R17", "a cache, which holds data", remove("aws_elasticache_cluster"), undefined],
  ["R17", "a load balancer that is replaced", replace("aws_lb", DESTROY_FIRST), undefined],
  ["R18", "a subnet", remove("aws_subnet"), ["destroy", "medium", "medium", []]],
  ["R18", "a type that nobody knows", remove("acme_page"), ["destroy", "medium", "medium", []]],
  [
    "R18",
    "a subnet that is replaced",
    replace("aws_subnet", CREATE_FIRST),
    ["destroy", "medium", "medium", [["name"]]],
  ],
  ["R18", "a database, of which R01 speaks", remove("aws_db_instance"), undefined],
  [
    "R22",
    "a subnet that leaves the state",
    { type: "aws_subnet", actions: ["forget"] },
    ["orphaned", "low", "low", []],
  ],
  [
    "R22",
    "a database that leaves the state",
    { type: "aws_db_instance", actions: ["forget"] },
    ["orphaned", "medium", "medium", []],
  ],
  ["R22", "a subnet that is deleted", remove("aws_subnet"), undefined],
])("%s and %s", (rule, _name, given, expected) => {
  expect(said(rule, given)).toEqual(expected);
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
])("%s is only deleted once it is empty, and takes no data with it", (type) => {
  expect(findings([remove(type)]).map(({ rule, risk_level }) => [rule, risk_level])).toEqual([
    ["R18", "medium"],
  ]);
});

test("replacing what holds data and serves is critical: R01 wins over R05", () => {
  const levels = findings([replace("aws_elasticache_cluster", DESTROY_FIRST)]).map(({ rule, risk_level }) => [
    rule,
    risk_level,
  ]);
  expect(levels).toContainEqual(["R01", "critical"]);
  expect(levels).toContainEqual(["R05", "high"]);
  expect(levels[0]).toEqual(["R01", "critical"]);
});

test("a message says what forces a replacement", () => {
  const given = {
    ...replace("aws_lb", DESTROY_FIRST),
    change: { replace_paths: [["subnet_mapping", 0, "subnet_id"]] },
  };
  const [finding] = findings([given]);
  expect(finding?.message).toEndWith("; subnet_mapping.subnet_id forces it.");
  expect(finding?.replace_paths).toEqual([["subnet_mapping", 0, "subnet_id"]]);
});
