import type { JsonObject } from "@leeway/shared/values/json";

import type { Part } from "../../mapping.ts";

/** Returns a declared Azure resource with the live properties from Azure. */
export const given = (type: string, declared: JsonObject, properties: JsonObject, parts: Part[] = []) => ({
  type: `azurerm_${type}`,
  address: "x",
  declared,
  live: { properties, parts },
});

export const ROUTE = {
  name: "out",
  address_prefix: "0.0.0.0/0",
  next_hop_type: "VirtualAppliance",
  next_hop_in_ip_address: "10.0.0.4",
};
/** The same route as Azure writes it. */
export const LIVE_ROUTE = {
  provisioningState: "Succeeded",
  addressPrefix: "0.0.0.0/0",
  nextHopType: "VirtualAppliance",
  nextHopIpAddress: "10.0.0.4",
};
