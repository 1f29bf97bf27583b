import type { CatalogEntry } from "../catalog.ts";
import { terraformTypeFinder } from "../pulumi.ts";
import { azureCatalog } from "./azure-catalog.ts";

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

/** The Terraform type behind a type of Pulumi's `azure` and `azuread`; any other type is itself. */
export const terraformType = terraformTypeFinder(azureCatalog, PACKAGES, MODULES);

/** The Terraform type behind a type of Pulumi's `azure` and `azuread`. */
export function bridgedType(type: string): string | undefined {
  const found = terraformType(type);
  return found === type ? undefined : found;
}

/** What the catalog knows of a declared type of any tool. */
export function declaredEntry(type: string): CatalogEntry | undefined {
  return azureCatalog.byTerraform(terraformType(type)) ?? azureCatalog.byType(type);
}
