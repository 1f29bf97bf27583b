import { text } from "@leeway/shared/json";

import type { DeclaredResource, MatchKey } from "../cloud.ts";
import { attribute } from "../pulumi.ts";
import { declaredIdentity } from "./keys.ts";
import { terraformType } from "./terraform-type.ts";

/** Keys of the resource that has this one as a part, which Resource Graph shows with it. */
export function wholeKeys({ type: name, attributes }: DeclaredResource): MatchKey[] {
  const type = terraformType(name);
  if (type === "azurerm_network_security_rule") {
    return keysOf(
      "azurerm_network_security_group",
      text(attributes, "id")?.replace(/\/securityRules\/[^/]+$/i, ""),
    );
  }
  if (type !== "azurerm_virtual_network_dns_servers") return [];
  const network = attribute(attributes, "virtual_network_id");
  return keysOf("azurerm_virtual_network", typeof network === "string" ? network : undefined);
}

function keysOf(type: string, id: string | undefined): MatchKey[] {
  return id === undefined ? [] : declaredIdentity({ address: "", type, attributes: { id } }).keys;
}
