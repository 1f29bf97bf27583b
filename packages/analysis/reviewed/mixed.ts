import { bucket, ordersDatabase, publicAccessBlock, queue } from "./estate/aws-data.ts";
import { READ_REPORTS, role, rolePolicy, trustOfService } from "./estate/aws-identity.ts";
import { ANYWHERE, appGroup, block, ingressRule, tagged } from "./estate/aws-network.ts";
import {
  alarm,
  checkoutService,
  emailsFunction,
  launchTemplate,
  loadBalancer,
  scalingGroup,
  shopServer,
  targetGroup,
  taskDefinition,
} from "./estate/aws-serving.ts";
import { logGroup, parameter, repository } from "./estate/aws-stores.ts";
import { keyVault, roleAssignment, GROUP, storageAccount, storageContainer } from "./estate/azure.ts";
import { webApp } from "./estate/azure-services.ts";
import { deployment, helmRelease } from "./estate/elsewhere.ts";
import { cloudRunService, firewall, iamMember, onProject, storageBucket, tcp } from "./estate/google.ts";
import {
  created,
  destroyed,
  planOf,
  replaced,
  replacedCreateFirst,
  type ReviewedPlan,
  updated,
} from "./plan.ts";

const newService = [
  created("aws_ecr_repository.refunds", repository("refunds")),
  created("aws_cloudwatch_log_group.refunds", logGroup("/ecs/refunds")),
  created("aws_ecs_task_definition.refunds", taskDefinition("refunds:1.0.0")),
  created("aws_ecs_service.refunds", { ...checkoutService, name: "refunds" }, ["task_definition"]),
  created("aws_lb_target_group.refunds", { ...targetGroup, name: "refunds" }),
  created("aws_cloudwatch_metric_alarm.refunds", alarm("refunds-5xx")),
];

