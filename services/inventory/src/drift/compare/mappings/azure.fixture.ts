import type { JsonObject } from "@leeway/shared/json";

import type { Part } from "../mapping.ts";

/** A resource of Azure as it is declared, and the properties that Azure gives of it. */
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
/** The same as Azure writes it. */
export const LIVE_ROUTE = {
  provisioningState: "Succeeded",
  addressPrefix: "0.0.0.0/0",
  nextHopType: "VirtualAppliance",
  nextHopIpAddress: "10.0.0.4",
};
