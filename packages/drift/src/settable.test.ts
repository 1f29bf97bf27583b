import { expect, test } from "bun:test";

import { replacingIn } from "./settable.ts";

test.each([
  ["CloudFormation's schema", "aws_db_instance", ["storage_encrypted"], "storage_encrypted"],
  ["Azure's documentation", "azurerm_mssql_database", ["collation"], "collation"],
  ["a list of which an element changed", "aws_acmpca_permission", ["actions", 1], "actions"],
])("another value replaces the resource according to %s", (_, type, path, name) => {
  expect(replacingIn(type, [path, path])).toEqual([name]);
});

test.each([
  ["that the cloud changes in place", "aws_db_instance", ["instance_class"]],
  [
    "in a block of which only parts are fixed",
    "azurerm_kubernetes_cluster",
    ["network_profile", 0, "outbound_type"],
  ],
  ["that no table has", "aws_db_instance", ["nothing"]],
  ["of a type that no table has", "example_thing", ["name"]],
])("nothing is said of an attribute %s", (_, type, path) => {
  expect(replacingIn(type, [path])).toEqual([]);
});
