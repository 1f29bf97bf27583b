import { expect, test } from "bun:test";

import { findings, findingBy, update, type Given, type RatedFinding } from "../change.fixture.ts";

const MAJOR = ["stateful_disruptive_update", "medium", "high"] as const;
const MINOR = ["restart", "low", "medium"] as const;

test.each<[string, Given, RatedFinding | undefined]>([
  [
    "another class",
    update("aws_db_instance", { instance_class: "db.t3.small" }, { instance_class: "db.t3.large" }),
    ["stateful_disruptive_update", "medium", "high", [["instance_class"]]],
  ],
  [
    "another major version",
    update("aws_db_instance", { engine_version: "14.3" }, { engine_version: "15.1" }),
    ["stateful_disruptive_update", "medium", "high", [["engine_version"]]],
  ],
  [
    "another minor version",
    update("aws_db_instance", { engine_version: "14.3" }, { engine_version: "14.7" }),
    ["restart", "low", "medium", [["engine_version"]]],
  ],
  ...(
    [
      ["MySQL", "8.0.35", "8.4.3", MAJOR],
      ["MySQL with two numbers", "8.0", "8.4", MAJOR],
      ["MySQL with another patch", "8.0.35", "8.0.36", MINOR],
      ["MySQL without the patch number", "8.0.35", "8.0", undefined],
      ["an old PostgreSQL", "9.5.2", "9.6.1", MAJOR],
      ["MariaDB", "10.4.13", "10.11.3", MAJOR],
      ["Aurora with another patch", "8.0.mysql_aurora.3.04.0", "8.0.mysql_aurora.3.05.2", MINOR],
    ] as const
  ).map(([what, from, to, rating]): [string, Given, RatedFinding | undefined] => [
    `a version of ${what}`,
    update("aws_db_instance", { engine_version: from }, { engine_version: to }),
    rating && [...rating, [["engine_version"]]],
  ]),
  [
    "changes that apply immediately",
    update("aws_db_instance", { apply_immediately: false }, { apply_immediately: true }),
    ["stateful_disruptive_update", "medium", "high", [["apply_immediately"]]],
  ],
  [
    "a parameter group known after apply",
    update(
      "aws_rds_cluster",
      { db_cluster_parameter_group_name: "a" },
      {},
      { after_unknown: { db_cluster_parameter_group_name: true } },
    ),
    ["stateful_disruptive_update", "medium", "high", [["db_cluster_parameter_group_name"]]],
  ],
  [
    "another tier of a Google database",
    update("google_sql_database_instance", { settings: [{ tier: "a" }] }, { settings: [{ tier: "b" }] }),
    ["stateful_disruptive_update", "medium", "high", [["settings", 0, "tier"]]],
  ],
  [
    "another size of an Azure database",
    update("azurerm_postgresql_flexible_server", { sku_name: "a" }, { sku_name: "b" }),
    ["stateful_disruptive_update", "medium", "high", [["sku_name"]]],
  ],
  [
    "another backup window",
    update("aws_db_instance", { backup_window: "1" }, { backup_window: "2" }),
    undefined,
  ],
  [
    "another class of a resource without data",
    update("aws_instance", { instance_type: "a" }, { instance_type: "b" }),
    ["restart", "low", "medium", [["instance_type"]]],
  ],
  ...[
    ["aws_eks_cluster", "version", "1.29", "1.30"],
    ["azurerm_kubernetes_cluster", "kubernetes_version", "1.29.4", "1.30.0"],
    ["google_container_cluster", "min_master_version", "1.29.4-gke.1043002", "1.30.1-gke.1156000"],
  ].map(([type = "", attribute = "", before = "", after = ""]): [string, Given, RatedFinding] => [
    `another version of ${type}`,
    update(type, { [attribute]: before }, { [attribute]: after }),
    ["stateful_disruptive_update", "medium", "high", [[attribute]]],
  ]),
  [
    "a newer patch version of a cluster",
    update("azurerm_kubernetes_cluster", { kubernetes_version: "1.29.2" }, { kubernetes_version: "1.29.4" }),
    undefined,
  ],
])("R07: %s", (_name, given, expected) => {
  expect(findingBy("R07", given)).toEqual(expected);
});

test.each([
  ["waits for its maintenance window", { instance_class: "b" }, "medium"],
  ["is a version upgrade", { engine_version: "15.1" }, "high"],
] as const)("a database change that %s is %s", (_name, after, level) => {
  const before = { instance_class: "a", engine_version: "14.3", apply_immediately: false };
  const [finding] = findings([update("aws_db_instance", before, { ...before, ...after })], "standard");
  expect([finding?.rule, finding?.risk_level]).toEqual(["R07", level]);
});
