import { members, type JsonObject } from "@leeway/shared/values/json";

import { changedBlock } from "../plan.ts";

export const PROJECT = "lumen-shop-prod";
const COMPUTE = `https://www.googleapis.com/compute/v1/projects/${PROJECT}`;

/** Returns labels in the three attributes where the provider keeps them. */
export function labelled(labels: JsonObject = { team: "shop", env: "prod" }): JsonObject {
  return { labels, terraform_labels: labels, effective_labels: labels };
}

export const NETWORK = `projects/${PROJECT}/global/networks/production`;

/** Builds an inbound rule of the production network for these protocols and sources. */
export function firewall(
  name: string,
  allow: JsonObject[],
  source_ranges: string[],
  more: JsonObject = {},
): JsonObject {
  return {
    id: `projects/${PROJECT}/global/firewalls/${name}`,
    self_link: `${COMPUTE}/global/firewalls/${name}`,
    name,
    project: PROJECT,
    network: `${COMPUTE}/global/networks/production`,
    description: "",
    direction: "INGRESS",
    disabled: false,
    priority: 1000,
    allow,
    deny: [],
    destination_ranges: [],
    source_ranges,
    source_tags: [],
    source_service_accounts: [],
    target_tags: [],
    target_service_accounts: [],
    log_config: [{ metadata: "INCLUDE_ALL_METADATA" }],
    ...more,
  };
}

export function tcp(...ports: string[]): JsonObject[] {
  return [{ protocol: "tcp", ports }];
}

export function storageBucket(name: string, more: JsonObject = {}): JsonObject {
  return {
    id: name,
    self_link: `https://www.googleapis.com/storage/v1/b/${name}`,
    url: `gs://${name}`,
    name,
    project: PROJECT,
    location: "EUROPE-WEST3",
    storage_class: "STANDARD",
    force_destroy: false,
    public_access_prevention: "enforced",
    uniform_bucket_level_access: true,
    versioning: [{ enabled: true }],
    soft_delete_policy: [{ retention_duration_seconds: 604800 }],
    encryption: [],
    logging: [],
    ...labelled(),
    ...more,
  };
}

/** Grants a role on a resource, as a `google_*_iam_member`. */
export function iamMember(resource: Record<string, string>, role: string, member: string): JsonObject {
  return {
    ...resource,
    role,
    member,
    condition: [],
    etag: "BwYh3kQ2m1s=",
    id: `${Object.values(resource).join("/")}/${role}/${member}`,
  };
}

export const onProject = { project: PROJECT };

export const ledgerDatabase: JsonObject = {
  id: "ledger",
  self_link: `https://sqladmin.googleapis.com/sql/v1beta4/projects/${PROJECT}/instances/ledger`,
  name: "ledger",
  project: PROJECT,
  region: "europe-west3",
  connection_name: `${PROJECT}:europe-west3:ledger`,
  database_version: "POSTGRES_15",
  deletion_protection: true,
  encryption_key_name: "",
  instance_type: "CLOUD_SQL_INSTANCE",
  settings: [
    {
      activation_policy: "ALWAYS",
      availability_type: "REGIONAL",
      backup_configuration: [{ enabled: true, point_in_time_recovery_enabled: true, start_time: "02:00" }],
      database_flags: [],
      deletion_protection_enabled: true,
      disk_autoresize: true,
      disk_size: 100,
      disk_type: "PD_SSD",
      ip_configuration: [
        {
          authorized_networks: [],
          ipv4_enabled: false,
          private_network: NETWORK,
          ssl_mode: "ENCRYPTED_ONLY",
        },
      ],
      tier: "db-custom-4-15360",
      user_labels: { team: "finance" },
    },
  ],
};

export const [ledgerSettings = {}] = members(ledgerDatabase, "settings");

/** Returns the database's `settings` block with changes. */
export function ledgerWith(settings: JsonObject): JsonObject {
  return changedBlock(ledgerDatabase, "settings", settings);
}

export const worker: JsonObject = {
  id: `projects/${PROJECT}/zones/europe-west3-b/instances/worker-1`,
  self_link: `${COMPUTE}/zones/europe-west3-b/instances/worker-1`,
  name: "worker-1",
  project: PROJECT,
  zone: "europe-west3-b",
  machine_type: "e2-standard-4",
  allow_stopping_for_update: true,
  attached_disk: [],
  boot_disk: [
    {
      auto_delete: true,
      device_name: "boot",
      initialize_params: [{ image: "debian-cloud/debian-12", size: 30, type: "pd-balanced" }],
    },
  ],
  can_ip_forward: false,
  deletion_protection: false,
  metadata: { "enable-oslogin": "TRUE", "block-project-ssh-keys": "TRUE" },
  network_interface: [
    { network: NETWORK, subnetwork: "production-ew3", network_ip: "10.40.8.12", access_config: [] },
  ],
  scratch_disk: [],
  service_account: [{ email: `worker@${PROJECT}.iam.gserviceaccount.com`, scopes: ["cloud-platform"] }],
  shielded_instance_config: [
    { enable_integrity_monitoring: true, enable_secure_boot: true, enable_vtpm: true },
  ],
  tags: ["worker"],
  ...labelled(),
};

