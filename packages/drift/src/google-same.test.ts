import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { changesIn, startup, RUN, RUN_LIVE } from "./google.fixture.ts";

const COMPUTE = "https://www.googleapis.com/compute/v1/";
const KEY = "projects/p/locations/eu/keyRings/r/cryptoKeys/k";
const SCHEDULER = { "User-Agent": "Google-Cloud-Scheduler" };
const AUTO_UPGRADE = [{ auto_upgrade: true }];
const STORED = (bucket: string) => [{ storage_source: [{ bucket, object: "app.zip" }] }];

describe("a value that Google writes in another form is unchanged", () => {
  test.each<[fact: string, type: string, declared: JsonObject, live: JsonObject]>([
    ["a duration", "google_cloudfunctions_function", { timeout: 60 }, { timeout: "60s" }],
    [
      "a boolean that Terraform writes as text",
      "google_org_policy_policy",
      { spec: [{ rules: [{ allow_all: "", deny_all: "", enforce: "TRUE", condition: [], values: [] }] }] },
      { spec: { rules: [{ enforce: true }] } },
    ],
    [
      "a boolean of nodes that Terraform writes as text",
      "google_container_cluster",
      {
        node_pool_auto_config: [
          { node_kubelet_config: [{ insecure_kubelet_readonly_port_enabled: "FALSE" }] },
        ],
      },
      { nodePoolAutoConfig: { nodeKubeletConfig: { insecureKubeletReadonlyPortEnabled: false } } },
    ],
    [
      "the time of a policy's last update",
      "google_org_policy_policy",
      { spec: [{ etag: "a", inherit_from_parent: true, update_time: "2026-01-01T00:00:00Z" }] },
      { spec: { etag: "b", inheritFromParent: true, updateTime: "2026-02-01T00:00:00Z" } },
    ],
    [
      "the provisioning state of a certificate",
      "google_certificate_manager_certificate",
      {
        managed: [
          {
            domains: ["example.com"],
            state: "PROVISIONING",
            provisioning_issue: [{ details: "", reason: "AUTHORIZATION_ISSUE" }],
            authorization_attempt_info: [{ domain: "example.com", state: "AUTHORIZING" }],
          },
        ],
      },
      {
        managed: {
          domains: ["example.com"],
          state: "ACTIVE",
          provisioningIssue: {},
          authorizationAttemptInfo: [{ domain: "example.com", state: "AUTHORIZED" }],
        },
      },
    ],
    [
      "vulnerability scanning inherited from the project",
      "google_artifact_registry_repository",
      {
        vulnerability_scanning_config: [
          {
            enablement_config: "INHERITED",
            enablement_state: "SCANNING_DISABLED",
            enablement_state_reason: "API isn't enabled",
          },
        ],
      },
      {
        vulnerabilityScanningConfig: {
          enablementConfig: "INHERITED",
          enablementState: "SCANNING_ACTIVE",
          enablementStateReason: "",
        },
      },
    ],
    [
      "new replicas of a database",
      "google_sql_database_instance",
      { replica_names: [] },
      { replicaNames: ["shop:replica"] },
    ],
    [
      "the used capacity of a volume",
      "google_netapp_volume",
      { capacity_gib: "100", used_gib: "1" },
      { capacityGib: "100", usedGib: "5" },
    ],
    [
      "1000 millicores and one CPU",
      "google_cloud_run_v2_service",
      { template: [{ containers: [{ resources: [{ limits: { cpu: "1000m", memory: "512Mi" } }] }] }] },
      { template: { containers: [{ resources: { limits: { cpu: "1", memory: "512Mi" } } }] } },
    ],
    [
      "a variable that Cloud Functions sets",
      "google_cloudfunctions2_function",
      { service_config: [{ environment_variables: { STAGE: "prod" } }] },
      { serviceConfig: { environmentVariables: { STAGE: "prod", LOG_EXECUTION_ID: "true" } } },
    ],
    ["a zero duration", "google_pubsub_x", { delay: 0 }, { delay: "0s" }],
    [
      "an unset enum",
      "google_compute_subnetwork",
      { stack_type: "" },
      { stackType: "UNSPECIFIED_STACK_TYPE" },
    ],
    [
      "an unset network tier",
      "google_compute_global_forwarding_rule",
      { network_tier: null },
      { networkTier: "INVALID_NETWORK_TIER" },
    ],
    [
      "an unset enum in a block",
      "google_artifact_registry_repository",
      { maven_config: [{ version_policy: null }] },
      { mavenConfig: { versionPolicy: "VERSION_POLICY_UNSPECIFIED" } },
    ],
    [
      "an enum in capitals",
      "google_dns_managed_zone",
      {
        forwarding_config: [
          { target_name_servers: [{ ipv4_address: "10.0.0.1", forwarding_path: "private" }] },
        ],
      },
      { forwardingConfig: { targetNameServers: [{ ipv4Address: "10.0.0.1", forwardingPath: "PRIVATE" }] } },
    ],
    [
      "a cluster's new endpoints and certificate",
      "google_container_cluster",
      {
        endpoint: "192.0.2.1",
        private_cluster_config: [
          { private_endpoint: "10.0.0.2", public_endpoint: "192.0.2.1", peering_name: "a" },
        ],
        control_plane_endpoints_config: [{ dns_endpoint_config: [{ endpoint: "a.gke.goog" }] }],
        master_auth: [{ cluster_ca_certificate: "YQ==" }],
      },
      {
        endpoint: "192.0.2.9",
        privateClusterConfig: { privateEndpoint: "10.0.0.9", publicEndpoint: "192.0.2.9", peeringName: "b" },
        controlPlaneEndpointsConfig: { dnsEndpointConfig: { endpoint: "b.gke.goog" } },
        masterAuth: { clusterCaCertificate: "Yg==" },
      },
    ],
    [
      "the instance groups of a node pool",
      "google_container_node_pool",
      { instance_group_urls: [`${COMPUTE}projects/p/zones/a/instanceGroupManagers/one`] },
      { instanceGroupUrls: [`${COMPUTE}projects/p/zones/b/instanceGroupManagers/two`] },
    ],
    [
      "the scaling of a service, as Knative writes it",
      "google_cloud_run_v2_service",
      {
        template: [
          {
            scaling: [{ min_instance_count: 0, max_instance_count: 4 }],
            max_instance_request_concurrency: 80,
            timeout: "300s",
          },
        ],
      },
      {
        spec: {
          template: {
            metadata: { annotations: { "autoscaling.knative.dev/maxScale": "4" } },
            spec: { containerConcurrency: 80, timeoutSeconds: 300 },
          },
        },
      },
    ],
    [
      "a volume of which each API version lists only its own kind",
      "google_cloud_run_v2_service",
      {
        template: [
          {
            volumes: [{ name: "v", empty_dir: [{ medium: "MEMORY", size_limit: "1Gi" }], gcs: [], nfs: [] }],
          },
        ],
      },
      {
        template: {
          containers: [{ image: "i" }],
          volumes: [{ name: "v", emptyDir: { medium: "MEMORY", sizeLimit: "1Gi" } }],
        },
      },
    ],
    [
      "volumes that aren't in the response",
      "google_cloud_run_v2_service",
      { template: [{ volumes: [{ name: "v", gcs: [{ bucket: "b" }] }] }] },
      { spec: { template: { spec: { containers: [{ image: "i" }] } } } },
    ],
    [
      "a project number",
      "google_pubsub_subscription",
      { topic: "projects/shop/topics/t" },
      { topic: "projects/260375416303/topics/t" },
    ],
    [
      "a key version",
      "google_compute_disk",
      { disk_encryption_key: [{ kms_key_self_link: KEY }] },
      { diskEncryptionKey: { kmsKeyName: `${KEY}/cryptoKeyVersions/3` } },
    ],
    [
      "a template with its unique id",
      "google_compute_instance_group_manager",
      { version: [{ instance_template: "projects/p/global/instanceTemplates/t?uniqueId=7" }] },
      { versions: [{ instanceTemplate: `${COMPUTE}projects/p/global/instanceTemplates/t` }] },
    ],
    [
      "a replica's master",
      "google_sql_database_instance",
      { master_instance_name: "db" },
      { masterInstanceName: "shop:db" },
    ],
    [
      "a startup script in a separate attribute",
      "google_compute_instance",
      { metadata: { env: "prod" }, metadata_startup_script: "run" },
      { metadata: startup("run") },
    ],
    [
      "an instance from a template",
      "google_compute_instance_from_template",
      { metadata: { env: "prod", "startup-script": "run" }, tags: ["web"] },
      {
        metadata: { kind: "compute#metadata", ...startup("run") },
        tags: { fingerprint: "x", items: ["web"] },
      },
    ],
    [
      "a protected table",
      "google_bigtable_table",
      { deletion_protection: "PROTECTED" },
      { deletionProtection: true },
    ],
    [
      "policies keyed by name",
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
      "a map instead of a set",
      "google_apigee_x",
      { hubs: [{ region: "a" }, { region: "b" }] },
      { hubs: { a: { region: "a" }, b: { region: "b" } } },
    ],
    [
      "disabled logs",
      "google_compute_subnetwork",
      { log_config: [] },
      { logConfig: { enable: false, metadata: "X" } },
    ],
    [
      "no authorized networks",
      "google_container_cluster",
      { master_authorized_networks_config: [] },
      { masterAuthorizedNetworksConfig: { gcpPublicCidrsAccessEnabled: true } },
    ],
    [
      "authorized networks as newer clusters list them",
      "google_container_cluster",
      { master_authorized_networks_config: [{ cidr_blocks: [{ cidr_block: "10.0.0.0/8" }] }] },
      {
        masterAuthorizedNetworksConfig: {},
        controlPlaneEndpointsConfig: {
          ipEndpointsConfig: {
            authorizedNetworksConfig: { enabled: true, cidrBlocks: [{ cidrBlock: "10.0.0.0/8" }] },
          },
        },
      },
    ],
    [
      "the zones of a cluster's nodes",
      "google_container_cluster",
      { location: "z-a", node_locations: ["z-b"] },
      { locations: ["z-a", "z-b"] },
    ],
    [
      "the instances of a pool",
      "google_compute_target_pool",
      { instances: ["z-a/i"] },
      { instances: [`${COMPUTE}projects/p/zones/z-a/instances/i`] },
    ],
    [
      "a cluster without a release channel",
      "google_container_cluster",
      { release_channel: [{ channel: "UNSPECIFIED" }] },
      { releaseChannel: {} },
    ],
    [
      "a public endpoint as newer clusters list it",
      "google_container_cluster",
      { private_cluster_config: [{ enable_private_endpoint: false, enable_private_nodes: true }] },
      {
        privateClusterConfig: {},
        networkConfig: { defaultEnablePrivateNodes: true },
        controlPlaneEndpointsConfig: { ipEndpointsConfig: { enablePublicEndpoint: true } },
      },
    ],
    [
      "uniform bucket access under its former name",
      "google_storage_bucket",
      { uniform_bucket_level_access: true },
      { iamConfiguration: { bucketPolicyOnly: { enabled: true } } },
    ],
    [
      "a service's ingress as Cloud Asset Inventory lists it",
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

describe("a change that Google makes itself isn't reported", () => {
  test.each<[fact: string, type: string, declared: JsonObject, live: JsonObject]>([
    [
      "a key's latest version",
      "google_kms_crypto_key",
      { primary: [{ name: "1" }] },
      { primary: { name: "2" } },
    ],
    [
      "the users of a disk",
      "google_compute_disk",
      { users: [] },
      { users: [`${COMPUTE}projects/p/zones/z/instances/i`] },
    ],
    [
      "the start of a bucket's soft delete policy",
      "google_storage_bucket",
      {
        soft_delete_policy: [{ retention_duration_seconds: 604_800, effective_time: "2024-01-01T00:00:00Z" }],
      },
      { softDeletePolicy: { retentionDurationSeconds: "604800", effectiveTime: "2024-02-01T00:00:00Z" } },
    ],
    ["the last update of a bucket", "google_storage_bucket", { updated: "2024" }, { updated: "2025" }],
    [
      "the architecture of a disk that declares none",
      "google_compute_disk",
      { architecture: null },
      { architecture: "X86_64" },
    ],
    ["the size of an instance group", "google_compute_instance_group", { size: 1 }, { size: 2 }],
    [
      "a range that Google chose",
      "google_redis_instance",
      { reserved_ip_range: null },
      { reservedIpRange: "10.0.0.0/29" },
    ],
    [
      "the next rotation of a secret",
      "google_secret_manager_secret",
      { rotation: [{ next_rotation_time: "2024-01-01T00:00:00Z", rotation_period: "1s" }] },
      { rotation: { nextRotationTime: "2025-01-01T00:00:00Z", rotationPeriod: "1s" } },
    ],
    [
      "a label that Google added",
      "google_container_cluster",
      { resource_labels: { a: "1" }, effective_labels: { a: "1" } },
      { resourceLabels: { a: "1", "goog-x": "2" } },
    ],
    [
      "the client that deployed a service, in its annotations",
      "google_cloud_run_service",
      { metadata: [RUN] },
      { metadata: RUN_LIVE },
    ],
    [
      "the client that deployed a service",
      "google_cloud_run_v2_service",
      { client: "terraform", client_version: null },
      { client: "gcloud", clientVersion: "500.0.0" },
    ],
    [
      "the address of an instance after a restart",
      "google_compute_instance",
      {
        network_interface: [
          { network_ip: "10.0.0.2", access_config: [{ nat_ip: "203.0.113.1", network_tier: "PREMIUM" }] },
        ],
      },
      {
        networkInterfaces: [
          { networkIP: "10.0.0.2", accessConfigs: [{ natIP: "203.0.113.9", networkTier: "PREMIUM" }] },
        ],
      },
    ],
    [
      "a header that Cloud Scheduler adds",
      "google_cloud_scheduler_job",
      { http_target: [{ uri: "u", headers: {} }] },
      { httpTarget: { uri: "u", headers: SCHEDULER } },
    ],
    [
      "the bucket that Google copied a function to",
      "google_cloudfunctions2_function",
      { build_config: [{ runtime: "go", source: STORED("mine") }] },
      {
        buildConfig: {
          runtime: "go",
          source: { storageSource: { bucket: "gcf-v2-sources-1", object: "x" } },
        },
      },
    ],
    [
      "taints and labels that Google adds to nodes",
      "google_container_node_pool",
      {
        node_config: [
          {
            taint: [
              { key: "example.com/team", value: "a", effect: "NO_SCHEDULE" },
              { key: "team", value: "a", effect: "NO_SCHEDULE" },
            ],
            labels: { team: "a" },
          },
        ],
      },
      {
        config: {
          taints: [
            { key: "nvidia.com/gpu", value: "present", effect: "NO_SCHEDULE" },
            { key: "team", value: "a", effect: "NO_SCHEDULE" },
            { key: "example.com/team", value: "a", effect: "NO_SCHEDULE" },
          ],
          labels: { team: "a", "cloud.google.com/gke-gpu": "true" },
        },
      },
    ],
    [
      "nodes without taints and labels",
      "google_container_node_pool",
      { node_config: [{ taint: null, labels: {} }] },
      { config: { machineType: "e2-small" } },
    ],
    [
      "taints and labels missing from a summary",
      "google_container_node_pool",
      {
        node_config: [{ taint: [{ key: "team", value: "a", effect: "NO_SCHEDULE" }], labels: { team: "a" } }],
      },
      { assetType: "container.googleapis.com/NodePool", name: "//x" },
    ],
    [
      "nodes that are upgraded automatically",
      "google_container_node_pool",
      { version: "1.29", management: AUTO_UPGRADE },
      { version: "1.30", management: { autoUpgrade: true } },
    ],
    [
      "nodes added by an autoscaler",
      "google_spanner_instance",
      { num_nodes: 1, autoscaling_config: [{ autoscaling_limits: [] }] },
      { nodeCount: 3 },
    ],
    [
      "a disk that grows",
      "google_sql_database_instance",
      { settings: [{ disk_size: 10, disk_autoresize: true }] },
      { settings: { dataDiskSizeGb: "20", storageAutoResize: true } },
    ],
    [
      "Google's default OAuth client",
      "google_compute_backend_service",
      { iap: [{ enabled: true, oauth2_client_id: "" }] },
      { iap: { enabled: true, oauth2ClientId: "1-x.apps" } },
    ],
  ])("%s", (_, type, declared, live) => {
    expect(changesIn(type, declared, live)).toEqual([]);
  });
});
