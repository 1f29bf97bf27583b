import { expect, test } from "bun:test";

import { remove, findingBy, update, type Given, type Rating, type RatedFinding } from "../change.fixture.ts";

const capacity: Rating = ["capacity_reduction", "medium", "medium"];
const toZero: Rating = ["capacity_reduction", "medium", "high"];
test.each<[string, Given, RatedFinding | undefined]>([
  [
    "a service reduced from ten to four",
    update("aws_ecs_service", { desired_count: 10 }, { desired_count: 4 }),
    [...capacity, [["desired_count"]]],
  ],
  [
    "a service reduced from ten to five",
    update("aws_ecs_service", { desired_count: 10 }, { desired_count: 5 }),
    undefined,
  ],
  [
    "a service scaled to zero",
    update("aws_ecs_service", { desired_count: 1 }, { desired_count: 0 }),
    [...toZero, [["desired_count"]]],
  ],
  [
    "a deployment scaled to zero",
    update("kubernetes_deployment", { spec: [{ replicas: "2" }] }, { spec: [{ replicas: "0" }] }),
    [...toZero, [["spec", 0, "replicas"]]],
  ],
  [
    "a minimum of zero",
    update("aws_autoscaling_group", { min_size: 1 }, { min_size: 0 }),
    [...capacity, [["min_size"]]],
  ],
  [
    "a maximum of zero",
    update("aws_autoscaling_group", { max_size: 4 }, { max_size: 0 }),
    [...toZero, [["max_size"]]],
  ],
  ["a deleted node pool", remove("google_container_node_pool"), [...capacity, []]],
  [
    "an Azure scale set that shrinks",
    update("azurerm_linux_virtual_machine_scale_set", { instances: 9 }, { instances: 1 }),
    [...capacity, [["instances"]]],
  ],
  ["a group that grows", update("aws_autoscaling_group", { max_size: 1 }, { max_size: 4 }), undefined],
  [
    "a fully throttled function",
    update(
      "aws_lambda_function",
      { reserved_concurrent_executions: -1 },
      { reserved_concurrent_executions: 0 },
    ),
    [...toZero, [["reserved_concurrent_executions"]]],
  ],
  [
    "a function with reserved concurrency",
    update(
      "aws_lambda_function",
      { reserved_concurrent_executions: -1 },
      { reserved_concurrent_executions: 5 },
    ),
    undefined,
  ],
  [
    "a table that changes to on-demand billing",
    update(
      "aws_dynamodb_table",
      { billing_mode: "PROVISIONED", read_capacity: 5 },
      { billing_mode: "PAY_PER_REQUEST", read_capacity: 0 },
    ),
    undefined,
  ],
  [
    "a count known after apply",
    update("aws_ecs_service", { desired_count: 1 }, {}, { after_unknown: { desired_count: true } }),
    undefined,
  ],
  [
    "a database that gives up its standby",
    update("aws_db_instance", { multi_az: true }, { multi_az: false }),
    [...capacity, [["multi_az"]]],
  ],
  [
    "a database that gets a standby",
    update("aws_db_instance", { multi_az: false }, { multi_az: true }),
    undefined,
  ],
  [
    "an instance that is only in one zone from now on",
    update("google_alloydb_instance", { availability_type: "REGIONAL" }, { availability_type: "ZONAL" }),
    [...capacity, [["availability_type"]]],
  ],
  [
    "a database that isn't zone-redundant any more",
    update("azurerm_mssql_database", { zone_redundant: true }, { zone_redundant: false }),
    [...capacity, [["zone_redundant"]]],
  ],
  [
    "a cache that no longer fails over",
    update(
      "aws_elasticache_replication_group",
      { automatic_failover_enabled: true },
      { automatic_failover_enabled: false },
    ),
    [...capacity, [["automatic_failover_enabled"]]],
  ],
  [
    "a server without its zone-redundant standby",
    update(
      "azurerm_postgresql_flexible_server",
      { high_availability: [{ mode: "ZoneRedundant" }] },
      { high_availability: [] },
    ),
    [...capacity, [["high_availability", 0, "mode"]]],
  ],
])("R16: %s", (_name, given, expected) => {
  expect(findingBy("R16", given)).toEqual(expected);
});
