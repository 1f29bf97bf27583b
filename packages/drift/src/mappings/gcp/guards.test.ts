import { expect, test } from "bun:test";

import { detectDrift, type Change, type Pair } from "../../detect-drift.fixture.ts";

const KEY = "projects/p/locations/eu/keyRings/r/cryptoKeys/k";
const POLICY = "https://www.googleapis.com/compute/v1/projects/p/global/securityPolicies/edge";
const SHIELD = { enable_integrity_monitoring: true, enable_secure_boot: true, enable_vtpm: true };
const POOL_ISSUER = "https://token.actions.githubusercontent.com";

test.each<[fact: string, given: Pair, changes: Change[], rule: string]>([
  [
    "any pipeline can use a workload identity pool",
    {
      type: "google_iam_workload_identity_pool_provider",
      declared: {
        attribute_condition: "assertion.repository_owner == 'shop'",
        oidc: [{ issuer_uri: POOL_ISSUER }],
      },
      live: { oidc: { issuerUri: POOL_ISSUER } },
    },
    [["attribute_condition", ""]],
    "R11",
  ],
  [
    "tokens for any audience are accepted",
    {
      type: "google_iam_workload_identity_pool_provider",
      declared: { oidc: [{ issuer_uri: POOL_ISSUER, allowed_audiences: ["shop"] }] },
      live: { oidc: { issuerUri: POOL_ISSUER } },
    },
    [["oidc.0.allowed_audiences", []]],
    "R02",
  ],
  [
    "a disabled workload identity pool is enabled",
    {
      type: "google_iam_workload_identity_pool",
      declared: { disabled: true },
      live: { displayName: "builds" },
    },
    [["disabled", false]],
    "R12",
  ],
  [
    "a disabled workforce pool is enabled",
    {
      type: "google_iam_workforce_pool",
      declared: { disabled: true },
      live: { displayName: "people" },
    },
    [["disabled", false]],
    "R12",
  ],
  [
    "anyone of another organization can use a workforce pool",
    {
      type: "google_iam_workforce_pool_provider",
      declared: { attribute_condition: "'ops' in assertion.groups", disabled: false },
      live: { displayName: "people" },
    },
    [["attribute_condition", ""]],
    "R12",
  ],
  [
    "new tables have no customer-managed key",
    {
      type: "google_bigquery_dataset",
      declared: { default_encryption_configuration: [{ kms_key_name: KEY }] },
      live: { location: "EU" },
    },
    [["default_encryption_configuration.0.kms_key_name", ""]],
    "R13",
  ],
  [
    "DNS queries of a network aren't logged",
    { type: "google_dns_policy", declared: { enable_logging: true }, live: { name: "all" } },
    [["enable_logging", false]],
    "R14",
  ],
  [
    "DNS queries of a zone aren't logged",
    {
      type: "google_dns_managed_zone",
      declared: { cloud_logging_config: [{ enable_logging: true }] },
      live: { dnsName: "example.com." },
    },
    [["cloud_logging_config.0.enable_logging", false]],
    "R14",
  ],
  [
    "connections of a NAT gateway aren't logged",
    {
      type: "google_compute_router_nat",
      declared: { log_config: [{ enable: true, filter: "ALL" }] },
      live: { name: "out", natIpAllocateOption: "AUTO_ONLY" },
    },
    [["log_config.0.enable", false]],
    "R14",
  ],
  [
    "a backend bucket has no edge security policy",
    {
      type: "google_compute_backend_bucket",
      declared: { edge_security_policy: POLICY },
      live: { bucketName: "b" },
    },
    [["edge_security_policy", ""]],
    "R02",
  ],
  [
    "a backend service has no edge security policy",
    {
      type: "google_compute_backend_service",
      declared: { edge_security_policy: POLICY },
      live: { protocol: "HTTPS" },
    },
    [["edge_security_policy", ""]],
    "R02",
  ],
  [
    "a security policy has no DDoS protection",
    {
      type: "google_compute_security_policy",
      declared: { adaptive_protection_config: [{ layer_7_ddos_defense_config: [{ enable: true }] }] },
      live: { rules: [{ priority: 1, action: "allow" }] },
    },
    [["adaptive_protection_config.0.layer_7_ddos_defense_config.0.enable", false]],
    "R02",
  ],
  [
    "an instance has no secure boot",
    {
      type: "google_compute_instance",
      declared: { shielded_instance_config: [SHIELD] },
      live: { shieldedInstanceConfig: {} },
    },
    Object.keys(SHIELD).map((name) => [`shielded_instance_config.0.${name}`, false]),
    "R02",
  ],
  [
    "a topic doesn't retain messages",
    {
      type: "google_pubsub_topic",
      declared: { message_retention_duration: "86600s" },
      live: { name: "projects/p/topics/t" },
    },
    [["message_retention_duration", ""]],
    "R23",
  ],
  [
    "any image may run",
    {
      type: "google_cloud_run_v2_service",
      declared: { binary_authorization: [{ use_default: true }] },
      live: { template: { containers: [] } },
    },
    [["binary_authorization.0.use_default", false]],
    "R12",
  ],
])("a setting that Google omits is reported as off: %s", (_, given, changes, rule) => {
  expect(detectDrift(given)).toMatchObject({ changes, rules: expect.arrayContaining([rule]) });
  const summary = { assetType: "x", name: "//x" };
  expect(detectDrift({ ...given, live: summary }).changes).toEqual([]);
});
