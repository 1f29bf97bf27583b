/** What a full scan calls. `assets.list` has all properties; the search stands in where it is denied. */
export const LIST_PERMISSION = "cloudasset.assets.listResource";
export const SEARCH_PERMISSION = "cloudasset.assets.searchAllResources";

/** Who may do what with each of them. */
export const POLICY_PERMISSION = "cloudasset.assets.listIamPolicy";

/** Tells who changed what; an account is read without it too. */
export const AUDIT_PERMISSION = "logging.logEntries.list";

/** The least privilege that a scan needs, for `gcloud iam roles create leeway --project=… --file=…`. */
export const gcpRole = {
  title: "Leeway",
  description: "Lists resources with their configuration, who may use and who changed them; reads no data.",
  stage: "GA",
  includedPermissions: [LIST_PERMISSION, SEARCH_PERMISSION, POLICY_PERMISSION, AUDIT_PERMISSION],
};
