import { expect, test } from "bun:test";

import { told, type Change, type Pair } from "../told.fixture.ts";

const KEY = "projects/p/locations/eu/keyRings/r/cryptoKeys/k";
const POLICY = "https://www.googleapis.com/compute/v1/projects/p/global/securityPolicies/edge";
const SHIELD = { enable_integrity_monitoring: true, enable_secure_boot: true, enable_vtpm: true };
const POOL_ISSUER = "https://token.actions.githubusercontent.com";

test.each<[fact: string, given: Pair, changes: Change[], rule: string]>([
  [
    "anybody's pipeline may act as ours",
    {
      type: "google_iam_workload_identity_pool_provider",
      declared: {
        attribute_condition: "assertion.repository_owner == 'shop'",
        oidc: [{ issuer_uri: POOL_ISSUER }],
      },
      live: { oidc: { issuerUri: POOL_ISSUER } },
    },
    [["attribute_condition", ""]],
    "R12",
  ],
  [
    "tokens for anybody else do, too",
    {
      type: "google_iam_workload_identity_pool_provider",
      declared: { oidc: [{ issuer_uri: POOL_ISSUER, allowed_audiences: ["shop"] }] },
      live: { oidc: { issuerUri: POOL_ISSUER } },
    },
    [["oidc.0.allowed_audiences", []]],
    "R12",
  ],
  [
    "who was shut out comes in again",
    {
      type: "google_iam_workload_identity_pool",
      declared: { disabled: true },
      live: { displayName: "builds" },
    },
    [["disabled", false]],
    "R12",
  ],
  [
    "who was shut out comes in again",
    {
      type: "google_iam_workforce_pool",
      declared: { disabled: true },
      live: { displayName: "people" },
    },
    [["disabled", false]],
    "R12",
  ],
  [
    "anybody of another organization may act as ours",
    {
      type: "google_iam_workforce_pool_provider",
      declared: { attribute_condition: "'ops' in assertion.groups", disabled: false },
      live: { displayName: "people" },
    },
    [["attribute_condition", ""]],
    "R12",
  ],
  [
    "new tables have no key of ours",
    {
      type: "google_bigquery_dataset",
      declared: { default_encryption_configuration: [{ kms_key_name: KEY }] },
      live: { location: "EU" },
    },
    [["default_encryption_configuration.0.kms_key_name", ""]],
    "R13",
  ],
  [
    "nobody sees any more who asked for which name",
    { type: "google_dns_policy", declared: { enable_logging: true }, live: { name: "all" } },
    [["enable_logging", false]],
    "R14",
  ],
  [
    "nor in a zone",
    {
      type: "google_dns_managed_zone",
      declared: { cloud_logging_config: [{ enable_logging: true }] },
      live: { dnsName: "example.com." },
    },
    [["cloud_logging_config.0.enable_logging", false]],
    "R14",
  ],
  [
    "nor who goes out by an address of ours",
    {
      type: "google_compute_router_nat",
      declared: { log_config: [{ enable: true, filter: "ALL" }] },
      live: { name: "out", natIpAllocateOption: "AUTO_ONLY" },
    },
    [["log_config.0.enable", false]],
    "R14",
  ],
  [
    "a bucket's front lets in everybody",
    {
      type: "google_compute_backend_bucket",
      declared: { edge_security_policy: POLICY },
      live: { bucketName: "b" },
    },
    [["edge_security_policy", ""]],
    "R08",
  ],
  [
    "a service's does",
    {
      type: "google_compute_backend_service",
      declared: { edge_security_policy: POLICY },
      live: { protocol: "HTTPS" },
    },
    [["edge_security_policy", ""]],
    "R08",
  ],
  [
    "nothing keeps floods out",
    {
      type: "google_compute_security_policy",
      declared: { adaptive_protection_config: [{ layer_7_ddos_defense_config: [{ enable: true }] }] },
      live: { rules: [{ priority: 1, action: "allow" }] },
    },
    [["adaptive_protection_config.0.layer_7_ddos_defense_config.0.enable", false]],
    "R08",
  ],
  [
    "a machine starts whatever it finds",
    {
      type: "google_compute_instance",
      declared: { shielded_instance_config: [SHIELD] },
      live: { shieldedInstanceConfig: {} },
    },
    Object.keys(SHIELD).map((name) => [`shielded_instance_config.0.${name}`, false]),
    "R23",
  ],
  [
    "messages are gone once they are read",
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
])("what Google leaves out is told to be off: %s", (_, given, changes, rule) => {
  expect(told(given)).toMatchObject({ changes, rules: expect.arrayContaining([rule]) });
  const summary = { assetType: "x", name: "//x" };
  expect(told({ ...given, live: summary }).changes).toEqual([]);
});
