import {
  analyticsInstance,
  bucket,
  bucketAcl,
  bucketPolicy,
  ordersDatabase,
  publicAccessBlock,
} from "./estate/aws-data.ts";
import { eventsBroker, warehouse } from "./estate/aws-stores.ts";
import { ACCOUNT, tagged } from "./estate/aws-network.ts";
import { created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

const INVOICES = "lumen-customer-invoices";
const ASSETS = "lumen-assets";
const READ = { Sid: "Read", Action: "s3:GetObject" };
const objectsOf = (name: string) => `arn:aws:s3:::${name}/*`;
const ownPolicy = bucketPolicy(INVOICES, {
  ...READ,
  Principal: { AWS: `arn:aws:iam::${ACCOUNT}:role/invoices` },
  Resource: objectsOf(INVOICES),
});
const snapshot = {
  id: "orders-before-migration",
  db_snapshot_identifier: "orders-before-migration",
  db_snapshot_arn: `arn:aws:rds:eu-central-1:${ACCOUNT}:snapshot:orders-before-migration`,
  db_instance_identifier: "orders",
  encrypted: false,
  engine: "postgres",
  engine_version: "15.7",
  shared_accounts: [],
  ...tagged("orders-before-migration"),
};

/** AWS: access to buckets, databases and snapshots. */
export const PUBLIC_DATA: readonly ReviewedPlan[] = [
  {
    name: "a bucket policy lets everyone read",
    level: "critical",
    why: "Anyone could download every customer's invoices.",
    plan: planOf(
      updated(
        "aws_s3_bucket_policy.invoices",
        ownPolicy,
        bucketPolicy(INVOICES, { ...READ, Principal: "*", Resource: objectsOf(INVOICES) }),
      ),
    ),
  },
  {
    name: "a new bucket policy for every AWS principal",
    level: "critical",
    why: '`{"AWS": "*"}` is everyone, and `s3:*` includes writes and deletions.',
    plan: planOf(
      created(
        "aws_s3_bucket_policy.invoices",
        bucketPolicy(INVOICES, { Principal: { AWS: "*" }, Action: "s3:*", Resource: objectsOf(INVOICES) }),
      ),
    ),
  },
  {
    name: "a bucket policy for the whole organization",
    level: "medium",
    why: "The condition limits the wildcard to our own organization.",
    plan: planOf(
      created(
        "aws_s3_bucket_policy.reports",
        bucketPolicy("lumen-reports", {
          ...READ,
          Principal: "*",
          Resource: objectsOf("lumen-reports"),
          Condition: { StringEquals: { "aws:PrincipalOrgID": "o-4f8k2m9q1x" } },
        }),
      ),
    ),
  },
  {
    name: "a bucket policy for one VPC endpoint",
    level: "medium",
    why: "Only from inside our network.",
    plan: planOf(
      created(
        "aws_s3_bucket_policy.reports",
        bucketPolicy("lumen-reports", {
          ...READ,
          Principal: "*",
          Resource: objectsOf("lumen-reports"),
          Condition: { StringEquals: { "aws:SourceVpce": "vpce-0a1b2c3d4e5f60718" } },
        }),
      ),
    ),
  },
  {
    name: "a bucket policy for one CloudFront distribution",
    level: "medium",
    why: "Only our own distribution can read the assets.",
    plan: planOf(
      created(
        "aws_s3_bucket_policy.assets",
        bucketPolicy(ASSETS, {
          ...READ,
          Principal: { Service: "cloudfront.amazonaws.com" },
          Resource: objectsOf(ASSETS),
          Condition: {
            StringEquals: { "AWS:SourceArn": `arn:aws:cloudfront::${ACCOUNT}:distribution/E2QWRUHAPOMQZL` },
          },
        }),
      ),
    ),
  },
  {
    name: "a bucket policy for an origin access identity",
    level: "medium",
    why: "Only our own CloudFront identity can read the assets.",
    plan: planOf(
      created(
        "aws_s3_bucket_policy.assets",
        bucketPolicy(ASSETS, {
          ...READ,
          Principal: { AWS: "arn:aws:iam::cloudfront:user/CloudFront Origin Access Identity E127EXAMPLE51Z" },
          Resource: objectsOf(ASSETS),
        }),
      ),
    ),
  },
  {
    name: "a bucket policy that denies plain HTTP",
    level: "medium",
    why: "It only denies access without TLS.",
    plan: planOf(
      created(
        "aws_s3_bucket_policy.reports",
        bucketPolicy("lumen-reports", {
          Effect: "Deny",
          Principal: "*",
          Action: "s3:*",
          Resource: ["arn:aws:s3:::lumen-reports", objectsOf("lumen-reports")],
          Condition: { Bool: { "aws:SecureTransport": "false" } },
        }),
      ),
    ),
  },
  {
    name: "a bucket's ACL becomes public-read",
    level: "critical",
    why: "Anyone could list and download the objects.",
    plan: planOf(
      updated(
        "aws_s3_bucket_acl.invoices",
        bucketAcl(INVOICES, "private"),
        bucketAcl(INVOICES, "public-read"),
      ),
    ),
  },
  {
    name: "a bucket's ACL becomes authenticated-read",
    level: "critical",
    why: "Anyone with any AWS account could read the objects.",
    plan: planOf(
      updated(
        "aws_s3_bucket_acl.invoices",
        bucketAcl(INVOICES, "private"),
        bucketAcl(INVOICES, "authenticated-read"),
      ),
    ),
  },
  {
    name: "a bucket's public access block is turned off",
    level: "high",
    why: "Nothing is public yet, but nothing would stop a public policy.",
    plan: planOf(
      updated(
        "aws_s3_bucket_public_access_block.invoices",
        publicAccessBlock(INVOICES),
        publicAccessBlock(INVOICES, false),
      ),
    ),
  },
  {
    name: "a bucket's public access block is deleted",
    level: "high",
    why: "The same as turning it off.",
    plan: planOf(destroyed("aws_s3_bucket_public_access_block.invoices", publicAccessBlock(INVOICES))),
  },
  {
    name: "the account's public access block is turned off",
    level: "high",
    why: "It protects every bucket in the account.",
    plan: planOf(
      updated(
        "aws_s3_account_public_access_block.account",
        { ...publicAccessBlock(ACCOUNT), account_id: ACCOUNT },
        { block_public_policy: false, restrict_public_buckets: false },
      ),
    ),
  },
  {
    name: "a new bucket with `acl` public-read",
    level: "critical",
    why: "Anyone could download the database dumps.",
    plan: planOf(created("aws_s3_bucket.dumps", bucket("lumen-database-dumps", { acl: "public-read" }))),
  },
  {
    name: "a database gets a public address",
    level: "critical",
    why: "The orders database would be reachable from the internet.",
    plan: planOf(updated("aws_db_instance.orders", ordersDatabase, { publicly_accessible: true })),
  },
  {
    name: "a new Aurora instance with a public address",
    level: "critical",
    why: "The database would be reachable from the internet.",
    plan: planOf(
      created("aws_rds_cluster_instance.analytics", { ...analyticsInstance, publicly_accessible: true }),
    ),
  },
  {
    name: "a new Redshift cluster with a public address",
    level: "critical",
    why: "The sales data would be reachable from the internet.",
    plan: planOf(created("aws_redshift_cluster.warehouse", { ...warehouse, publicly_accessible: true })),
  },
  {
    name: "a new message broker with a public address",
    level: "critical",
    why: "Its console and queues would be reachable from the internet.",
    plan: planOf(
      created("aws_mq_broker.events", {
        ...eventsBroker,
        publicly_accessible: true,
        subnet_ids: ["subnet-03c7d88e1b2a49f60"],
      }),
    ),
  },
  {
    name: "a database snapshot is shared with everyone",
    level: "critical",
    why: "Any AWS account could restore the orders database from it.",
    plan: planOf(updated("aws_db_snapshot.orders", snapshot, { shared_accounts: ["all"] })),
  },
  {
    name: "a machine image is shared with everyone",
    level: "high",
    why: "Images contain code and often secrets.",
    plan: planOf(
      created("aws_ami_launch_permission.all", {
        id: "ami-0a1b2c3d4e5f67890-group-all",
        image_id: "ami-0a1b2c3d4e5f67890",
        group: "all",
        account_id: "",
        organization_arn: "",
      }),
    ),
  },
];