/** Plans with several changes: the worst one decides. */
export const MIXED: readonly ReviewedPlan[] = [
  {
    name: "a new service with its role and security group",
    level: "medium",
    why: "Check the role and the security group; everything else is internal.",
    plan: planOf(
      ...newService,
      created("aws_security_group.refunds", { ...appGroup, name: "refunds" }),
      created("aws_iam_role.refunds", role("refunds", trustOfService("ecs-tasks"))),
      created("aws_iam_role_policy.refunds", rolePolicy("refunds", "read", READ_REPORTS)),
    ),
  },
  {
    name: "a new service, and a rule that opens PostgreSQL",
    level: "critical",
    why: "Among six harmless changes, one opens PostgreSQL to the internet.",
    plan: planOf(
      ...newService,
      created("aws_vpc_security_group_ingress_rule.db", ingressRule(5432, "0.0.0.0/0")),
    ),
  },
  {
    name: "a new service, and the checkout scaled to zero",
    level: "high",
    why: "The checkout stops; everything else is fine.",
    plan: planOf(...newService, updated("aws_ecs_service.checkout", checkoutService, { desired_count: 0 })),
  },
  {
    name: "a new service, and a plain-text parameter deleted",
    level: "medium",
    why: "Only the parameter needs a look.",
    plan: planOf(
      ...newService,
      destroyed("aws_ssm_parameter.group", parameter("/shop/app-security-group", "String")),
    ),
  },
  {
    name: "tags everywhere, and the orders database deleted",
    level: "critical",
    why: "Easily missed among the tags: the orders are deleted.",
    plan: planOf(
      updated("aws_lb.shop", loadBalancer, tagged("shop", { CostCenter: "4711" })),
      updated("aws_lambda_function.emails", emailsFunction, tagged("emails", { CostCenter: "4711" })),
      updated("aws_sqs_queue.emails", queue("emails"), tagged("emails", { CostCenter: "4711" })),
      destroyed("aws_db_instance.orders", ordersDatabase),
    ),
  },
  {
    name: "a server is replaced with create_before_destroy",
    level: "medium",
    why: "The new server runs before the old one is terminated.",
    plan: planOf(
      replacedCreateFirst("aws_instance.shop", shopServer, { ami: "ami-0f9e8d7c6b5a43210" }),
      updated("aws_cloudwatch_metric_alarm.cpu", alarm("shop-cpu"), {}, ["dimensions"]),
    ),
  },
  {
    name: "a rolling release of servers",
    level: "low",
    why: "A new image in the template, and more capacity meanwhile.",
    plan: planOf(
      updated("aws_launch_template.shop", launchTemplate, { image_id: "ami-0f9e8d7c6b5a43210" }, [
        "latest_version",
      ]),
      updated("aws_autoscaling_group.shop", scalingGroup, { max_size: 24 }, ["launch_template"]),
    ),
  },
  {
    name: "a bucket is renamed",
    level: "critical",
    why: "Renaming deletes the bucket; the reports aren't copied.",
    plan: planOf(
      replaced("aws_s3_bucket.reports", bucket("lumen-reports"), { bucket: "lumen-reports-eu" }),
      replaced("aws_s3_bucket_public_access_block.reports", publicAccessBlock("lumen-reports"), {
        bucket: "lumen-reports-eu",
      }),
    ),
  },
  {
    name: "a group's inline rules become separate resources",
    level: "medium",
    why: "The same rules; there may be a gap while it applies.",
    plan: planOf(
      updated("aws_security_group.app", { ...appGroup, ingress: [block(443, ANYWHERE)] }, { ingress: [] }),
      created("aws_vpc_security_group_ingress_rule.https", ingressRule(443, "0.0.0.0/0")),
    ),
  },
  {
    name: "Google: a new service with a role",
    level: "medium",
    why: "Check the role; the firewall allows only health checks.",
    plan: planOf(
      created("google_cloud_run_v2_service.refunds", cloudRunService("refunds", "refunds:1.0.0")),
      created(
        "google_project_iam_member.refunds",
        iamMember(
          onProject,
          "roles/cloudtrace.agent",
          "serviceAccount:refunds@lumen-shop-prod.iam.gserviceaccount.com",
        ),
      ),
      created("google_compute_firewall.health", firewall("health", tcp("8080"), ["35.191.0.0/16"])),
    ),
  },
  {
    name: "Google: new buckets, one of them public",
    level: "critical",
    why: "Anyone could read one of the buckets.",
    plan: planOf(
      created("google_storage_bucket.logs", storageBucket("lumen-logs")),
      created(
        "google_storage_bucket.exports",
        storageBucket("lumen-exports", { public_access_prevention: "inherited" }),
      ),
      created(
        "google_storage_bucket_iam_member.exports",
        iamMember({ bucket: "lumen-exports" }, "roles/storage.objectViewer", "allUsers"),
      ),
    ),
  },
  {
    name: "Azure: a new app with its vault and a role",
    level: "medium",
    why: "Check the role; it covers one vault only.",
    plan: planOf(
      created("azurerm_linux_web_app.shop", webApp),
      created("azurerm_key_vault.shop", keyVault),
      created(
        "azurerm_role_assignment.shop",
        roleAssignment("Key Vault Secrets User", `${GROUP}/providers/Microsoft.KeyVault/vaults/lumen-shop`),
      ),
    ),
  },
  {
    name: "Azure: a new account with a public container",
    level: "critical",
    why: "Anyone could list and download the container.",
    plan: planOf(
      created("azurerm_storage_account.invoices", {
        ...storageAccount,
        allow_nested_items_to_be_public: true,
      }),
      created("azurerm_storage_container.invoices", storageContainer("container")),
    ),
  },
  {
    name: "Kubernetes: a release and a chart's major version",
    level: "medium",
    why: "A new major version of the ingress controller: read its upgrade notes.",
    plan: planOf(
      updated(
        "kubernetes_deployment.checkout",
        deployment("checkout", "registry.example.com/checkout:3.4.1", "3"),
        deployment("checkout", "registry.example.com/checkout:3.5.0", "3"),
      ),
      updated(
        "helm_release.ingress",
        helmRelease("ingress-nginx", "ingress-nginx", "4.11.2"),
        { version: "5.0.0" },
        ["metadata"],
      ),
    ),
  },
];
