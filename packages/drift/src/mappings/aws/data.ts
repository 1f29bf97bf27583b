import type { MappingTable, Row, Shape } from "../../mapping.ts";
import { mirrored } from "../../mirrored.ts";
import { unlessPart } from "../../parts.ts";
import { document, redrivePolicy, reference, row, same, switched, unlessGone } from "../../shapes.ts";

export const KMS_KEY = { kms_key_id: row("KmsKeyId", reference) };
const KEY_POLICY = row("KeyPolicy | supplementaryConfiguration.Policy", document);
const POLICY = row("Policy | PolicyDocument", document);
const REDRIVE_POLICY = row("RedrivePolicy", redrivePolicy);
const QUEUE_REDRIVE_POLICY = unlessGone(REDRIVE_POLICY, "MaximumMessageSize");
/** Returns a row for a policy that only a separate resource declares. */
const ownPolicy = (part: string, live: string): Record<string, Row> => ({
  policy: { ...unlessPart(part, row(live, document)), unstated: "" },
});
const TABLE_POLICY = "ResourcePolicy.PolicyDocument";
/** Member that only Cloud Control's answers contain. */
const TABLE = "PointInTimeRecoverySpecification";
const VIEW = "StreamSpecification.StreamViewType";

/** Reports whether streaming is on: a stream always has a view type. */
const isStreaming: Shape = (live) => Boolean(live);

/** AWS types that store data or keys; see `AWS`. */
export const AWS_DATA: MappingTable = {
  aws_ebs_volume: {
    ...same("size iops throughput encrypted availability_zone snapshot_id multi_attach_enabled"),
    type: "VolumeType",
    ...KMS_KEY,
  },
  aws_kms_key: {
    ...same("description key_usage multi_region"),
    enable_key_rotation: "EnableKeyRotation | supplementaryConfiguration.KeyRotationStatus",
    is_enabled: "Enabled",
    customer_master_key_spec: "KeySpec",
    policy: unlessPart("aws_kms_key_policy", KEY_POLICY),
  },
  aws_kms_replica_key: {
    ...same("description enabled"),
    policy: unlessPart("aws_kms_key_policy", KEY_POLICY),
  },
  aws_kms_key_policy: { policy: KEY_POLICY },
  aws_kms_alias: { target_key_id: row("TargetKeyId", reference) },
  aws_sqs_queue: {
    ...same("delay_seconds fifo_queue content_based_deduplication sqs_managed_sse_enabled"),
    visibility_timeout_seconds: "VisibilityTimeout",
    max_message_size: "MaximumMessageSize",
    message_retention_seconds: "MessageRetentionPeriod",
    receive_wait_time_seconds: "ReceiveMessageWaitTimeSeconds",
    kms_master_key_id: unlessGone(row("KmsMasterKeyId", reference), "VisibilityTimeout"),
    redrive_policy: unlessPart("aws_sqs_queue_redrive_policy", QUEUE_REDRIVE_POLICY),
    policy: unlessPart("aws_sqs_queue_policy", POLICY),
  },
  aws_sqs_queue_policy: { policy: POLICY },
  aws_sqs_queue_redrive_policy: { redrive_policy: QUEUE_REDRIVE_POLICY },
  aws_sns_topic: {
    ...same("display_name fifo_topic content_based_deduplication"),
    // AWS Config records `Owner` for every topic.
    kms_master_key_id: unlessGone(row("KmsMasterKeyId", reference), "FifoTopic | Owner"),
    policy: unlessPart("aws_sns_topic_policy", POLICY),
  },
  aws_sns_topic_policy: { policy: POLICY },
  aws_sns_topic_subscription: {
    ...same("protocol endpoint topic_arn raw_message_delivery"),
    filter_policy: unlessGone(row("FilterPolicy", document), "RawMessageDelivery"),
    redrive_policy: unlessGone(REDRIVE_POLICY, "RawMessageDelivery"),
  },
  aws_dynamodb_table: {
    ...same("deletion_protection_enabled"),
    ...ownPolicy("aws_dynamodb_resource_policy", TABLE_POLICY),
    billing_mode: "BillingModeSummary.BillingMode | BillingMode",
    table_class: "TableClassSummary.TableClass | TableClass",
    read_capacity: "ProvisionedThroughput.ReadCapacityUnits",
    write_capacity: "ProvisionedThroughput.WriteCapacityUnits",
    "point_in_time_recovery.enabled": "PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled",
    "ttl.enabled": "TimeToLiveSpecification.Enabled",
    "ttl.attribute_name": "TimeToLiveSpecification.AttributeName",
    // AWS Config has only the key, and none if AWS's own key is used.
    "server_side_encryption.enabled": unlessGone(
      row("SSESpecification.SSEEnabled | ssedescription.status", switched),
      TABLE,
    ),
    "server_side_encryption.kms_key_arn": row(
      "SSESpecification.KMSMasterKeyId | ssedescription.kmsmasterKeyArn",
      reference,
    ),
    stream_enabled: unlessGone(row(VIEW, isStreaming), TABLE),
    stream_view_type: unlessGone(row(VIEW, mirrored), TABLE),
  },
  aws_dynamodb_resource_policy: { policy: row(TABLE_POLICY, document) },
  aws_mq_broker: same(
    `publicly_accessible auto_minor_version_upgrade host_instance_type deployment_mode engine_version
    security_groups logs.audit logs.general`,
  ),
  aws_msk_cluster: {
    kafka_version: "CurrentBrokerSoftwareInfo.KafkaVersion | KafkaVersion",
    ...same(`number_of_broker_nodes enhanced_monitoring broker_node_group_info.instance_type
    broker_node_group_info.security_groups broker_node_group_info.connectivity_info.public_access.type
    encryption_info.encryption_in_transit.client_broker encryption_info.encryption_in_transit.in_cluster
    configuration_info.arn configuration_info.revision`),
    "client_authentication.unauthenticated": "ClientAuthentication.Unauthenticated.Enabled",
    "client_authentication.sasl.iam": "ClientAuthentication.Sasl.Iam.Enabled",
    "client_authentication.sasl.scram": "ClientAuthentication.Sasl.Scram.Enabled",
  },
  aws_secretsmanager_secret: {
    ...same("description"),
    kms_key_id: unlessGone(row("KmsKeyId | KMSKeyId", reference), "ReplicaRegions"),
  },
  aws_backup_vault: ownPolicy("aws_backup_vault_policy", "AccessPolicy"),
  aws_backup_vault_lock_configuration: {
    min_retention_days: "LockConfiguration.MinRetentionDays",
    max_retention_days: "LockConfiguration.MaxRetentionDays",
  },
  aws_backup_vault_policy: { policy: row("AccessPolicy", document) },
  aws_efs_file_system_policy: { policy: row("FileSystemPolicy", document) },
  aws_efs_file_system: {
    ...ownPolicy("aws_efs_file_system_policy", "FileSystemPolicy"),
    ...same("encrypted performance_mode throughput_mode provisioned_throughput_in_mibps"),
    "protection.replication_overwrite": "FileSystemProtection.ReplicationOverwriteProtection",
    ...KMS_KEY,
  },
};
