import { ACCOUNT } from "./estate/aws-network.ts";
import {
  cacheUser,
  catalogSettings,
  crawler,
  glueConnection,
  memory,
  migrationEndpoint,
  migrationServer,
  migrationTask,
  workgroup,
} from "./holdout-estate/aws-databases.ts";
import { changedBlock, created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** AWS: migrations, catalogs and caches. */
export const HOLDOUT_AWS_PIPELINES: readonly ReviewedPlan[] = [
  {
    name: "a migration server with a public address",
    level: "high",
    why: "A server that holds database credentials is reachable from the internet.",
    plan: planOf(created("aws_dms_replication_instance.legacy", migrationServer(true))),
  },
  {
    name: "a migration server inside the VPC",
    level: "low",
    why: "New and private.",
    plan: planOf(created("aws_dms_replication_instance.legacy", migrationServer(false))),
  },
  {
    name: "a migration endpoint no longer verifies or uses TLS",
    level: "high",
    why: "The orders cross the network in plain text.",
    plan: planOf(
      updated("aws_dms_endpoint.legacy_source", migrationEndpoint, { ssl_mode: "none", certificate_arn: "" }),
    ),
  },
  {
    name: "a migration task logs in more detail",
    level: "low",
    why: "Settings of logging only.",
    plan: planOf(
      updated("aws_dms_replication_task.legacy", migrationTask, {
        replication_task_settings: JSON.stringify({
          Logging: {
            EnableLogging: true,
            LogComponents: [{ Id: "SOURCE_CAPTURE", Severity: "LOGGER_SEVERITY_DEBUG" }],
          },
        }),
      }),
    ),
  },
  {
    name: "a Glue connection no longer enforces TLS",
    level: "high",
    why: "Jobs may read the database in plain text.",
    plan: planOf(
      updated("aws_glue_connection.orders", glueConnection, {
        connection_properties: {
          JDBC_CONNECTION_URL: "jdbc:postgresql://orders.internal:5432/orders",
          JDBC_ENFORCE_SSL: "false",
          SECRET_ID: "shop/glue",
        },
      }),
    ),
  },
  {
    name: "the data catalog is no longer encrypted",
    level: "high",
    why: "Metadata is stored unencrypted from now on.",
    plan: planOf(
      updated(
        "aws_glue_data_catalog_encryption_settings.this",
        catalogSettings("SSE-KMS"),
        catalogSettings("DISABLED"),
      ),
    ),
  },
  {
    name: "a crawler runs later",
    level: "low",
    why: "The same crawl at another time.",
    plan: planOf(updated("aws_glue_crawler.invoices", crawler, { schedule: "cron(0 6 * * ? *)" })),
  },
  {
    name: "a table of the catalog is removed",
    level: "medium",
    why: "The files stay in S3, but queries of this table fail.",
    plan: planOf(
      destroyed("aws_glue_catalog_table.invoices", {
        id: `${ACCOUNT}:sales:invoices`,
        arn: `arn:aws:glue:eu-central-1:${ACCOUNT}:table/sales/invoices`,
        catalog_id: ACCOUNT,
        database_name: "sales",
        name: "invoices",
        table_type: "EXTERNAL_TABLE",
        parameters: { classification: "parquet" },
        partition_keys: [{ name: "day", type: "date", comment: "" }],
        storage_descriptor: [
          { location: "s3://lumen-invoices/parquet", columns: [{ name: "total", type: "bigint" }] },
        ],
      }),
    ),
  },
  {
    name: "a query may scan more data",
    level: "low",
    why: "A limit on cost is raised.",
    plan: planOf(
      updated(
        "aws_athena_workgroup.analysts",
        workgroup,
        changedBlock(workgroup, "configuration", { bytes_scanned_cutoff_per_query: 5497558138880 }),
      ),
    ),
  },
  {
    name: "query results are no longer encrypted with a key",
    level: "high",
    why: "The workgroup no longer sets encryption for the results it writes.",
    plan: planOf(
      updated(
        "aws_athena_workgroup.analysts",
        workgroup,
        changedBlock(workgroup, "configuration", {
          result_configuration: [
            { output_location: "s3://lumen-athena/analysts/", encryption_configuration: [] },
          ],
        }),
      ),
    ),
  },
  {
    name: "a cache user needs no password",
    level: "high",
    why: "Any host that reaches the cache can read and write sessions.",
    plan: planOf(
      updated("aws_elasticache_user.app", cacheUser, {
        no_password_required: true,
        authentication_mode: [{ type: "no-password-required", passwords: [], password_count: 0 }],
      }),
    ),
  },
  {
    name: "a cache user may use every command and key",
    level: "medium",
    why: "A grant inside the cache becomes wider.",
    plan: planOf(updated("aws_elasticache_user.app", cacheUser, { access_string: "on ~* +@all" })),
  },
  {
    name: "a memory database uses the open access list",
    level: "high",
    why: "open-access lets anyone who reaches the port in without authentication.",
    plan: planOf(updated("aws_memorydb_cluster.baskets", memory, { acl_name: "open-access" })),
  },
];
