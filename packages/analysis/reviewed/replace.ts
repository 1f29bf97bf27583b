import { cartsTable, ordersDatabase } from "./estate/aws-data.ts";
import { certificate, cluster, dnsRecord } from "./estate/aws-edge.ts";
import {
  checkoutService,
  httpsListener,
  loadBalancer,
  scalingGroup,
  shopServer,
  taskDefinition,
} from "./estate/aws-serving.ts";
import { sessionsCache } from "./estate/aws-stores.ts";
import { postgres, virtualMachine } from "./estate/azure.ts";
import { publicIp } from "./estate/azure-services.ts";
import { ledgerDatabase, ledgerWith, nodePool, worker } from "./estate/google.ts";
import { planOf, replaced, replacedCreateFirst, type ReviewedPlan, updated } from "./plan.ts";

/** Replacements and updates that cause downtime. */
export const REPLACE: readonly ReviewedPlan[] = [
  {
    name: "a database's identifier changes",
    level: "critical",
    why: "The database is replaced with an empty one.",
    plan: planOf(replaced("aws_db_instance.orders", ordersDatabase, { identifier: "shop-orders" })),
  },
  {
    name: "a table's range key changes, with create_before_destroy",
    level: "critical",
    why: "Creating the new table first doesn't copy the data.",
    plan: planOf(replacedCreateFirst("aws_dynamodb_table.carts", cartsTable, { range_key: "created_at" })),
  },
  {
    name: "a cache's encryption at rest is turned on",
    level: "critical",
    why: "The replication group is replaced, and all sessions are lost.",
    plan: planOf(
      replaced(
        "aws_elasticache_replication_group.sessions",
        { ...sessionsCache, at_rest_encryption_enabled: false },
        { at_rest_encryption_enabled: true },
      ),
    ),
  },
  {
    name: "a Kubernetes cluster is replaced",
    level: "critical",
    why: "Everything in the cluster is lost, and the shop is down until it is redeployed.",
    plan: planOf(replaced("aws_eks_cluster.production", cluster, { name: "prod" })),
  },
  {
    name: "Google: a database moves to another region",
    level: "critical",
    why: "The database is replaced with an empty one.",
    plan: planOf(replaced("google_sql_database_instance.ledger", ledgerDatabase, { region: "europe-west4" })),
  },
  {
    name: "Azure: a database server's administrator login changes",
    level: "critical",
    why: "The server and its databases are replaced with empty ones.",
    plan: planOf(
      replaced("azurerm_postgresql_flexible_server.ledger", postgres, { administrator_login: "dba" }),
    ),
  },
  {
    name: "a server's image changes",
    level: "high",
    why: "The server is down until the new one is ready.",
    plan: planOf(replaced("aws_instance.shop", shopServer, { ami: "ami-0f9e8d7c6b5a43210" })),
  },
  {
    name: "a load balancer is renamed",
    level: "high",
    why: "The load balancer gets a new address, and the shop is down until DNS follows.",
    plan: planOf(replaced("aws_lb.shop", loadBalancer, { name: "shop-public" })),
  },
  {
    name: "a service moves to another cluster",
    level: "high",
    why: "The checkout is down until the new service runs.",
    plan: planOf(
      replaced("aws_ecs_service.checkout", checkoutService, {
        cluster: "arn:aws:ecs:eu-central-1:492801736650:cluster/shop",
      }),
    ),
  },
  {
    name: "Google: a machine moves to another zone",
    level: "high",
    why: "The worker is down, and its boot disk is replaced.",
    plan: planOf(replaced("google_compute_instance.worker", worker, { zone: "europe-west3-c" })),
  },
  {
    name: "Google: a node pool is renamed",
    level: "high",
    why: "All nodes are deleted before the new ones exist.",
    plan: planOf(replaced("google_container_node_pool.general", nodePool, { name: "standard" })),
  },
  {
    name: "Google: a node pool is renamed, with create_before_destroy",
    level: "medium",
    why: "Pods move to the new nodes; check the disruption budgets.",
    plan: planOf(
      replacedCreateFirst("google_container_node_pool.general", nodePool, { name: "general-20261002" }),
    ),
  },
  {
    name: "Azure: a machine moves to another zone",
    level: "high",
    why: "The machine is down, and its disk is replaced.",
    plan: planOf(replaced("azurerm_linux_virtual_machine.worker", virtualMachine, { zone: "2" })),
  },
  {
    name: "Azure: a public address is replaced",
    level: "high",
    why: "The gateway gets a new address.",
    plan: planOf(replaced("azurerm_public_ip.gateway", publicIp, { zones: ["1", "2"] })),
  },
  {
    name: "a group of servers is replaced, with create_before_destroy",
    level: "medium",
    why: "A rolling change that needs twice the capacity for a while.",
    plan: planOf(
      replacedCreateFirst("aws_autoscaling_group.shop", scalingGroup, { name_prefix: "shop-v2-" }),
    ),
  },
  {
    name: "a certificate is replaced, with create_before_destroy",
    level: "medium",
    why: "The listener switches to the new certificate; check its validation.",
    plan: planOf(
      replacedCreateFirst("aws_acm_certificate.shop", certificate, {
        subject_alternative_names: ["api.lumen-shop.example", "lumen-shop.example", "www.lumen-shop.example"],
      }),
      updated("aws_lb_listener.https", httpsListener, {}, ["certificate_arn"]),
    ),
  },
  {
    name: "a task definition gets a new revision",
    level: "low",
    why: "A normal deployment.",
    plan: planOf(
      replaced("aws_ecs_task_definition.checkout", taskDefinition("checkout:3.4.1"), {
        container_definitions: taskDefinition("checkout:3.5.0")["container_definitions"] ?? null,
      }),
      updated("aws_ecs_service.checkout", checkoutService, {}, ["task_definition"]),
    ),
  },
  {
    name: "a null resource runs again",
    level: "low",
    why: "It only runs a script again.",
    plan: planOf(
      replaced(
        "null_resource.migrate",
        { id: "5577006791947779410", triggers: { version: "3.4.1" } },
        { triggers: { version: "3.5.0" } },
      ),
    ),
  },
  {
    name: "a database's class changes immediately",
    level: "high",
    why: "With `apply_immediately`, the database restarts on apply.",
    plan: planOf(
      updated("aws_db_instance.orders", ordersDatabase, {
        instance_class: "db.r6g.xlarge",
        apply_immediately: true,
      }),
    ),
  },
  {
    name: "a database's class changes in its maintenance window",
    level: "medium",
    why: "The database restarts in Sunday's maintenance window.",
    plan: planOf(updated("aws_db_instance.orders", ordersDatabase, { instance_class: "db.r6g.xlarge" })),
  },
  {
    name: "a database's major version",
    level: "high",
    why: "A major upgrade takes long and can't be rolled back.",
    plan: planOf(
      updated("aws_db_instance.orders", ordersDatabase, {
        engine_version: "16.4",
        allow_major_version_upgrade: true,
        parameter_group_name: "orders-postgres16",
      }),
    ),
  },
  {
    name: "a database's minor version",
    level: "medium",
    why: "A short restart in the maintenance window.",
    plan: planOf(updated("aws_db_instance.orders", ordersDatabase, { engine_version: "15.8" })),
  },
  {
    name: "Google: a database's size",
    level: "high",
    why: "Changing the tier restarts the database immediately.",
    plan: planOf(
      updated(
        "google_sql_database_instance.ledger",
        ledgerDatabase,
        ledgerWith({ tier: "db-custom-8-30720" }),
      ),
    ),
  },
  {
    name: "a server's type",
    level: "medium",
    why: "The server is down for a few minutes.",
    plan: planOf(updated("aws_instance.shop", shopServer, { instance_type: "m6i.xlarge" })),
  },
  {
    name: "the shop's DNS record changes",
    level: "medium",
    why: "All traffic goes to another address; check that it works.",
    plan: planOf(
      updated("aws_route53_record.www", dnsRecord("www.lumen-shop.example", "A", ["198.51.100.61"]), {
        records: ["198.51.100.62"],
      }),
    ),
  },
];
