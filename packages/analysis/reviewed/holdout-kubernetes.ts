import { deployment, metadata } from "./estate/elsewhere.ts";
import { internal, namespace, redisSet, service, volume, webhook } from "./holdout-estate/elsewhere.ts";
import { changedBlock, created, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** Kubernetes. */
export const HOLDOUT_KUBERNETES: readonly ReviewedPlan[] = [
  {
    name: "a namespace admits privileged pods",
    level: "high",
    why: "The label switches off pod security for the namespace.",
    plan: planOf(
      updated("kubernetes_namespace_v1.shop", namespace("restricted"), {
        metadata: namespace("privileged")["metadata"] ?? null,
      }),
    ),
  },
  {
    name: "a label of a namespace",
    level: "none",
    why: "A label that nothing evaluates.",
    plan: planOf(
      updated("kubernetes_namespace_v1.shop", namespace("restricted"), {
        metadata: [
          {
            name: "shop",
            annotations: {},
            labels: { "pod-security.kubernetes.io/enforce": "restricted", team: "checkout" },
          },
        ],
      }),
    ),
  },
  {
    name: "a Redis service gets a public load balancer",
    level: "critical",
    why: "The sessions are on the internet, without a list of addresses.",
    plan: planOf(
      updated("kubernetes_service_v1.redis", internal, {
        spec: service("LoadBalancer", {}, [])["spec"] ?? null,
      }),
    ),
  },
  {
    name: "a Redis service gets an internal load balancer",
    level: "medium",
    why: "An internal address with a list of ranges; someone should confirm it.",
    plan: planOf(
      updated(
        "kubernetes_service_v1.redis",
        internal,
        service("LoadBalancer", { "service.beta.kubernetes.io/aws-load-balancer-scheme": "internal" }, [
          "10.20.0.0/16",
        ]),
      ),
    ),
  },
  {
    name: "a volume is deleted with its claim",
    level: "high",
    why: "Deleting the claim will delete the data.",
    plan: planOf(
      updated(
        "kubernetes_persistent_volume_v1.orders",
        volume,
        changedBlock(volume, "spec", { persistent_volume_reclaim_policy: "Delete" }),
      ),
    ),
  },
  {
    name: "a stateful set is scaled to zero",
    level: "high",
    why: "The sessions' store stops.",
    plan: planOf(
      updated(
        "kubernetes_stateful_set_v1.redis",
        redisSet,
        changedBlock(redisSet, "spec", { replicas: "0" }),
      ),
    ),
  },
  {
    name: "a policy webhook lets requests through when it fails",
    level: "high",
    why: "Anyone who can break the webhook can bypass the policies.",
    plan: planOf(
      updated(
        "kubernetes_validating_webhook_configuration_v1.policies",
        webhook,
        changedBlock(webhook, "webhook", { failure_policy: "Ignore" }),
      ),
    ),
  },
  {
    name: "a new deployment with a configuration",
    level: "low",
    why: "New workload without access from outside.",
    plan: planOf(
      created("kubernetes_deployment_v1.mailer", deployment("mailer", "registry.example/mailer:1.4.0", "2")),
      created("kubernetes_config_map_v1.mailer", {
        metadata: metadata("mailer"),
        data: { SENDER: "orders@lumen-shop.example" },
        binary_data: {},
        immutable: false,
      }),
    ),
  },
];
