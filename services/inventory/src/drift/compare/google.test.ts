import { describe, expect, test } from "bun:test";

import type { Json, JsonObject } from "@leeway/shared/json";

import { compareResource } from "./compare-resource.ts";

function changesIn(
  type: string,
  declared: JsonObject,
  properties: JsonObject,
): [path: string, after: unknown][] {
  const { changes } = compareResource({ type, address: `${type}.main`, declared, live: { properties } });
  return changes.map(({ path, after }) => [path.join("."), after]);
}

const COMPUTE = "https://www.googleapis.com/compute/v1/";
const KEY = "projects/p/locations/eu/keyRings/r/cryptoKeys/k";
const RUN_LIVE = {
  namespace: "260375416303",
  resourceVersion: "BBX",
  generation: 2,
  labels: { "cloud.googleapis.com/location": "europe-west1" },
  annotations: {
    "run.googleapis.com/ingress": "internal",
    "serving.knative.dev/lastModifier": "b@c",
    "run.googleapis.com/operation-id": "1",
  },
};

describe("what Google writes otherwise is the same", () => {
  test.each<[fact: string, type: string, declared: JsonObject, live: JsonObject]>([
    ["a duration", "google_cloudfunctions_function", { timeout: 60 }, { timeout: "60s" }],
    ["a duration of nothing", "google_pubsub_x", { delay: 0 }, { delay: "0s" }],
    [
      "an unset word",
      "google_compute_subnetwork",
      { stack_type: "" },
      { stackType: "UNSPECIFIED_STACK_TYPE" },
    ],
    [
      "an unset tier",
      "google_compute_global_forwarding_rule",
      { network_tier: null },
      { networkTier: "INVALID_NETWORK_TIER" },
    ],
    [
      "an unset word in a block",
      "google_artifact_registry_repository",
      { maven_config: [{ version_policy: null }] },
      { mavenConfig: { versionPolicy: "VERSION_POLICY_UNSPECIFIED" } },
    ],
    [
      "a word in capitals",
      "google_dns_managed_zone",
      {
        forwarding_config: [
          { target_name_servers: [{ ipv4_address: "10.0.0.1", forwarding_path: "private" }] },
        ],
      },
      { forwardingConfig: { targetNameServers: [{ ipv4Address: "10.0.0.1", forwardingPath: "PRIVATE" }] } },
    ],
    [
      "a project's number",
      "google_pubsub_subscription",
      { topic: "projects/shop/topics/t" },
      { topic: "projects/260375416303/topics/t" },
    ],
    [
      "the version of a key",
      "google_compute_disk",
      { disk_encryption_key: [{ kms_key_self_link: KEY }] },
      { diskEncryptionKey: { kmsKeyName: `${KEY}/cryptoKeyVersions/3` } },
    ],
    [
      "a template by its unique name",
      "google_compute_instance_group_manager",
      { version: [{ instance_template: "projects/p/global/instanceTemplates/t?uniqueId=7" }] },
      { versions: [{ instanceTemplate: `${COMPUTE}projects/p/global/instanceTemplates/t` }] },
    ],
    [
      "policies by their names",
      "google_artifact_registry_repository",
      {
        cleanup_policies: [
          { id: "a", action: "KEEP" },
          { id: "b", action: "DELETE" },
        ],
      },
      { cleanupPolicies: { a: { id: "a", action: "KEEP" }, b: { id: "b", action: "DELETE" } } },
    ],
    [
      "a map where Terraform has a set",
      "google_apigee_x",
      { hubs: [{ region: "a" }, { region: "b" }] },
      { hubs: { a: { region: "a" }, b: { region: "b" } } },
    ],
    [
      "logs that are off",
      "google_compute_subnetwork",
      { log_config: [] },
      { logConfig: { enable: false, metadata: "X" } },
    ],
    [
      "networks that nobody authorized",
      "google_container_cluster",
      { master_authorized_networks_config: [] },
      { masterAuthorizedNetworksConfig: { gcpPublicCidrsAccessEnabled: true } },
    ],
    [
      "a cluster in no channel",
      "google_container_cluster",
      { release_channel: [{ channel: "UNSPECIFIED" }] },
      { releaseChannel: {} },
    ],
    [
      "a service's ingress as the inventory tells it",
      "google_cloud_run_v2_service",
      { ingress: "INGRESS_TRAFFIC_INTERNAL_ONLY", template: [{ service_account: "a@b" }] },
      {
        metadata: { annotations: RUN_LIVE.annotations },
        spec: { template: { spec: { serviceAccountName: "a@b" } } },
      },
    ],
    [
      "a project's folder",
      "google_project",
      { folder_id: "10", org_id: "" },
      { parent: { type: "folder", id: "10" } },
    ],
    [
      "a project's folder by its path",
      "google_project",
      { folder_id: "10", org_id: null },
      { parent: "folders/10" },
    ],
  ])("%s", (_, type, declared, live) => {
    expect(changesIn(type, declared, live)).toEqual([]);
  });
});

