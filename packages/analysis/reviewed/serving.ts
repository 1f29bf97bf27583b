import { cartsTable } from "./estate/aws-data.ts";
import { distribution } from "./estate/aws-edge.ts";
import { ACCOUNT } from "./estate/aws-network.ts";
import { checkoutService, emailsFunction, httpsListener, scalingGroup } from "./estate/aws-serving.ts";
import { azure, GROUP } from "./estate/azure.ts";
import { cloudflareRecord, deployment } from "./estate/elsewhere.ts";
import { nodePool, PROJECT } from "./estate/google.ts";
import { destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

const servicePlan = azure("Microsoft.Web/serverFarms", "shop", {
  os_type: "Linux",
  sku_name: "P1v3",
  worker_count: 4,
});
const scaleSet = azure("Microsoft.Compute/virtualMachineScaleSets", "workers", {
  instances: 4,
  sku: "Standard_D4s_v5",
});
const managedGroup = {
  id: `projects/${PROJECT}/regions/europe-west3/instanceGroupManagers/workers`,
  name: "workers",
  project: PROJECT,
  region: "europe-west3",
  base_instance_name: "worker",
  target_size: 5,
};
const targetAttachment = {
  id: "shop-20260302101512448100000004",
  target_group_arn: `arn:aws:elasticloadbalancing:eu-central-1:${ACCOUNT}:targetgroup/shop/6d0ecf831eec9f09`,
  target_id: "i-0d9c8b7a6f5e43210",
  port: 8443,
};
const stage = {
  id: "ags-4k2m9x1q7p-live",
  arn: "arn:aws:apigateway:eu-central-1::/restapis/4k2m9x1q7p/stages/live",
  rest_api_id: "4k2m9x1q7p",
  stage_name: "live",
  deployment_id: "7c1d9b",
};

/** Capacity and traffic of serving resources. */
export const SERVING: readonly ReviewedPlan[] = [
  {
    name: "a service is scaled to zero",
    level: "high",
    why: "The checkout would stop.",
    plan: planOf(updated("aws_ecs_service.checkout", checkoutService, { desired_count: 0 })),
  },
  {
    name: "a group of servers is scaled to zero",
    level: "high",
    why: "No server would be left.",
    plan: planOf(
      updated("aws_autoscaling_group.shop", scalingGroup, { desired_capacity: 0, min_size: 0, max_size: 0 }),
    ),
  },
  {
    name: "a group of servers shrinks from 20 to 4",
    level: "medium",
    why: "Enough today, not on Black Friday.",
    plan: planOf(
      updated("aws_autoscaling_group.shop", scalingGroup, { desired_capacity: 4, min_size: 2, max_size: 4 }),
    ),
  },
  {
    name: "a service goes from 4 tasks to 3",
    level: "low",
    why: "A quarter less.",
    plan: planOf(updated("aws_ecs_service.checkout", checkoutService, { desired_count: 3 })),
  },
  {
    name: "a function's reserved concurrency becomes 0",
    level: "high",
    why: "Every call would be rejected.",
    plan: planOf(
      updated("aws_lambda_function.emails", emailsFunction, { reserved_concurrent_executions: 0 }),
    ),
  },
  {
    name: "a distribution is disabled",
    level: "high",
    why: "www.lumen-shop.example would be down.",
    plan: planOf(updated("aws_cloudfront_distribution.shop", distribution, { enabled: false })),
  },
  {
    name: "a table's read capacity goes from 100 to 5",
    level: "medium",
    why: "Reads may be throttled.",
    plan: planOf(
      updated(
        "aws_dynamodb_table.carts",
        { ...cartsTable, billing_mode: "PROVISIONED", read_capacity: 100, write_capacity: 100 },
        { read_capacity: 5 },
      ),
    ),
  },
  {
    name: "a listener forwards to another target group",
    level: "medium",
    why: "Check that the new target group is healthy.",
    plan: planOf(
      updated("aws_lb_listener.https", httpsListener, {
        default_action: [
          {
            type: "forward",
            order: 1,
            target_group_arn: `arn:aws:elasticloadbalancing:eu-central-1:${ACCOUNT}:targetgroup/shop-v2/9f0e1d2c3b4a5968`,
          },
        ],
      }),
    ),
  },
  {
    name: "one server is removed from the load balancer",
    level: "medium",
    why: "The remaining servers must carry its load.",
    plan: planOf(destroyed("aws_lb_target_group_attachment.shop", targetAttachment)),
  },
  {
    name: "an API's stage is deleted",
    level: "high",
    why: "The live API would be down.",
    plan: planOf(destroyed("aws_api_gateway_stage.live", stage)),
  },
  {
    name: "Google: a group of machines is scaled to zero",
    level: "high",
    why: "No worker would be left.",
    plan: planOf(
      updated("google_compute_region_instance_group_manager.workers", managedGroup, { target_size: 0 }),
    ),
  },
  {
    name: "Google: a node pool goes from 6 nodes to 2",
    level: "medium",
    why: "The pods must fit on two nodes.",
    plan: planOf(updated("google_container_node_pool.general", nodePool, { node_count: 2 })),
  },
  {
    name: "Azure: a set of machines is scaled to zero",
    level: "high",
    why: "No worker would be left.",
    plan: planOf(updated("azurerm_linux_virtual_machine_scale_set.workers", scaleSet, { instances: 0 })),
  },
  {
    name: "Azure: an app service plan goes from 4 workers to 1",
    level: "medium",
    why: "The shop must fit on one worker.",
    plan: planOf(updated("azurerm_service_plan.shop", servicePlan, { worker_count: 1 })),
  },
  {
    name: "Kubernetes: a deployment is scaled to zero",
    level: "high",
    why: "The checkout would stop.",
    plan: planOf(
      updated(
        "kubernetes_deployment.checkout",
        deployment("checkout", "registry.example.com/checkout:3.4.1", "3"),
        deployment("checkout", "registry.example.com/checkout:3.4.1", "0"),
      ),
    ),
  },
  {
    name: "Azure: the gateway's public address is deleted",
    level: "high",
    why: "The shop's address is lost for good.",
    plan: planOf(
      destroyed("azurerm_public_ip.gateway", {
        ...azure("Microsoft.Network/publicIPAddresses", "shop-gateway", {
          allocation_method: "Static",
          ip_address: "198.51.100.61",
        }),
        id: `${GROUP}/providers/Microsoft.Network/publicIPAddresses/shop-gateway`,
      }),
    ),
  },
  {
    name: "Cloudflare: a record is no longer proxied",
    level: "medium",
    why: "Traffic bypasses Cloudflare, and our servers' address becomes public.",
    plan: planOf(
      updated("cloudflare_record.www", cloudflareRecord("www", "A", "198.51.100.61", true), {
        proxied: false,
      }),
    ),
  },
];
