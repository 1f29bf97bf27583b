import { text } from "@leeway/shared/values/json";

import type { DeclaredResource, MatchKey } from "../cloud.ts";
import { attribute } from "../pulumi.ts";
import { declaredIdentity } from "./keys.ts";
import { terraformType } from "./terraform-type.ts";

/** Resource that contains a part, and the part's attribute with its id, by the part's type. */
const WHOLES: Readonly<Record<string, readonly [type: string, id: string]>> = {
  azurerm_virtual_network_dns_servers: ["azurerm_virtual_network", "virtual_network_id"],
  azurerm_subnet_nat_gateway_association: ["azurerm_subnet", "subnet_id"],
  azurerm_subnet_network_security_group_association: ["azurerm_subnet", "subnet_id"],
  azurerm_subnet_route_table_association: ["azurerm_subnet", "subnet_id"],
  azurerm_network_interface_security_group_association: ["azurerm_network_interface", "network_interface_id"],
  azurerm_storage_account_customer_managed_key: ["azurerm_storage_account", "storage_account_id"],
  azurerm_storage_account_network_rules: ["azurerm_storage_account", "storage_account_id"],
  azurerm_key_vault_access_policy: ["azurerm_key_vault", "key_vault_id"],
};

/** Containing resource, for parts whose id begins with its id. */
const CHILDREN: Readonly<Record<string, string>> = {
  azurerm_network_security_rule: "azurerm_network_security_group",
  azurerm_route: "azurerm_route_table",
  azurerm_subnet: "azurerm_virtual_network",
  azurerm_kubernetes_cluster_node_pool: "azurerm_kubernetes_cluster",
};

/** Returns keys of the resource that contains this part. Resource Graph shows the part inside it. */
export function wholeKeys({ type: name, attributes }: DeclaredResource): MatchKey[] {
  const type = terraformType(name);
  const child = CHILDREN[type];
  if (child !== undefined) return keysOf(child, text(attributes, "id")?.replace(/\/[^/]+\/[^/]+$/, ""));
  const [whole, idName] = WHOLES[type] ?? [];
  const id = idName === undefined ? undefined : attribute(attributes, idName);
  return whole === undefined || typeof id !== "string" ? [] : keysOf(whole, id);
}

function keysOf(type: string, id: string | undefined): MatchKey[] {
  return id === undefined ? [] : declaredIdentity({ address: "", type, attributes: { id } }).keys;
}
