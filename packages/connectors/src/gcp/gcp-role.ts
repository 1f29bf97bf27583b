/** Permissions for a full scan. `listResource` returns all properties; the search replaces it if it is denied. */
export const LIST_PERMISSION = "cloudasset.assets.listResource";
export const SEARCH_PERMISSION = "cloudasset.assets.searchAllResources";

/** Permission to read IAM policies. */
export const POLICY_PERMISSION = "cloudasset.assets.listIamPolicy";

/** Permission to see who changed a resource; optional. */
export const AUDIT_PERMISSION = "logging.logEntries.list";

/** Minimal role for a scan, for `gcloud iam roles create leeway --project=… --file=…`. */
export const gcpRole = {
  title: "Leeway",
  description: "Lists resources with their configuration, access policies and audit logs, but no data.",
  stage: "GA",
  includedPermissions: [LIST_PERMISSION, SEARCH_PERMISSION, POLICY_PERMISSION, AUDIT_PERMISSION],
};
