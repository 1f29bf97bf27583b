import { declaredAt, valueAtPath } from "../../live-path.ts";
import type { MappingTable, ShapeWithin } from "../../mapping.ts";
import { mirrored } from "../../mirrored.ts";
import { anyCase, document, reference, references, row, same, unlessGone } from "../../shapes.ts";

const WORKGROUP = "WorkGroupConfiguration.";
const TO_BUCKET = "ExtendedS3DestinationConfiguration.";

/** Compares the number of shards. An on-demand stream scales without a declared number. */
const shards: ShapeWithin = (live, declared, whole) => {
  const mode = valueAtPath(whole.live, "StreamModeDetails.StreamMode");
  const asked = declaredAt(whole.declared, ["stream_mode_details", "stream_mode"]);
  return (mode ?? asked) === "ON_DEMAND" ? undefined : mirrored(live, declared);
};

/** AWS types for streaming and querying data; see `AWS`. */
export const AWS_ANALYTICS: MappingTable = {
  aws_athena_workgroup: {
    ...same("description"),
    state: row("State", anyCase),
    "configuration.enforce_workgroup_configuration": `${WORKGROUP}EnforceWorkGroupConfiguration`,
    "configuration.publish_cloudwatch_metrics_enabled": `${WORKGROUP}PublishCloudWatchMetricsEnabled`,
    "configuration.bytes_scanned_cutoff_per_query": `${WORKGROUP}BytesScannedCutoffPerQuery`,
    "configuration.requester_pays_enabled": `${WORKGROUP}RequesterPaysEnabled`,
    "configuration.result_configuration.output_location": `${WORKGROUP}ResultConfiguration.OutputLocation`,
  },
  aws_glue_crawler: {
    ...same("description database_name table_prefix"),
    role: row("Role", reference),
    schedule: "Schedule.ScheduleExpression",
    configuration: row("Configuration", document),
    security_configuration: "CrawlerSecurityConfiguration",
  },
  aws_glue_job: {
    ...same("glue_version worker_type number_of_workers max_retries timeout command.script_location"),
    role_arn: row("Role", reference),
  },
  aws_kinesis_firehose_delivery_stream: {
    "extended_s3_configuration.bucket_arn": `${TO_BUCKET}BucketARN`,
    "extended_s3_configuration.role_arn": `${TO_BUCKET}RoleARN`,
    "extended_s3_configuration.prefix": `${TO_BUCKET}Prefix`,
    "extended_s3_configuration.error_output_prefix": `${TO_BUCKET}ErrorOutputPrefix`,
    "extended_s3_configuration.compression_format": `${TO_BUCKET}CompressionFormat`,
    "extended_s3_configuration.buffering_size": `${TO_BUCKET}BufferingHints.SizeInMBs`,
    "extended_s3_configuration.buffering_interval": `${TO_BUCKET}BufferingHints.IntervalInSeconds`,
    "extended_s3_configuration.kms_key_arn": `${TO_BUCKET}EncryptionConfiguration.KMSEncryptionConfig.AWSKMSKeyARN`,
  },
  aws_kinesis_stream: {
    ...same("stream_mode_details.stream_mode"),
    shard_count: row("ShardCount", shards),
    retention_period: "RetentionPeriodHours",
    encryption_type: "StreamEncryption.EncryptionType",
    kms_key_id: unlessGone(row("StreamEncryption.KeyId", reference), "RetentionPeriodHours"),
  },
  aws_transfer_server: {
    ...same("endpoint_type identity_provider_type security_policy_name"),
    logging_role: "LoggingRole",
    protocols: row("Protocols", references),
  },
  aws_transfer_user: {
    ...same("home_directory home_directory_type"),
    role: row("Role", reference),
    policy: row("Policy", document),
  },
};
