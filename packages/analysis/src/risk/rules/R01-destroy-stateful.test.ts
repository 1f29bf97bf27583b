import { describe, expect, test } from "bun:test";

import { TYPE_FACTS } from "@leeway/clouds/type-facts.gen";

import {
  CREATE_FIRST,
  DESTROY_FIRST,
  create,
  remove,
  replace,
  findingBy,
  update,
  type Given,
  type Rating,
  type RatedFinding,
} from "../change.fixture.ts";
import { lossOf } from "../loss.ts";
import { names } from "../tables/table.ts";

const CRITICAL: RatedFinding = ["destroy_stateful", "critical", "critical", []];
const MAYBE: Rating = ["maybe_stateful", "high", "high"];

describe("R01, destroyed data", () => {
  const stateful = names(TYPE_FACTS.losing.stateful).filter((type) => lossOf(type) === "stateful");
  test.each(stateful)("%s holds data", (type) => {
    expect(findingBy("R01", remove(type))).toEqual(CRITICAL);
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
  ])("%s holds data, though no attribute shows it", (type) => {
    expect(findingBy("R01", remove(type, { name: "a" }))).toEqual(CRITICAL);
  });

  test("a replacement destroys data in either order and has its cause as evidence", () => {
    for (const actions of [DESTROY_FIRST, CREATE_FIRST]) {
      const [flag, lenient, standard] = CRITICAL;
      expect(findingBy("R01", replace("aws_db_instance", actions))).toEqual([
        flag,
        lenient,
        standard,
        [["name"]],
      ]);
    }
  });

  test.each<[string, Given, RatedFinding | undefined]>([
    [
      "an instance whose root volume is deleted with it may hold data",
      remove("aws_instance", { root_block_device: [{ delete_on_termination: true }] }),
      [...MAYBE, [["root_block_device"]]],
    ],
    [
      "an instance with an instance store may hold data",
      remove("aws_instance", { ephemeral_block_device: [{ device_name: "b" }] }),
      [...MAYBE, [["ephemeral_block_device"]]],
    ],
    [
      "an instance whose root volume is kept holds no data",
      remove("aws_instance", { root_block_device: [{ delete_on_termination: false }] }),
      undefined,
    ],
    [
      "an unknown type with backups may hold data",
      remove("acme_database", { backup_window: "1h" }),
      [...MAYBE, [["backup_window"]]],
    ],
    [
      "an unknown type with deletion protection may hold data",
      remove("acme_database", { deletion_protection: null }),
      [...MAYBE, [["deletion_protection"]]],
    ],
    ["an unknown type without such attributes holds no data", remove("acme_page", { title: "x" }), undefined],
    [
      "another type of a known provider with such an attribute holds no data",
      remove("aws_lb", { retention_days: 3 }),
      undefined,
    ],
    ["a Datadog monitor holds no data", remove("datadog_monitor", { retention_period: 3 }), undefined],
    ["a Helm release may have volumes", remove("helm_release"), ["maybe_stateful", "medium", "high", []]],
    ["creating one destroys nothing", create("aws_db_instance"), undefined],
    ["updating one destroys nothing", update("aws_db_instance", { a: 1 }, { a: 2 }), undefined],
  ])("%s", (_name, given, expected) => {
    expect(findingBy("R01", given)).toEqual(expected);
  });

  test("a bucket with force_destroy false is critical, because the plan can't prove it empty", () => {
    expect(findingBy("R01", remove("aws_s3_bucket", { force_destroy: false }))).toEqual(CRITICAL);
  });
});
