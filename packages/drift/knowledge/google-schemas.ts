/** APIs whose schemas have another name than the service. */
export const GOOGLE_APIS: ReadonlyMap<string, string> = new Map([
  ["identity.accesscontextmanager", "accesscontextmanager"],
  ["bigtable", "bigtableadmin"],
]);

/** Schemas whose name isn't the asset type's. */
export const GOOGLE_SCHEMAS: ReadonlyMap<string, string> = new Map([
  ["apikeys.googleapis.com/Key", "V2Key"],
  ["compute.googleapis.com/GlobalAddress", "Address"],
  ["compute.googleapis.com/GlobalForwardingRule", "ForwardingRule"],
  ["compute.googleapis.com/NetworkFirewallPolicyRule", "FirewallPolicyRule"],
  ["compute.googleapis.com/ProjectMetadata", "Project"],
  ["compute.googleapis.com/RegionBackendService", "BackendService"],
  ["compute.googleapis.com/RegionDisk", "Disk"],
  ["compute.googleapis.com/RegionNetworkFirewallPolicyRule", "FirewallPolicyRule"],
  ["logging.googleapis.com/Metric", "LogMetric"],
  ["sqladmin.googleapis.com/Instance", "DatabaseInstance"],
]);
