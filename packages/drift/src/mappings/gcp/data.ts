import { isObject, type Json } from "@leeway/shared/values/json";

import { googleBlocks, googleValue } from "../../google-values.ts";
import { declaredAt } from "../../live-path.ts";
import type { MappingTable, Row, Shape, ShapeWithin } from "../../mapping.ts";
import { reference, row } from "../../shapes.ts";
import { BUCKET_RULES } from "./bucket-rules.ts";
import { listed, named, off, skip, unless, unset } from "./rows.ts";

function settings(rows: Readonly<Record<string, string | Row>>): Record<string, Row> {
  return Object.fromEntries(
    Object.entries(rows).map(([name, live]) => [
      `settings.${name}`,
      typeof live === "string"
        ? row(`settings.${live}`, googleBlocks)
        : { ...live, live: `settings.${live.live}` },
    ]),
  );
}

/** The second path has the former name. */
const UNIFORM_ACCESS =
  "iamConfiguration.uniformBucketLevelAccess.enabled | iamConfiguration.bucketPolicyOnly.enabled";

/** Compares disk size. Growth is ignored if the disk may grow automatically. */
const diskSize: ShapeWithin = (live, declared, whole) =>
  declaredAt(whole.declared, ["settings", "disk_autoresize"]) !== false && Number(live) > Number(declared)
    ? undefined
    : googleValue(live, declared);

const isScaled = (instance: Json): boolean =>
  declaredAt(instance, ["autoscaling_config", "autoscaling_limits"]) !== undefined;

const isOpen = (entry: Json): boolean =>
  isObject(entry) &&
  Object.values(entry).some((who) => who === "allUsers" || who === "allAuthenticatedUsers");

/**
 * Reports public access to a dataset. Other access is ignored: it uses
 * two kinds of roles, and separate resources declare part of it.
 */
const opened: Shape = (live, declared) => {
  if (!Array.isArray(live) || !Array.isArray(declared) || declared.some(isOpen)) return undefined;
  const added = googleBlocks(live.filter(isOpen), null);
  return Array.isArray(added) && added.length > 0 ? [...declared, ...added] : undefined;
};

/** Google Cloud types that store data. */
export const GCP_DATA: MappingTable = {
  google_storage_bucket: {
    uniform_bucket_level_access: off(UNIFORM_ACCESS),
    bucket_policy_only: off(UNIFORM_ACCESS),
    public_access_prevention: "iamConfiguration.publicAccessPrevention",
    requester_pays: off("billing.requesterPays"),
    lifecycle_rule: BUCKET_RULES,
    "versioning.enabled": off("versioning.enabled"),
    "retention_policy.retention_period": unset("retentionPolicy.retentionPeriod"),
    "encryption.default_kms_key_name": unset("encryption.defaultKmsKeyName"),
    "logging.log_bucket": unset("logging.logBucket"),
    "website.main_page_suffix": unset("website.mainPageSuffix"),
    "website.not_found_page": unset("website.notFoundPage"),
    // Time of the last change, which users can't set.
    "soft_delete_policy.effective_time": skip(),
  },
  google_sql_database_instance: {
    database_version: "databaseVersion",
    // A replica's primary has the project in front.
    master_instance_name: row("masterInstanceName", reference),
    encryption_key_name: "diskEncryptionConfiguration.kmsKeyName",
    ...settings({
      disk_size: row("dataDiskSizeGb", diskSize),
      disk_type: "dataDiskType",
      disk_autoresize: "storageAutoResize",
      disk_autoresize_limit: "storageAutoResizeLimit",
      tier: "tier",
      activation_policy: "activationPolicy",
      availability_type: "availabilityType",
      backup_configuration: "backupConfiguration",
      "backup_configuration.enabled": off("backupConfiguration.enabled"),
      "backup_configuration.point_in_time_recovery_enabled": off(
        "backupConfiguration.pointInTimeRecoveryEnabled",
      ),
      "backup_configuration.binary_log_enabled": off("backupConfiguration.binaryLogEnabled"),
      ip_configuration: "ipConfiguration",
      "ip_configuration.authorized_networks": listed("ipConfiguration.authorizedNetworks"),
      "ip_configuration.ipv4_enabled": off("ipConfiguration.ipv4Enabled"),
      "ip_configuration.require_ssl": off("ipConfiguration.requireSsl"),
      "insights_config.query_insights_enabled": off("insightsConfig.queryInsightsEnabled"),
      database_flags: listed("databaseFlags"),
      deletion_protection_enabled: off("deletionProtectionEnabled"),
    }),
    deletion_protection: skip(),
  },
  google_kms_crypto_key: { rotation_period: unset("rotationPeriod") },
  google_bigquery_dataset: {
    access: row("access", opened),
    "default_encryption_configuration.kms_key_name": unset("defaultEncryptionConfiguration.kmsKeyName"),
    delete_contents_on_destroy: skip(),
  },
  google_bigquery_table: { schema: skip(), deletion_protection: skip(), clustering: "clustering.fields" },
  google_bigtable_table: {
    deletion_protection: row("deletionProtection", (isOn, declared) =>
      isOn === true ? "PROTECTED" : declared ? "UNPROTECTED" : declared,
    ),
  },
  google_redis_instance: {
    memory_size_gb: "memorySizeGb",
    auth_enabled: off("authEnabled"),
    // The provider doesn't read it, but stores the API's value under the other name.
    reserved_ip_range: skip(),
    effective_reserved_ip_range: "reservedIpRange",
    "persistence_config.rdb_next_snapshot_time": skip(),
  },
  google_spanner_instance: {
    config: row("config", named),
    num_nodes: row("nodeCount", unless(isScaled)),
    processing_units: row("processingUnits", unless(isScaled)),
  },
  google_secret_manager_secret: { replication: skip(), "rotation.next_rotation_time": skip() },
  google_filestore_instance: {
    tier: "tier",
    deletion_protection_enabled: off("deletionProtectionEnabled"),
    // The provider doesn't read it.
    "networks.reserved_ip_range": skip(),
  },
  // The API uses a map by name, Terraform a set.
  google_artifact_registry_repository: {
    cleanup_policies: skip(),
    "docker_config.immutable_tags": off("dockerConfig.immutableTags"),
    // Derived from the project's enabled services.
    "vulnerability_scanning_config.enablement_state": skip(),
    "vulnerability_scanning_config.enablement_state_reason": skip(),
  },
  google_spanner_database: { enable_drop_protection: off("enableDropProtection") },
  google_alloydb_instance: { display_name: skip() },
};
