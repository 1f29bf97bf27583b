import { expect, test } from "bun:test";

import {
  create,
  remove,
  replace,
  findingBy,
  update,
  DESTROY_FIRST,
  type Given,
  type Rating,
  type RatedFinding,
} from "../change.fixture.ts";

const parameter = (name: string, value: string) => ({ name, value });

const audit: Rating = ["audit_weakened", "medium", "high"];
test.each<[string, Given, RatedFinding | undefined]>([
  ["a deleted trail", remove("aws_cloudtrail"), [...audit, []]],
  [
    "a stopped trail",
    update("aws_cloudtrail", { enable_logging: true }, { enable_logging: false }),
    [...audit, [["enable_logging"]]],
  ],
  [
    "a started trail",
    update("aws_cloudtrail", { enable_logging: false }, { enable_logging: true }),
    undefined,
  ],
  ["deleted flow logs", remove("aws_flow_log"), [...audit, []]],
  ["replaced flow logs", replace("aws_flow_log", DESTROY_FIRST), undefined],
  [
    "a disabled detector",
    update("aws_guardduty_detector", { enable: true }, { enable: false }),
    [...audit, [["enable"]]],
  ],
  ["deleted diagnostic settings", remove("azurerm_monitor_diagnostic_setting"), [...audit, []]],
  [
    "a diagnostic setting that loses a log",
    update(
      "azurerm_monitor_diagnostic_setting",
      { enabled_log: [{ category: "a" }, { category: "b" }] },
      { enabled_log: [{ category: "a" }] },
    ),
    [...audit, [["enabled_log", 1, "category"]]],
  ],
  [
    "a cluster that logs less",
    update(
      "aws_eks_cluster",
      { enabled_cluster_log_types: ["api", "audit"] },
      { enabled_cluster_log_types: ["api"] },
    ),
    [...audit, [["enabled_cluster_log_types"]]],
  ],
  [
    "a cluster that logs more",
    update(
      "aws_eks_cluster",
      { enabled_cluster_log_types: ["api"] },
      { enabled_cluster_log_types: ["audit", "api"] },
    ),
    undefined,
  ],
  [
    "a disabled sink",
    update("google_logging_project_sink", { disabled: false }, { disabled: true }),
    [...audit, [["disabled"]]],
  ],
  [
    "a bucket that loses its logging",
    update("aws_s3_bucket", { logging: [{ target_bucket: "a" }] }, { logging: [] }),
    [...audit, [["logging", 0, "target_bucket"]]],
  ],
  [
    "database parameters that no longer log connections",
    update(
      "aws_rds_cluster_parameter_group",
      { parameter: [parameter("log_connections", "1"), parameter("log_statement", "ddl")] },
      { parameter: [parameter("log_connections", "0"), parameter("log_statement", "none")] },
    ),
    [
      ...audit,
      [
        ["parameter", 0, "value"],
        ["parameter", 1, "value"],
      ],
    ],
  ],
  [
    "a Google database with another statement log setting",
    update(
      "google_sql_database_instance",
      { settings: [{ database_flags: [parameter("pgaudit.log", "all")] }] },
      { settings: [{ database_flags: [parameter("pgaudit.log", "ddl")] }] },
    ),
    undefined,
  ],
  ["a new trail", create("aws_cloudtrail", { enable_logging: false }), undefined],
])("R14: %s", (_name, given, expected) => {
  expect(findingBy("R14", given)).toEqual(expected);
});
