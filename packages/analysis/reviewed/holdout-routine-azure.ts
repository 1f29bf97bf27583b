import {
  containerRegistry,
  cosmosAccount,
  logWorkspace,
  redisCache,
  webApp,
} from "./estate/azure-services.ts";
import { azure, GROUP, kubernetesCluster, postgres, sqlDatabase, storageAccount } from "./estate/azure.ts";
import { ordersQueue } from "./holdout-estate/azure-data.ts";
import { workers } from "./holdout-estate/azure-edge.ts";
import { flowLog } from "./holdout-estate/azure-governance.ts";
import { cosmetic, routine } from "./holdout-routine.ts";
import { changedBlock, created, type ReviewedPlan, updated } from "./plan.ts";

/** Azure: routine changes. */
export const HOLDOUT_ROUTINE_AZURE: readonly ReviewedPlan[] = [
  cosmetic(
    "tags of a storage account and a cluster",
    updated("azurerm_storage_account.invoices", storageAccount, { tags: { team: "finance", env: "prod" } }),
    updated("azurerm_kubernetes_cluster.production", kubernetesCluster, { tags: { team: "platform" } }),
  ),
  routine(
    "a queue delivers a message more often",
    "Tuning of retries.",
    updated("azurerm_servicebus_queue.orders", ordersQueue, { max_delivery_count: 20 }),
  ),
  routine(
    "a database may grow further",
    "More space.",
    updated("azurerm_mssql_database.orders", sqlDatabase, { max_size_gb: 500 }),
  ),
  routine(
    "PostgreSQL gets more storage",
    "Storage grows online.",
    updated("azurerm_postgresql_flexible_server.ledger", postgres, { storage_mb: 524288 }),
  ),
  routine(
    "Cosmos DB is copied to another region",
    "One more copy of the data.",
    updated("azurerm_cosmosdb_account.catalog", cosmosAccount, {
      geo_location: [
        { location: "westeurope", failover_priority: 0, zone_redundant: true },
        { location: "northeurope", failover_priority: 1, zone_redundant: false },
      ],
    }),
  ),
  routine(
    "Redis gets a larger size",
    "More memory; a Premium cache scales without downtime.",
    updated("azurerm_redis_cache.sessions", redisCache, { capacity: 2 }),
  ),
  routine(
    "images are copied to another region",
    "One more copy.",
    updated("azurerm_container_registry.shop", containerRegistry, {
      georeplications: [{ location: "northeurope", zone_redundancy_enabled: false, tags: {} }],
    }),
  ),
  routine(
    "a cluster cleans unused images",
    "Housekeeping on nodes.",
    updated(
      "azurerm_kubernetes_cluster.production",
      { ...kubernetesCluster, image_cleaner_enabled: false, image_cleaner_interval_hours: 0 },
      { image_cleaner_enabled: true, image_cleaner_interval_hours: 48 },
    ),
  ),
  routine(
    "a node pool gets labels for its pods",
    "New scheduling labels; nothing moves.",
    updated("azurerm_kubernetes_cluster_node_pool.workers", workers, { node_labels: { workload: "shop" } }),
  ),
  routine(
    "a setting of a web app",
    "An application change.",
    updated("azurerm_linux_web_app.shop", webApp, {
      app_settings: { FEATURE_RETURNS: "on", LOG_LEVEL: "info" },
    }),
  ),
  routine(
    "a plan gets more workers",
    "More capacity.",
    updated(
      "azurerm_service_plan.shop",
      azure("Microsoft.Web/serverFarms", "shop", {
        os_type: "Linux",
        per_site_scaling_enabled: false,
        sku_name: "P1v3",
        worker_count: 3,
        zone_balancing_enabled: true,
      }),
      { worker_count: 6 },
    ),
  ),
  routine(
    "logs are kept for longer",
    "Longer retention.",
    updated("azurerm_log_analytics_workspace.logs", logWorkspace, { retention_in_days: 730 }),
  ),
  routine(
    "flow logs are kept for longer",
    "Longer retention.",
    updated("azurerm_network_watcher_flow_log.shop", flowLog, {
      retention_policy: [{ enabled: true, days: 180 }],
    }),
  ),
  routine(
    "a NAT gateway keeps idle connections for longer",
    "Tuning.",
    updated(
      "azurerm_nat_gateway.shop",
      azure("Microsoft.Network/natGateways", "shop", {
        idle_timeout_in_minutes: 4,
        sku_name: "Standard",
        zones: ["1"],
      }),
      { idle_timeout_in_minutes: 10 },
    ),
  ),
  routine(
    "a group of origins is checked more often",
    "Faster failover.",
    updated(
      "azurerm_cdn_frontdoor_origin_group.shop",
      {
        id: `${GROUP}/providers/Microsoft.Cdn/profiles/shop/originGroups/shop`,
        name: "shop",
        cdn_frontdoor_profile_id: `${GROUP}/providers/Microsoft.Cdn/profiles/shop`,
        health_probe: [
          { path: "/healthz", protocol: "Https", request_type: "HEAD", interval_in_seconds: 100 },
        ],
        load_balancing: [{ sample_size: 4, successful_samples_required: 3 }],
        session_affinity_enabled: false,
      },
      {
        health_probe: [
          { path: "/healthz", protocol: "Https", request_type: "HEAD", interval_in_seconds: 30 },
        ],
      },
    ),
  ),
  routine(
    "a runbook changes",
    "An application change.",
    updated(
      "azurerm_automation_runbook.cleanup",
      azure("Microsoft.Automation/automationAccounts/ops/runbooks", "cleanup", {
        automation_account_name: "ops",
        content: "Remove-OldSnapshots -Days 90 -WhatIf",
        log_progress: false,
        log_verbose: false,
        runbook_type: "PowerShell72",
      }),
      { log_verbose: true },
    ),
  ),
  routine(
    "a rule scales a set of machines",
    "Capacity follows the load.",
    created(
      "azurerm_monitor_autoscale_setting.workers",
      azure("Microsoft.Insights/autoscaleSettings", "workers", {
        enabled: true,
        target_resource_id: `${GROUP}/providers/Microsoft.Compute/virtualMachineScaleSets/workers`,
        profile: [
          {
            name: "default",
            capacity: [{ default: 3, minimum: 2, maximum: 10 }],
            rule: [
              { scale_action: [{ direction: "Increase", type: "ChangeCount", value: 1, cooldown: "PT5M" }] },
            ],
          },
        ],
      }),
    ),
  ),
  routine(
    "a container registry removes untagged images",
    "Nothing deploys an image without a tag.",
    updated(
      "azurerm_container_registry.shop",
      { ...containerRegistry, retention_policy_in_days: 0 },
      { retention_policy_in_days: 30 },
    ),
  ),
  routine(
    "an alert is added for a web app",
    "Monitoring only.",
    created(
      "azurerm_monitor_metric_alert.memory",
      azure("Microsoft.Insights/metricAlerts", "memory", {
        action: [{ action_group_id: `${GROUP}/providers/Microsoft.Insights/actionGroups/on-call` }],
        criteria: [
          {
            metric_name: "MemoryWorkingSet",
            aggregation: "Average",
            operator: "GreaterThan",
            threshold: 9e8,
          },
        ],
        enabled: true,
        scopes: [`${GROUP}/providers/Microsoft.Web/sites/lumen-shop`],
      }),
    ),
  ),
  routine(
    "a web app gets a slot for tests",
    "New, closed to the public.",
    created("azurerm_linux_web_app_slot.test", {
      name: "test",
      app_service_id: `${GROUP}/providers/Microsoft.Web/sites/lumen-shop`,
      https_only: true,
      public_network_access_enabled: false,
      ftp_publish_basic_authentication_enabled: false,
      site_config: [{ always_on: false, ftps_state: "Disabled", minimum_tls_version: "1.2" }],
      ...changedBlock(webApp, "identity", {}),
    }),
  ),
];