describe("what changes by itself isn't told", () => {
  test.each<[fact: string, type: string, declared: JsonObject, live: JsonObject]>([
    [
      "a key's newest version",
      "google_kms_crypto_key",
      { primary: [{ name: "1" }] },
      { primary: { name: "2" } },
    ],
    [
      "who uses a disk",
      "google_compute_disk",
      { users: [] },
      { users: [`${COMPUTE}projects/p/zones/z/instances/i`] },
    ],
    ["when a bucket was last touched", "google_storage_bucket", { updated: "2024" }, { updated: "2025" }],
    [
      "a label that Google added",
      "google_container_cluster",
      { resource_labels: { a: "1" }, effective_labels: { a: "1" } },
      { resourceLabels: { a: "1", "goog-x": "2" } },
    ],
  ])("%s", (_, type, declared, live) => {
    expect(changesIn(type, declared, live)).toEqual([]);
  });
});

const EXPOSED = { networkInterfaces: [{ networkIP: "10.0.0.2", accessConfigs: [{ natIP: "203.0.113.7" }] }] };

describe("a change is told", () => {
  test.each<[fact: string, type: string, declared: JsonObject, live: JsonObject, changes: [string, Json][]]>([
    [
      "of an instance that became public",
      "google_compute_instance",
      { network_interface: [{ network_ip: "10.0.0.2", access_config: [] }] },
      EXPOSED,
      [["network_interface.0.access_config.0", { nat_ip: "203.0.113.7" }]],
    ],
    [
      "of a policy's rule",
      "google_compute_security_policy",
      { rule: [{ action: "deny(403)", priority: 1 }] },
      { rules: [{ action: "allow", priority: 1 }] },
      [["rule.0.action", "allow"]],
    ],
    [
      "of a private endpoint that became public",
      "google_container_cluster",
      { private_cluster_config: [{ enable_private_endpoint: true }] },
      { controlPlaneEndpointsConfig: { ipEndpointsConfig: { enablePublicEndpoint: true } } },
      [["private_cluster_config.0.enable_private_endpoint", false]],
    ],
    [
      "of nodes whose version is pinned",
      "google_container_node_pool",
      { version: "1.29", management: [{ auto_upgrade: false }] },
      { version: "1.30", management: {} },
      [["version", "1.30"]],
    ],
    [
      "of a disk that shrank",
      "google_sql_database_instance",
      { settings: [{ disk_size: 20, disk_autoresize: true }] },
      { settings: { dataDiskSizeGb: "10", storageAutoResize: true } },
      [["settings.0.disk_size", 10]],
    ],
    [
      "of another project's topic",
      "google_pubsub_subscription",
      { topic: "projects/shop/topics/t" },
      { topic: "projects/other/topics/t" },
      [["topic", "projects/other/topics/t"]],
    ],
  ])("%s", (...[, type, declared, live, changes]) => {
    expect(changesIn(type, declared, live)).toEqual(changes);
  });
});

test("a summary leaves out more than what is off", () => {
  const declared = { deletion_protection: true };
  const summary = { assetType: "compute.googleapis.com/Instance", name: "//compute.googleapis.com/x" };
  expect(changesIn("google_compute_instance", declared, summary)).toEqual([]);
  expect(changesIn("google_compute_instance", declared, { name: "x" })).toHaveLength(1);
});
