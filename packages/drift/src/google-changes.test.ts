import { describe, expect, test } from "bun:test";

import type { Json, JsonObject } from "@leeway/shared/values/json";
import fc from "fast-check";

import { changesIn, startup, RUN, RUN_LIVE } from "./google.fixture.ts";
import { GCP } from "./mappings/gcp/gcp.ts";

const EXPOSED = { networkInterfaces: [{ networkIP: "10.0.0.2", accessConfigs: [{ natIP: "203.0.113.7" }] }] };

const RUN_SCALE = {
  template: [
    {
      scaling: [{ min_instance_count: 2, max_instance_count: 4 }],
      max_instance_request_concurrency: 80,
      timeout: "300s",
    },
  ],
};

describe("a change is reported", () => {
  test.each<[fact: string, type: string, declared: JsonObject, live: JsonObject, changes: [string, Json][]]>([
    [
      "of an instance that became public",
      "google_compute_instance",
      { network_interface: [{ network_ip: "10.0.0.2", access_config: [] }] },
      EXPOSED,
      [["network_interface.0.access_config.0", { nat_ip: "203.0.113.7" }]],
    ],
    [
      "of an instance that lost its address",
      "google_compute_instance",
      { network_interface: [{ network_ip: "10.0.0.2", access_config: [{ nat_ip: "203.0.113.7" }] }] },
      { networkInterfaces: [{ networkIP: "10.0.0.2", accessConfigs: [] }] },
      [["network_interface.0.access_config.0", null]],
    ],
    [
      "of a topic that lost its key",
      "google_pubsub_topic",
      { kms_key_name: "projects/p/locations/l/keyRings/r/cryptoKeys/k" },
      { name: "projects/p/topics/t" },
      [["kms_key_name", ""]],
    ],
    [
      "of a database without query insights",
      "google_sql_database_instance",
      { settings: [{ insights_config: [{ query_insights_enabled: true, query_string_length: 1024 }] }] },
      { settings: { tier: "db-f1-micro" } },
      [["settings.0.insights_config.0.query_insights_enabled", false]],
    ],
    [
      "of an instance with another service account",
      "google_compute_instance",
      { service_account: [] },
      { serviceAccounts: [{ email: "admin@p", scopes: [] }] },
      [["service_account.0", { email: "admin@p", scopes: [] }]],
    ],
    [
      "of an instance whose disk was detached",
      "google_compute_instance",
      {
        boot_disk: [{ device_name: "boot", source: "disks/vm" }],
        attached_disk: [
          {
            device_name: "data",
            source: "https://www.googleapis.com/compute/v1/projects/p/zones/z/disks/data",
          },
          {
            device_name: "logs",
            source: "https://www.googleapis.com/compute/v1/projects/p/zones/z/disks/logs",
          },
        ],
      },
      {
        disks: [
          { boot: true, deviceName: "boot", source: "projects/p/zones/z/disks/vm" },
          {
            deviceName: "other",
            source: "https://www.googleapis.com/compute/v1/projects/p/zones/z/disks/logs",
          },
          { deviceName: "csi", source: "https://www.googleapis.com/compute/v1/projects/p/zones/z/disks/csi" },
        ],
      },
      [["attached_disk.0", null]],
    ],
    [
      "of the scaling of a service, as Knative writes it",
      "google_cloud_run_v2_service",
      RUN_SCALE,
      {
        spec: {
          template: {
            metadata: { annotations: { "autoscaling.knative.dev/maxScale": "1" } },
            spec: { containerConcurrency: 1, timeoutSeconds: 30 },
          },
        },
      },
      [
        ["template.0.scaling.0.min_instance_count", 0],
        ["template.0.scaling.0.max_instance_count", 1],
        ["template.0.max_instance_request_concurrency", 1],
        ["template.0.timeout", "30s"],
      ],
    ],
    [
      "of a service that may scale to zero",
      "google_cloud_run_v2_service",
      RUN_SCALE,
      { template: { scaling: { maxInstanceCount: 4 }, maxInstanceRequestConcurrency: 80, timeout: "300s" } },
      [["template.0.scaling.0.min_instance_count", 0]],
    ],
    [
      "of a volume removed from a v1 service",
      "google_cloud_run_service",
      { template: [{ spec: [{ volumes: [{ name: "v", empty_dir: [{ medium: "Memory" }], csi: [] }] }] }] },
      { spec: { template: { spec: { containers: [{ image: "i" }] } } } },
      [["template.0.spec.0.volumes.0", null]],
    ],
    [
      "of a volume of another kind",
      "google_cloud_run_v2_service",
      { template: [{ volumes: [{ name: "v", cloud_sql_instance: [{ instances: ["p:r:i"] }], gcs: [] }] }] },
      { template: { containers: [{ image: "i" }], volumes: [{ name: "v", gcs: { bucket: "b" } }] } },
      [["template.0.volumes.0.cloud_sql_instance.0", null]],
    ],
    [
      "of a dataset that every authenticated user can read",
      "google_bigquery_dataset",
      { access: [{ role: "OWNER", special_group: "projectOwners" }] },
      { access: [{ role: "READER", specialGroup: "allAuthenticatedUsers" }] },
      [["access.1", { role: "READER", special_group: "allAuthenticatedUsers" }]],
    ],
    [
      "of an instance's startup script",
      "google_compute_instance",
      { metadata: { env: "prod" }, metadata_startup_script: "run" },
      { metadata: startup("rm") },
      [["metadata_startup_script", "[redacted]"]],
    ],
    [
      "of the metadata of a project",
      "google_compute_project_metadata",
      { metadata: { "enable-oslogin": "TRUE" } },
      { commonInstanceMetadata: { items: [{ key: "enable-oslogin", value: "FALSE" }] } },
      [["metadata.enable-oslogin", "FALSE"]],
    ],
    [
      "of a metadata item of a project",
      "google_compute_project_metadata_item",
      { key: "enable-oslogin", value: "TRUE" },
      { commonInstanceMetadata: { items: [{ key: "other", value: "1" }] } },
      [["value", ""]],
    ],
    [
      "of an instance that was stopped",
      "google_compute_instance",
      { desired_status: "RUNNING" },
      { status: "TERMINATED" },
      [["desired_status", "TERMINATED"]],
    ],
    [
      "of variables added to a function",
      "google_cloudfunctions2_function",
      { service_config: [{ environment_variables: { LOG_EXECUTION_ID: "false" } }] },
      { serviceConfig: { environmentVariables: { LOG_EXECUTION_ID: "true", PROXY: "evil.example" } } },
      [
        ["service_config.0.environment_variables.LOG_EXECUTION_ID", "true"],
        ["service_config.0.environment_variables.PROXY", "evil.example"],
      ],
    ],
    [
      "of half a CPU more",
      "google_cloud_run_v2_service",
      { template: [{ containers: [{ resources: [{ limits: { cpu: "1000m" } }] }] }] },
      { template: { containers: [{ resources: { limits: { cpu: "1500m" } } }] } },
      [["template.0.containers.0.resources.0.limits.cpu", "1500m"]],
    ],
    [
      "of a protocol written in another case",
      "google_compute_firewall",
      { allow: [{ protocol: "tcp", ports: [] }] },
      { allowed: [{ ipProtocol: "all" }] },
      [["allow.0.protocol", "all"]],
    ],
    [
      "of a rule of a security policy",
      "google_compute_security_policy",
      { rule: [{ action: "deny(403)", priority: 1 }] },
      { rules: [{ action: "allow", priority: 1 }] },
      [["rule.0.action", "allow"]],
    ],
    [
      "of flow logs that were turned off",
      "google_compute_subnetwork",
      { log_config: [{ flow_sampling: 0.5 }] },
      { logConfig: { enable: false, flowSampling: 0.5 } },
      [["log_config.0", null]],
    ],
    [
      "of a cluster's endpoint that was opened to every network",
      "google_container_cluster",
      { master_authorized_networks_config: [{ cidr_blocks: [{ cidr_block: "10.0.0.0/8" }] }] },
      { masterAuthorizedNetworksConfig: {} },
      [["master_authorized_networks_config.0", null]],
    ],
    [
      "of a private endpoint that became public",
      "google_container_cluster",
      { private_cluster_config: [{ enable_private_endpoint: true }] },
      { controlPlaneEndpointsConfig: { ipEndpointsConfig: { enablePublicEndpoint: true } } },
      [["private_cluster_config.0.enable_private_endpoint", false]],
    ],
    [
      "of a cluster that logs less",
      "google_container_cluster",
      { logging_config: [{ enable_components: ["SYSTEM_COMPONENTS"] }] },
      { loggingConfig: { componentConfig: {} } },
      [["logging_config.0.enable_components", []]],
    ],
    [
      "of nodes that lost a taint and changed labels",
      "google_container_node_pool",
      {
        node_config: [
          {
            taint: [{ key: "team", value: "a", effect: "NO_SCHEDULE" }],
            labels: { team: "a", "example.com/x": "1" },
          },
        ],
      },
      { config: { labels: { team: "b", "cloud.google.com/gke-boot-disk": "ssd" } } },
      [
        ["node_config.0.taint.0", null],
        ["node_config.0.labels.team", "b"],
        ["node_config.0.labels.example.com/x", null],
      ],
    ],
    [
      "of nodes with a new taint",
      "google_container_node_pool",
      { node_config: [{ taint: [] }] },
      { config: { taints: [{ key: "team", value: "a", effect: "NO_EXECUTE" }] } },
      [["node_config.0.taint.0", { key: "team", value: "a", effect: "NO_EXECUTE" }]],
    ],
    [
      "of nodes whose kubelet opened its read-only port, but not the labels that GKE adds",
      "google_container_node_pool",
      {
        node_config: [
          {
            kubelet_config: [{ insecure_kubelet_readonly_port_enabled: "FALSE", pod_pids_limit: 1024 }],
            resource_labels: {},
          },
        ],
      },
      {
        config: {
          kubeletConfig: { insecureKubeletReadonlyPortEnabled: true, podPidsLimit: "1024" },
          resourceLabels: { "goog-gke-node-pool-provisioning-model": "on-demand" },
        },
      },
      [["node_config.0.kubelet_config.0.insecure_kubelet_readonly_port_enabled", "TRUE"]],
    ],
    [
      "of nodes with a pinned version",
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
      "of DNSSEC that was turned off",
      "google_dns_managed_zone",
      { dnssec_config: [{ state: "on" }] },
      { dnssecConfig: { state: "OFF" } },
      [["dnssec_config.0.state", "off"]],
    ],
    [
      "of a service that was opened to the internet",
      "google_cloud_run_service",
      { metadata: [RUN] },
      { metadata: { ...RUN_LIVE, annotations: { "run.googleapis.com/ingress": "all" } } },
      [["metadata.0.annotations.run.googleapis.com/ingress", "all"]],
    ],
    [
      "of a service that doesn't check its invokers",
      "google_cloud_run_v2_service",
      { invoker_iam_disabled: false },
      { metadata: { annotations: { "run.googleapis.com/invoker-iam-disabled": "true" } } },
      [["invoker_iam_disabled", true]],
    ],
    [
      "of a role with more permissions",
      "google_project_iam_custom_role",
      { permissions: ["a.get"] },
      { includedPermissions: ["a.get", "a.set"] },
      [["permissions", ["a.get", "a.set"]]],
    ],
    [
      "of a job that was paused",
      "google_cloud_scheduler_job",
      { paused: false },
      { state: "PAUSED" },
      [["paused", true]],
    ],
    [
      "of a project that was moved",
      "google_project",
      { folder_id: "10", org_id: "" },
      { parent: { type: "organization", id: "1" } },
      [
        ["folder_id", ""],
        ["org_id", "1"],
      ],
    ],
    [
      "of an autoscaler's limit",
      "google_compute_autoscaler",
      { autoscaling_policy: [{ max_replicas: 5 }] },
      { autoscalingPolicy: { maxNumReplicas: 500 } },
      [["autoscaling_policy.0.max_replicas", 500]],
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

/** Returns an attribute inside the only block of each name in the path. */
const nested = (path: string, value: Json): JsonObject => {
  const [name = "", ...rest] = path.split(".");
  return { [name]: rest.length === 0 ? value : [nested(rest.join("."), value)] };
};

const OTHER: readonly [absent: Json, declared: Json][] = [
  [false, true],
  ["", "something"],
  [[], ["something"]],
];

const rows = Object.entries(GCP).flatMap(([type, mapping]) =>
  Object.entries(mapping).flatMap(([name, row]) => {
    const declared = OTHER.find(([absent]) => typeof row === "object" && Bun.deepEquals(row.absent, absent));
    return declared === undefined || name.startsWith("metadata") ? [] : [{ type, name, declared }];
  }),
);

test("a setting missing from a response is off, unless the response is a summary", () => {
  expect(rows.length).toBeGreaterThanOrEqual(70);
  fc.assert(
    fc.property(fc.constantFrom(...rows), ({ type, name, declared: [absent, other] }) => {
      expect(changesIn(type, nested(name, absent), { kind: "x" })).toEqual([]);
      expect(changesIn(type, nested(name, other), { kind: "x" })).toHaveLength(1);
      expect(changesIn(type, nested(name, other), { assetType: "x", name: "//x" })).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
