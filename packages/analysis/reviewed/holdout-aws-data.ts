import { cartsTable } from "./estate/aws-data.ts";
import { ACCOUNT, OFFICE } from "./estate/aws-network.ts";
import { searchDomain, warehouse } from "./estate/aws-stores.ts";
import {
  ANYONE_IN_VPC,
  ANYONE_SEARCHES,
  clicks,
  collectionNetwork,
  domainPolicy,
  index,
  kafka,
  redshiftParameters,
  tablePolicy,
  workgroup,
} from "./holdout-estate/aws-data.ts";
import { changedBlock, created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** AWS: search, streams, warehouses and tables. */
export const HOLDOUT_AWS_DATA: readonly ReviewedPlan[] = [
  {
    name: "a search domain's policy lets anyone search",
    level: "critical",
    why: "The policy has no condition, so the data may be open to the internet.",
    plan: planOf(created("aws_opensearch_domain_policy.support", domainPolicy(ANYONE_SEARCHES))),
  },
  {
    name: "a search domain's policy lets the office search",
    level: "medium",
    why: "Anyone, but from the office addresses only.",
    plan: planOf(
      created(
        "aws_opensearch_domain_policy.support",
        domainPolicy({ ...ANYONE_SEARCHES, Condition: { IpAddress: { "aws:SourceIp": OFFICE } } }),
      ),
    ),
  },
  {
    name: "a search domain inside the VPC accepts any principal",
    level: "medium",
    why: "Only hosts in the VPC reach it, but its access policy gets wider.",
    plan: planOf(
      updated("aws_opensearch_domain.catalog", searchDomain, {
        access_policies: ANYONE_IN_VPC,
      }),
    ),
  },
  {
    name: "a serverless search collection allows public networks",
    level: "high",
    why: "Its endpoint leaves the VPC; only data access policies protect it.",
    plan: planOf(
      updated("aws_opensearchserverless_security_policy.network", collectionNetwork(false), {
        policy: collectionNetwork(true)["policy"] ?? null,
      }),
    ),
  },
  {
    name: "Kafka brokers get public addresses",
    level: "critical",
    why: "The brokers, with their data, are on the internet.",
    plan: planOf(
      updated(
        "aws_msk_cluster.events",
        kafka,
        changedBlock(kafka, "broker_node_group_info", {
          connectivity_info: [{ public_access: [{ type: "SERVICE_PROVIDED_EIPS" }], vpc_connectivity: [] }],
        }),
      ),
    ),
  },
  {
    name: "Kafka accepts plain-text clients",
    level: "high",
    why: "Clients may connect without TLS.",
    plan: planOf(
      updated(
        "aws_msk_cluster.events",
        kafka,
        changedBlock(kafka, "encryption_info", {
          encryption_in_transit: [{ client_broker: "TLS_PLAINTEXT", in_cluster: true }],
        }),
      ),
    ),
  },
  {
    name: "Kafka brokers get more storage and finer metrics",
    level: "low",
    why: "Storage grows online.",
    plan: planOf(
      updated("aws_msk_cluster.events", kafka, {
        enhanced_monitoring: "PER_BROKER",
        ...changedBlock(kafka, "broker_node_group_info", {
          storage_info: [{ ebs_storage_info: [{ volume_size: 1000, provisioned_throughput: [] }] }],
        }),
      }),
    ),
  },
  {
    name: "a warehouse no longer requires TLS",
    level: "high",
    why: "Queries and results may cross the network in plain text.",
    plan: planOf(
      updated(
        "aws_redshift_parameter_group.warehouse",
        redshiftParameters("true", "1"),
        redshiftParameters("false", "1"),
      ),
    ),
  },
  {
    name: "a warehouse may scale to more clusters",
    level: "low",
    why: "More capacity for queries.",
    plan: planOf(
      updated(
        "aws_redshift_parameter_group.warehouse",
        redshiftParameters("true", "1"),
        redshiftParameters("true", "3"),
      ),
    ),
  },
  {
    name: "audit logging of a warehouse ends",
    level: "high",
    why: "Nobody sees who queried what.",
    plan: planOf(
      destroyed("aws_redshift_logging.warehouse", {
        id: "warehouse",
        cluster_identifier: warehouse["cluster_identifier"] ?? null,
        bucket_name: "lumen-audit-logs",
        s3_key_prefix: "redshift/",
        log_destination_type: "s3",
        log_exports: [],
      }),
    ),
  },
  {
    name: "a serverless warehouse becomes publicly accessible",
    level: "critical",
    why: "The warehouse gets a public endpoint.",
    plan: planOf(updated("aws_redshiftserverless_workgroup.adhoc", workgroup, { publicly_accessible: true })),
  },
  {
    name: "a serverless warehouse gets more capacity",
    level: "low",
    why: "Faster queries, higher cost.",
    plan: planOf(updated("aws_redshiftserverless_workgroup.adhoc", workgroup, { base_capacity: 64 })),
  },
  {
    name: "a table's policy lets anyone read",
    level: "critical",
    why: "Anyone with an AWS account can read the carts.",
    plan: planOf(created("aws_dynamodb_resource_policy.carts", tablePolicy({ Principal: "*" }))),
  },
  {
    name: "a table's policy lets a role of the account read",
    level: "medium",
    why: "One role of the account gets access.",
    plan: planOf(
      created(
        "aws_dynamodb_resource_policy.carts",
        tablePolicy({ Principal: { AWS: `arn:aws:iam::${ACCOUNT}:role/reports` } }),
      ),
    ),
  },
  {
    name: "items of a table start to expire",
    level: "medium",
    why: "DynamoDB deletes items whose timestamp is past; someone should check the attribute.",
    plan: planOf(
      updated(
        "aws_dynamodb_table.carts",
        { ...cartsTable, ttl: [{ attribute_name: "", enabled: false }] },
        { ttl: [{ attribute_name: "updated_at", enabled: true }] },
      ),
    ),
  },
  {
    name: "a table gets another index",
    level: "low",
    why: "DynamoDB builds the index in the background.",
    plan: planOf(
      updated(
        "aws_dynamodb_table.carts",
        { ...cartsTable, global_secondary_index: [index("by-day", "day")] },
        { global_secondary_index: [index("by-day", "day"), index("by-status", "status")] },
      ),
    ),
  },
  {
    name: "a stream is no longer encrypted",
    level: "high",
    why: "Records are stored unencrypted.",
    plan: planOf(updated("aws_kinesis_stream.clicks", clicks, { encryption_type: "NONE", kms_key_id: "" })),
  },
  {
    name: "a stream gets more shards",
    level: "low",
    why: "Capacity grows in place.",
    plan: planOf(updated("aws_kinesis_stream.clicks", clicks, { shard_count: 16 })),
  },
  {
    name: "a stream keeps records for a day instead of a week",
    level: "medium",
    why: "Older records are dropped at once; someone should check the consumers' lag.",
    plan: planOf(updated("aws_kinesis_stream.clicks", clicks, { retention_period: 24 })),
  },
];