export const kubernetes: JsonObject = {
  id: `projects/${PROJECT}/locations/europe-west3/clusters/production`,
  self_link: `https://container.googleapis.com/v1/projects/${PROJECT}/locations/europe-west3/clusters/production`,
  name: "production",
  project: PROJECT,
  location: "europe-west3",
  deletion_protection: true,
  enable_legacy_abac: false,
  enable_shielded_nodes: true,
  initial_node_count: 1,
  remove_default_node_pool: true,
  network: NETWORK,
  subnetwork: "production-ew3",
  master_authorized_networks_config: [
    { cidr_blocks: [{ cidr_block: "10.0.0.0/8", display_name: "inside" }] },
  ],
  private_cluster_config: [
    { enable_private_endpoint: true, enable_private_nodes: true, master_ipv4_cidr_block: "172.16.0.32/28" },
  ],
  release_channel: [{ channel: "REGULAR" }],
  workload_identity_config: [{ workload_pool: `${PROJECT}.svc.id.goog` }],
};

export const nodePool: JsonObject = {
  id: `projects/${PROJECT}/locations/europe-west3/clusters/production/nodePools/general`,
  name: "general",
  cluster: "production",
  project: PROJECT,
  location: "europe-west3",
  node_count: 6,
  autoscaling: [],
  management: [{ auto_repair: true, auto_upgrade: true }],
  node_config: [{ machine_type: "e2-standard-4", disk_size_gb: 100, disk_type: "pd-balanced", spot: false }],
  upgrade_settings: [{ max_surge: 1, max_unavailable: 0, strategy: "SURGE" }],
};

export const salesDataset: JsonObject = {
  id: `projects/${PROJECT}/datasets/sales`,
  self_link: `https://bigquery.googleapis.com/bigquery/v2/projects/${PROJECT}/datasets/sales`,
  dataset_id: "sales",
  project: PROJECT,
  location: "EU",
  friendly_name: "Sales",
  delete_contents_on_destroy: false,
  default_table_expiration_ms: 0,
  access: [
    { role: "OWNER", special_group: "projectOwners" },
    { role: "READER", group_by_email: "analysts@lumen-shop.example" },
  ],
  ...labelled(),
};

export function pubsubTopic(name: string): JsonObject {
  const id = `projects/${PROJECT}/topics/${name}`;
  return {
    id,
    name,
    project: PROJECT,
    kms_key_name: "",
    message_retention_duration: "604800s",
    ...labelled(),
  };
}

export const pubsubSubscription: JsonObject = {
  id: `projects/${PROJECT}/subscriptions/invoices-printer`,
  name: "invoices-printer",
  project: PROJECT,
  topic: `projects/${PROJECT}/topics/invoices`,
  ack_deadline_seconds: 30,
  message_retention_duration: "604800s",
  retain_acked_messages: false,
  push_config: [],
  ...labelled(),
};

export function cloudRunService(name: string, image: string): JsonObject {
  return {
    id: `projects/${PROJECT}/locations/europe-west3/services/${name}`,
    uri: `https://${name}-5xq3v6n2la-ey.a.run.app`,
    name,
    project: PROJECT,
    location: "europe-west3",
    deletion_protection: true,
    ingress: "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER",
    launch_stage: "GA",
    template: [
      {
        containers: [{ image, resources: [{ limits: { cpu: "1", memory: "512Mi" } }] }],
        scaling: [{ min_instance_count: 1, max_instance_count: 10 }],
        service_account: `${name}@${PROJECT}.iam.gserviceaccount.com`,
      },
    ],
    traffic: [{ type: "TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST", percent: 100 }],
    ...labelled(),
  };
}

export const dataKeyring = `projects/${PROJECT}/locations/europe-west3/keyRings/data`;
export const cryptoKey: JsonObject = {
  id: `${dataKeyring}/cryptoKeys/ledger`,
  name: "ledger",
  key_ring: dataKeyring,
  purpose: "ENCRYPT_DECRYPT",
  rotation_period: "7776000s",
  destroy_scheduled_duration: "2592000s",
  version_template: [{ algorithm: "GOOGLE_SYMMETRIC_ENCRYPTION", protection_level: "HSM" }],
  ...labelled(),
};
