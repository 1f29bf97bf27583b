import type { CatalogEntry } from "../catalog.ts";
import { terraformTypeFinder } from "../pulumi.ts";
import { azureCatalog } from "./azure-catalog.ts";
import { PULUMI_NAMES } from "./pulumi-names.ts";

const PACKAGES = new Map([["azure", "azurerm"]]);

const MODULES = new Map([
  ["appservice", "webapp"],
  ["authorization", "role"],
  ["compute", "virtualmachine"],
  ["containerservice", "containerregistry"],
  ["desktopvirtualization", "virtualdesktop"],
  ["iot", "iothub"],
  ["logicapps", "logicapp"],
  ["monitoring", "monitor"],
  ["network", "virtualnetwork"],
  ["privatelink", "privateendpoint"],
  ["storage", "storageaccount"],
]);

const byName = terraformTypeFinder(azureCatalog, PACKAGES, MODULES);

/** Returns the Terraform type of a type in Pulumi's `azure` and `azuread`; returns other types unchanged. */
export function terraformType(type: string): string {
  return PULUMI_NAMES.get(type) ?? byName(type);
}

/** Returns the Terraform type of a type in Pulumi's `azure` and `azuread`; undefined for other types. */
export function bridgedType(type: string): string | undefined {
  const own = terraformType(type);
  return own === type ? undefined : own;
}

/** Returns the catalog's entry for a declared type of any tool. */
export function declaredEntry(type: string): CatalogEntry | undefined {
  return azureCatalog.byTerraform(terraformType(type)) ?? azureCatalog.byType(type);
}
