import { deadLetterQueue, subscription } from "./estate/aws-data.ts";
import { dnsRecord } from "./estate/aws-edge.ts";
import { user } from "./estate/aws-identity.ts";
import { ACCOUNT, elasticIp, natGateway, privateSubnet, routeTable } from "./estate/aws-network.ts";
import {
  alarm,
  checkoutService,
  emailsFunction,
  loadBalancer,
  nightlyRule,
  nightlySchedule,
  scalingGroup,
  shopServer,
} from "./estate/aws-serving.ts";
import { destroyed, planOf, type ReviewedPlan } from "./plan.ts";

const ruleTarget = {
  id: "nightly-report-function",
  rule: "nightly-report",
  target_id: "function",
  event_bus_name: "default",
  arn: `arn:aws:lambda:eu-central-1:${ACCOUNT}:function:report`,
};
/** A whole environment of 28 resources. */
const environment = [
  ...Array.from({ length: 6 }, (_, index) => destroyed(`aws_instance.shop[${index}]`, shopServer)),
  ...Array.from({ length: 6 }, (_, index) => destroyed(`aws_subnet.private[${index}]`, privateSubnet)),
  ...Array.from({ length: 6 }, (_, index) =>
    destroyed(`aws_route_table.private[${index}]`, routeTable("production-private", [])),
  ),
  ...Array.from({ length: 10 }, (_, index) =>
    destroyed(`aws_cloudwatch_metric_alarm.shop[${index}]`, alarm(`shop-${index}`)),
  ),
];

/** AWS: deletes serving resources and others without data. */
export const DESTROY_SERVING: readonly ReviewedPlan[] = [
  {
    name: "deletes a dead-letter queue",
    level: "medium",
    why: "It holds only failed messages; check whether it is empty.",
    plan: planOf(destroyed("aws_sqs_queue.emails_dlq", deadLetterQueue)),
  },
  {
    name: "deletes an event rule and its target",
    level: "medium",
    why: "The nightly report would stop; nothing else depends on the rule.",
    plan: planOf(
      destroyed("aws_cloudwatch_event_target.nightly", ruleTarget),
      destroyed("aws_cloudwatch_event_rule.nightly", nightlyRule),
    ),
  },
  {
    name: "deletes a schedule",
    level: "medium",
    why: "The daily clean-up would stop.",
    plan: planOf(destroyed("aws_scheduler_schedule.cleanup", nightlySchedule)),
  },
  {
    name: "deletes a subscription",
    level: "medium",
    why: "Order emails would stop; check that something replaces it.",
    plan: planOf(destroyed("aws_sns_topic_subscription.emails", subscription)),
  },
  {
    name: "deletes a server",
    level: "high",
    why: "The server stops, and its root volume is deleted too.",
    plan: planOf(destroyed("aws_instance.shop", shopServer)),
  },
  {
    name: "deletes a group of servers",
    level: "high",
    why: "Terminates all servers of the shop.",
    plan: planOf(destroyed("aws_autoscaling_group.shop", scalingGroup)),
  },
  {
    name: "deletes a load balancer",
    level: "high",
    why: "The shop would be unreachable.",
    plan: planOf(destroyed("aws_lb.shop", loadBalancer)),
  },
  {
    name: "deletes a service",
    level: "high",
    why: "The checkout would stop.",
    plan: planOf(destroyed("aws_ecs_service.checkout", checkoutService)),
  },
  {
    name: "deletes a function",
    level: "high",
    why: "Callers would get errors.",
    plan: planOf(destroyed("aws_lambda_function.emails", emailsFunction)),
  },
  {
    name: "deletes a NAT gateway",
    level: "high",
    why: "Private subnets would lose internet access.",
    plan: planOf(destroyed("aws_nat_gateway.b", natGateway)),
  },
  {
    name: "deletes an elastic IP",
    level: "high",
    why: "The address is lost for good, and partners allow it in their firewalls.",
    plan: planOf(destroyed("aws_eip.nat", elasticIp)),
  },
  {
    name: "deletes the shop's DNS record",
    level: "high",
    why: "www.lumen-shop.example would stop resolving.",
    plan: planOf(
      destroyed("aws_route53_record.www", dnsRecord("www.lumen-shop.example", "A", ["198.51.100.61"])),
    ),
  },
  {
    name: "deletes a TXT record for domain verification",
    level: "medium",
    why: "No traffic depends on it; the domain may have to be verified again.",
    plan: planOf(
      destroyed(
        "aws_route53_record.proof",
        dnsRecord("lumen-shop.example", "TXT", ["google-site-verification=example"]),
      ),
    ),
  },
  {
    name: "deletes a user",
    level: "medium",
    why: "A former colleague; check that no job uses the access keys.",
    plan: planOf(destroyed("aws_iam_user.bob", user("bob"))),
  },
  {
    name: "deletes an alarm and a dashboard",
    level: "medium",
    why: "Monitoring gets weaker; two deletions aren't a mass deletion.",
    plan: planOf(
      destroyed("aws_cloudwatch_metric_alarm.errors", alarm("shop-5xx")),
      destroyed("aws_cloudwatch_dashboard.shop", {
        id: "shop",
        dashboard_name: "shop",
        dashboard_arn: `arn:aws:cloudwatch::${ACCOUNT}:dashboard/shop`,
        dashboard_body: "{}",
      }),
    ),
  },
  {
    name: "deletes a whole environment",
    level: "critical",
    why: "Deletes 28 resources and creates none: is this the right workspace?",
    plan: planOf(...environment),
  },
  {
    name: "deletes a null resource",
    level: "low",
    why: "Nothing real is behind it.",
    plan: planOf(
      destroyed("null_resource.wait", {
        id: "5577006791947779410",
        triggers: { always: "2026-10-02T08:14:55Z" },
      }),
    ),
  },
];
