import { expect, test } from "bun:test";

import { replacingIn } from "./settable.ts";

test.each([
  ["CloudFormation's schema", "aws_db_instance", ["storage_encrypted"], ["storage_encrypted"]],
  ["Azure's documentation", "azurerm_mssql_database", ["collation"], ["collation"]],
  ["an element of a list", "aws_db_subnet_group", ["subnet_ids", 1], []],
  ["an attribute that is changed in place", "aws_db_instance", ["instance_class"], []],
  [
    "an attribute of a block that can partly be changed",
    "azurerm_kubernetes_cluster",
    ["network_profile", 0, "outbound_type"],
    [],
  ],
  ["an attribute that no table has", "aws_db_instance", ["nothing"], []],
  ["a type that no table has", "example_thing", ["name"], []],
])("by %s", (_, type, path, replacing) => {
  expect(replacingIn(type, [path, path])).toEqual(replacing);
});
