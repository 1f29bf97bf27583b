import { expect, test } from "bun:test";

import { openCatalog } from "./catalog.ts";
import { terraformTypeFinder } from "./pulumi.ts";

const CATALOG = openCatalog(
  [
    "type\tnormalized\tterraform\tpath\tids\tname\tlosses\tlisted",
    "A\tother\tazurerm_key_vault_secret\t-\t-\t-\tother\tyes",
    "B\tother\tazurerm_virtual_machine_extension\t-\t-\t-\tother\tyes",
    "C\tother\tazurerm_subnet\t-\t-\t-\tother\tyes",
    "D\tother\trandom_password\t-\t-\t-\tother\tyes",
    "E\tother\tgithub_repository\t-\t-\t-\tother\tyes",
  ].join("\n"),
);

const find = terraformTypeFinder(
  CATALOG,
  new Map([["azure", "azurerm"]]),
  new Map([["compute", "virtualmachine"]]),
);

test.each([
  ["by module and name", "azure:keyvault/secret:Secret", "azurerm_key_vault_secret"],
  ["by a renamed module", "azure:compute/extension:Extension", "azurerm_virtual_machine_extension"],
  ["by its name only", "azure:network/subnet:Subnet", "azurerm_subnet"],
  ["by a name that contains the package", "random:index/randomPassword:RandomPassword", "random_password"],
  ["under the package's own name", "github:index/repository:Repository", "github_repository"],
])("a Pulumi type is found %s", (_, type, terraform) => {
  expect(find(type)).toBe(terraform);
});

test.each([
  "azurerm_subnet",
  "AWS::S3::Bucket",
  "azure:network/unheardOf:UnheardOf",
  "azure-native:network:Subnet",
  "",
  "a:b:c",
])("another type is returned unchanged: %p", (type) => {
  expect(find(type)).toBe(type);
});
