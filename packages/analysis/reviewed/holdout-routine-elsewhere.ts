import {
  cloudflareRecord,
  cloudflareZone,
  githubRepository,
  helmRelease,
  metadata,
} from "./estate/elsewhere.ts";
import { database, monitor, transit, warehouse } from "./holdout-estate/tools.ts";
import { cosmetic, routine } from "./holdout-routine.ts";
import { changedBlock, created, type ReviewedPlan, updated } from "./plan.ts";

const autoscaler = {
  id: "shop/checkout",
  metadata: metadata("checkout"),
  spec: [
    {
      min_replicas: 4,
      max_replicas: 12,
      scale_target_ref: [{ api_version: "apps/v1", kind: "Deployment", name: "checkout" }],
    },
  ],
};
const cronJob = {
  id: "shop/report",
  metadata: metadata("report"),
  spec: [{ schedule: "0 2 * * *", suspend: false, concurrency_policy: "Forbid" }],
};

/** Kubernetes, GitHub, Cloudflare, Datadog, Vault and Snowflake: routine changes. */
export const HOLDOUT_ROUTINE_ELSEWHERE: readonly ReviewedPlan[] = [
  cosmetic(
    "the comment of a Snowflake database",
    updated("snowflake_database.sales", database, { comment: "Sales of all shops" }),
  ),
  cosmetic(
    "the description of a repository",
    updated("github_repository.checkout", githubRepository("checkout", "private"), {
      description: "Checkout and payments",
    }),
  ),
  routine(
    "a deployment may scale further",
    "More capacity at peaks.",
    updated(
      "kubernetes_horizontal_pod_autoscaler_v2.checkout",
      autoscaler,
      changedBlock(autoscaler, "spec", { max_replicas: 24 }),
    ),
  ),
  routine(
    "a job of a cluster runs later",
    "The same job at another time.",
    updated(
      "kubernetes_cron_job_v1.report",
      cronJob,
      changedBlock(cronJob, "spec", { schedule: "0 4 * * *" }),
    ),
  ),
  routine(
    "a setting of an application",
    "An application change.",
    updated(
      "kubernetes_config_map_v1.checkout",
      { id: "shop/checkout", metadata: metadata("checkout"), data: { LOG_LEVEL: "info" }, binary_data: {} },
      { data: { LOG_LEVEL: "debug" } },
    ),
  ),
  routine(
    "an ingress controller gets another replica",
    "More capacity.",
    updated("helm_release.ingress", helmRelease("ingress-nginx", "ingress-nginx", "4.11.2"), {
      values: ["controller:\n  replicaCount: 3\n"],
    }),
  ),
  routine(
    "a label for issues",
    "A label.",
    created("github_issue_label.bug", {
      repository: "checkout",
      name: "bug",
      color: "d73a4a",
      description: "",
      url: "",
    }),
  ),
  routine(
    "a variable of workflows",
    "A plain setting of workflows.",
    updated(
      "github_actions_variable.region",
      { id: "checkout:REGION", repository: "checkout", variable_name: "REGION", value: "eu-central-1" },
      { value: "eu-west-1" },
    ),
  ),
  routine(
    "a record that proves ownership to a mail provider",
    "A new TXT record.",
    created(
      "cloudflare_record.mail",
      cloudflareRecord("_mail.lumen-shop.example", "TXT", "verify=0f1e2d3c", false),
    ),
  ),
  routine(
    "pages are cached for longer at the edge",
    "Only the cache duration changes.",
    updated(
      "cloudflare_ruleset.cache",
      {
        id: "2f1e0d3c4b5a69788877665544332211",
        zone_id: cloudflareZone["id"] ?? null,
        kind: "zone",
        name: "cache",
        phase: "http_request_cache_settings",
        rules: [
          {
            action: "set_cache_settings",
            enabled: true,
            expression: 'starts_with(http.request.uri.path, "/assets/")',
            action_parameters: [{ cache: true, edge_ttl: [{ mode: "override_origin", default: 3600 }] }],
          },
        ],
      },
      {
        rules: [
          {
            action: "set_cache_settings",
            enabled: true,
            expression: 'starts_with(http.request.uri.path, "/assets/")',
            action_parameters: [{ cache: true, edge_ttl: [{ mode: "override_origin", default: 86400 }] }],
          },
        ],
      },
    ),
  ),
  routine(
    "a monitor names a runbook",
    "The text of a notification.",
    updated("datadog_monitor.errors", monitor, {
      message: "Too many errors, see runbook 12 @slack-oncall",
    }),
  ),
  routine(
    "a dashboard gets a graph",
    "A dashboard.",
    updated(
      "datadog_dashboard_json.shop",
      { id: "abc-def-ghi", dashboard: JSON.stringify({ title: "Shop", widgets: [] }), dashboard_lists: [] },
      { dashboard: JSON.stringify({ title: "Shop", widgets: [{ definition: { type: "note" } }] }) },
    ),
  ),
  routine(
    "a key of Vault rotates more often",
    "Safer; old versions still decrypt.",
    updated("vault_transit_secret_backend_key.cards", transit, { auto_rotate_period: 604800 }),
  ),
  routine(
    "a warehouse stops sooner when idle",
    "Lower cost.",
    updated("snowflake_warehouse.reports", warehouse, { auto_suspend: 30 }),
  ),
];
