import {
  analyticsCluster,
  analyticsInstance,
  cartsTable,
  KEY_ARN,
  ordersDatabase,
} from "../estate/aws-data.ts";
import { ACCOUNT } from "../estate/aws-network.ts";
import { importVolume, logGroup, warehouse } from "../estate/aws-stores.ts";
import { knownWhenNew } from "../plan.ts";
import type { CommonType } from "./common-type.ts";

const liveDatabase = (isPublic: boolean) => ({
  dBInstanceIdentifier: "orders",
  dBInstanceArn: `arn:aws:rds:eu-central-1:${ACCOUNT}:db:orders`,
  dBInstanceClass: "db.r6g.large",
  dBInstanceStatus: "available",
  engine: "postgres",
  engineVersion: "15.7",
  allocatedStorage: 200,
  backupRetentionPeriod: 30,
  deletionProtection: true,
  endpoint: { address: "orders.c9akciq32rzv.eu-central-1.rds.amazonaws.com", port: 5432 },
  iAMDatabaseAuthenticationEnabled: true,
  kmsKeyId: KEY_ARN,
  masterUsername: "orders_admin",
  multiAZ: true,
  publiclyAccessible: isPublic,
  storageEncrypted: true,
  vpcSecurityGroups: [{ status: "active", vpcSecurityGroupId: "sg-0e4f5a6b7c8d91230" }],
});
const liveWarehouse = (isPublic: boolean) => ({
  clusterIdentifier: "warehouse",
  nodeType: "ra3.xlplus",
  numberOfNodes: 2,
  clusterStatus: "available",
  dBName: "warehouse",
  encrypted: true,
  endpoint: { address: "warehouse.cxk2m9q1x7p.eu-central-1.redshift.amazonaws.com", port: 5439 },
  enhancedVpcRouting: true,
  kmsKeyId: KEY_ARN,
  masterUsername: "warehouse_admin",
  automatedSnapshotRetentionPeriod: 7,
  publiclyAccessible: isPublic,
  vpcId: "vpc-0f3d6a1b9c8e74521",
});

/** AWS: databases, volumes and logs. */
export const AWS_DATABASES: readonly CommonType[] = [
  {
    type: "aws_db_instance",
    harmless: knownWhenNew(ordersDatabase),
    exposed: {
      after: knownWhenNew({ ...ordersDatabase, publicly_accessible: true }),
      level: "critical",
      why: "The database has a public address.",
    },
    live: {
      provider_type: "AWS::RDS::DBInstance",
      harmless: liveDatabase(false),
      exposed: liveDatabase(true),
    },
  },
  {
    type: "aws_rds_cluster",
    harmless: knownWhenNew(analyticsCluster),
    live: {
      provider_type: "AWS::RDS::DBCluster",
      harmless: {
        dbclusterIdentifier: "analytics",
        dbclusterArn: `arn:aws:rds:eu-central-1:${ACCOUNT}:cluster:analytics`,
        engine: "aurora-postgresql",
        engineVersion: "15.6",
        backupRetentionPeriod: 14,
        deletionProtection: true,
        storageEncrypted: true,
        kmsKeyId: KEY_ARN,
        status: "available",
      },
    },
  },
  {
    type: "aws_rds_cluster_instance",
    harmless: knownWhenNew(analyticsInstance),
    exposed: {
      after: knownWhenNew({ ...analyticsInstance, publicly_accessible: true }),
      level: "critical",
      why: "The database has a public address.",
    },
    live: {
      provider_type: "AWS::RDS::DBInstance",
      harmless: {
        ...liveDatabase(false),
        dBInstanceIdentifier: "analytics-1",
        dBClusterIdentifier: "analytics",
      },
      exposed: {
        ...liveDatabase(true),
        dBInstanceIdentifier: "analytics-1",
        dBClusterIdentifier: "analytics",
      },
    },
  },
  {
    type: "aws_redshift_cluster",
    harmless: knownWhenNew(warehouse),
    exposed: {
      after: knownWhenNew({ ...warehouse, publicly_accessible: true }),
      level: "critical",
      why: "The warehouse has a public address.",
    },
    live: {
      provider_type: "AWS::Redshift::Cluster",
      harmless: liveWarehouse(false),
      exposed: liveWarehouse(true),
    },
  },
  {
    type: "aws_dynamodb_table",
    harmless: knownWhenNew(cartsTable),
    live: {
      provider_type: "AWS::DynamoDB::Table",
      harmless: {
        tableName: "carts",
        tableArn: `arn:aws:dynamodb:eu-central-1:${ACCOUNT}:table/carts`,
        tableStatus: "ACTIVE",
        billingModeSummary: { billingMode: "PAY_PER_REQUEST" },
        keySchema: [{ attributeName: "customer_id", keyType: "HASH" }],
        ssedescription: { status: "ENABLED", ssetype: "KMS", kmsmasterKeyArn: KEY_ARN },
        supplementaryConfiguration: {
          ContinuousBackups: { pointInTimeRecoveryDescription: { pointInTimeRecoveryStatus: "ENABLED" } },
        },
      },
    },
  },
  {
    type: "aws_ebs_volume",
    harmless: knownWhenNew(importVolume),
    live: {
      provider_type: "AWS::EC2::Volume",
      harmless: {
        volumeId: "vol-0c4d5e6f7a8b91230",
        availabilityZone: "eu-central-1b",
        encrypted: true,
        kmsKeyId: KEY_ARN,
        size: 100,
        iops: 3000,
        volumeType: "gp3",
        state: { value: "in-use" },
        attachments: [],
      },
    },
  },
  {
    type: "aws_cloudwatch_log_group",
    harmless: knownWhenNew(logGroup("/ecs/shop")),
    live: {
      provider_type: "AWS::Logs::LogGroup",
      harmless: {
        LogGroupName: "/ecs/shop",
        Arn: `arn:aws:logs:eu-central-1:${ACCOUNT}:log-group:/ecs/shop:*`,
        RetentionInDays: 90,
      },
    },
  },
];
