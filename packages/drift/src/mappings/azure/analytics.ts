import { IDENTITY, PUBLIC_ACCESS, words } from "../../azure-shapes.ts";
import type { MappingTable } from "../../mapping.ts";
import { anyCase, row, switched } from "../../shapes.ts";

/** Azure types for querying and moving data; see `AZURE`. */
export const AZURE_ANALYTICS: MappingTable = {
  azurerm_kusto_cluster: {
    "sku.name": row("/sku.name", anyCase),
    "sku.capacity": "/sku.capacity",
    allowed_ip_ranges: "allowedIpRangeList",
    auto_stop_enabled: "enableAutoStop",
    disk_encryption_enabled: "enableDiskEncryption",
    outbound_network_access_restricted: row("restrictOutboundNetworkAccess", switched),
    purge_enabled: "enablePurge",
    streaming_ingestion_enabled: "enableStreamingIngest",
    ...PUBLIC_ACCESS,
    ...IDENTITY,
  },
  azurerm_databricks_workspace: {
    ...words({ sku: "/sku.name", network_security_group_rules_required: "requiredNsgRules" }),
    "custom_parameters.no_public_ip": "parameters.enableNoPublicIp.value",
    ...PUBLIC_ACCESS,
  },
  azurerm_synapse_workspace: {
    sql_administrator_login: "sqlAdministratorLogin",
    azuread_authentication_only: "azureADOnlyAuthentication",
    data_exfiltration_protection_enabled: "managedVirtualNetworkSettings.preventDataExfiltration",
    ...PUBLIC_ACCESS,
    ...IDENTITY,
  },
  azurerm_data_factory: { public_network_enabled: row("publicNetworkAccess", switched), ...IDENTITY },
};
