import type { JsonObject } from "@leeway/shared/values/json";

import { dataKeyring, labelled, PROJECT } from "../estate/google.ts";

export const orgPolicy = (constraint: string, rules: JsonObject[], more: JsonObject = {}): JsonObject => ({
  id: `organizations/481920384756/policies/${constraint}`,
  name: `organizations/481920384756/policies/${constraint}`,
  parent: "organizations/481920384756",
  dry_run_spec: [],
  spec: [{ inherit_from_parent: false, reset: false, rules }],
  ...more,
});
export const KEYS = "iam.disableServiceAccountKeyCreation";
export const LOCATIONS = "gcp.resourceLocations";
export const enforced = [{ enforce: "TRUE", allow_all: "", deny_all: "", values: [] }];
export const locations = (...allowed_values: string[]): JsonObject[] => [
  { enforce: "", allow_all: "", deny_all: "", values: [{ allowed_values, denied_values: [] }] },
];
export const sink: JsonObject = {
  id: `projects/${PROJECT}/sinks/audit`,
  name: "audit",
  project: PROJECT,
  destination: "storage.googleapis.com/lumen-audit-logs",
  description: "",
  disabled: false,
  exclusions: [],
  filter: 'logName:"cloudaudit.googleapis.com"',
  unique_writer_identity: true,
  writer_identity: "serviceAccount:p481920-1@gcp-sa-logging.iam.gserviceaccount.com",
};
export const exclusion = (filter: string): JsonObject => ({
  name: "noise",
  project: PROJECT,
  description: "",
  disabled: false,
  filter,
});
export const perimeter = (status: JsonObject): JsonObject => ({
  id: "accessPolicies/830192/servicePerimeters/data",
  name: "accessPolicies/830192/servicePerimeters/data",
  parent: "accessPolicies/830192",
  title: "data",
  description: "",
  perimeter_type: "PERIMETER_TYPE_REGULAR",
  use_explicit_dry_run_spec: false,
  spec: [],
  status: [
    {
      access_levels: ["accessPolicies/830192/accessLevels/office"],
      resources: ["projects/481920384756"],
      restricted_services: ["bigquery.googleapis.com", "storage.googleapis.com"],
      ingress_policies: [],
      egress_policies: [],
      ...status,
    },
  ],
});
export const keyVersion = (state: string): JsonObject => ({
  id: `${dataKeyring}/cryptoKeys/ledger/cryptoKeyVersions/4`,
  name: `${dataKeyring}/cryptoKeys/ledger/cryptoKeyVersions/4`,
  crypto_key: `${dataKeyring}/cryptoKeys/ledger`,
  algorithm: "GOOGLE_SYMMETRIC_ENCRYPTION",
  protection_level: "HSM",
  state,
});
export const GITHUB_OIDC: JsonObject = {
  id: `projects/${PROJECT}/locations/global/workloadIdentityPools/ci/providers/github`,
  name: "projects/481920384756/locations/global/workloadIdentityPools/ci/providers/github",
  project: PROJECT,
  workload_identity_pool_id: "ci",
  workload_identity_pool_provider_id: "github",
  attribute_condition: 'assertion.repository_owner == "lumen-shop"',
  attribute_mapping: { "google.subject": "assertion.sub", "attribute.repository": "assertion.repository" },
  disabled: false,
  oidc: [{ issuer_uri: "https://token.actions.githubusercontent.com", allowed_audiences: [], jwks_json: "" }],
};
export const service = (disable_on_destroy: boolean): JsonObject => ({
  id: `${PROJECT}/bigquery.googleapis.com`,
  project: PROJECT,
  service: "bigquery.googleapis.com",
  disable_dependent_services: disable_on_destroy,
  disable_on_destroy,
});
export const secret: JsonObject = {
  id: `projects/${PROJECT}/secrets/stripe`,
  name: `projects/${PROJECT}/secrets/stripe`,
  project: PROJECT,
  secret_id: "stripe",
  expire_time: "",
  ttl: null,
  replication: [{ auto: [{ customer_managed_encryption: [] }] }],
  rotation: [],
  topics: [],
  version_aliases: {},
  ...labelled(),
};
