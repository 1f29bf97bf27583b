import { names, sign, type CloudSigns } from "./table.ts";

const ANYWHERE = ["aws_*"];
const DATABASES = names(`
  aws_db_instance aws_rds_* aws_docdb_* aws_neptune_* aws_elasticache_* aws_memorydb_cluster aws_redshift_cluster
  aws_opensearch_domain aws_elasticsearch_domain aws_mq_broker aws_msk_cluster aws_fsx_* aws_dms_replication_instance
`);
const OBJECT_LOCKS = names("aws_s3_bucket aws_s3_bucket_object_lock_configuration");

/** Signs that data, or the keys to it, become less protected or unavailable for a while. */
export const AWS_DATA_SIGNS: Pick<CloudSigns, "protections" | "keyDisabling" | "disruptions"> = {
  protections: [
    sign(
      ANYWHERE,
      names(`
        deletion_protection deletion_protection_enabled point_in_time_recovery.enabled versioning.enabled
        versioning.mfa_delete versioning_configuration.status versioning_configuration.mfa_delete
        protection.replication_overwrite
      `),
      "off",
    ),
    sign(ANYWHERE, names("skip_final_snapshot force_destroy force_delete"), "on"),
    sign(
      ANYWHERE,
      names(`
        backup_retention_period snapshot_retention_limit automated_snapshot_retention_period
        automatic_backup_retention_days backtrack_window
      `),
      "zero",
    ),
    sign(ANYWHERE, names("deletion_window_in_days recovery_window_in_days"), "lower"),
    sign(["aws_cloudwatch_log_group"], ["retention_in_days"], "sooner"),
    sign(["aws_backup_vault_lock_configuration"], ["min_retention_days"], "lower"),
    sign(["aws_s3_bucket_replication_configuration"], ["rule.status"], "off"),
    sign(OBJECT_LOCKS, ["*rule.default_retention.days", "*rule.default_retention.years"], "lower"),
    sign(OBJECT_LOCKS, ["*rule.default_retention.mode"], { leaves: ["COMPLIANCE"] }),
    sign(OBJECT_LOCKS, ["*rule.default_retention.mode"], "emptied"),
  ],
  keyDisabling: [
    sign(["aws_kms_*"], ["is_enabled", "enabled"], "off"),
    sign(
      names("aws_kms_* aws_secretsmanager_secret"),
      names("deletion_window_in_days recovery_window_in_days"),
      "zero",
    ),
  ],
  disruptions: [
    sign(
      DATABASES,
      names(`
        instance_class instance_type node_type cluster_type engine storage_type storage_encrypted kms_key_id
        db_subnet_group_name subnet_group_name cluster_subnet_group_name parameter_group_name
        db_parameter_group_name db_cluster_parameter_group_name cluster_parameter_group_name host_instance_type
        broker_node_group_info.instance_type cluster_config.instance_type cluster_config.dedicated_master_type
        replication_instance_class
      `),
      "changed",
    ),
    sign(DATABASES, names("engine_version kafka_version elasticsearch_version"), "major"),
    sign(DATABASES, ["apply_immediately"], "on"),
    sign(["aws_eks_cluster"], ["version"], "major"),
  ],
};
