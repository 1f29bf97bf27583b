import {
  azure,
  keyVault,
  kubernetesCluster,
  postgres,
  resourceGroup,
  sqlServer,
  storageAccount,
  storageContainer,
} from "./estate/azure.ts";
import {
  containerRegistry,
  cosmosAccount,
  logWorkspace,
  publicIp,
  redisCache,
  virtualNetwork,
  webApp,
} from "./estate/azure-services.ts";
import { cloudflareRecord, deployment, githubRepository, helmRelease, metadata } from "./estate/elsewhere.ts";
import { created, planOf, type ReviewedPlan, updated } from "./plan.ts";

const endpoint = azure("Microsoft.Network/privateEndpoints", "invoices", {
  subnet_id:
    "/subscriptions/5f0c7d1a-3b2e-4c96-8a41-d7e9b0c6f213/resourceGroups/shop-prod/providers/Microsoft.Network/virtualNetworks/shop/subnets/endpoints",
  private_service_connection: [
    { name: "invoices", is_manual_connection: false, subresource_names: ["blob"] },
  ],
});
const flags = { id: "shop/flags", metadata: metadata("flags"), data: { RETURNS: "off" }, binary_data: {} };

/** Azure, Kubernetes, Helm, GitHub and Cloudflare: changes without risk. */
export const HARMLESS_CLOUDS: readonly ReviewedPlan[] = [
  {
    name: "Azure: a resource group's tags",
    level: "none",
    why: "Tags only.",
    plan: planOf(
      updated("azurerm_resource_group.shop", resourceGroup, {
        tags: { team: "shop", env: "prod", cost: "4711" },
      }),
    ),
  },
  {
    name: "Azure: a new private storage account",
    level: "low",
    why: "No public network access, and a private endpoint.",
    plan: planOf(
      created("azurerm_resource_group.shop", resourceGroup),
      created("azurerm_storage_account.invoices", storageAccount),
      created("azurerm_storage_container.invoices", storageContainer("private")),
      created("azurerm_private_endpoint.invoices", endpoint),
    ),
  },
  {
    name: "Azure: new private databases",
    level: "low",
    why: "No public network access.",
    plan: planOf(
      created("azurerm_mssql_server.shop", sqlServer),
      created("azurerm_postgresql_flexible_server.ledger", postgres),
      created("azurerm_cosmosdb_account.catalog", cosmosAccount),
      created("azurerm_redis_cache.sessions", redisCache),
    ),
  },
  {
    name: "Azure: a new web app",
    level: "low",
    why: "Meant to be public, HTTPS only.",
    plan: planOf(created("azurerm_linux_web_app.shop", webApp)),
  },
  {
    name: "Azure: a web app's settings",
    level: "low",
    why: "Turns a feature on.",
    plan: planOf(
      updated("azurerm_linux_web_app.shop", webApp, {
        app_settings: { FEATURE_RETURNS: "on", LOG_LEVEL: "info" },
      }),
    ),
  },
  {
    name: "Azure: a new vault, registry and log workspace",
    level: "low",
    why: "Private, with purge protection.",
    plan: planOf(
      created("azurerm_key_vault.shop", keyVault),
      created("azurerm_container_registry.shop", containerRegistry),
      created("azurerm_log_analytics_workspace.logs", logWorkspace),
    ),
  },
  {
    name: "Azure: a new network, address and cluster",
    level: "low",
    why: "The address is for the gateway; the cluster is private.",
    plan: planOf(
      created("azurerm_virtual_network.shop", virtualNetwork),
      created("azurerm_public_ip.gateway", publicIp),
      created("azurerm_kubernetes_cluster.production", kubernetesCluster),
    ),
  },
  {
    name: "Kubernetes: a new image, a flag and more replicas",
    level: "low",
    why: "A release.",
    plan: planOf(
      updated(
        "kubernetes_deployment.checkout",
        deployment("checkout", "registry.example.com/checkout:3.4.1", "3"),
        deployment("checkout", "registry.example.com/checkout:3.5.0", "5"),
      ),
      updated("kubernetes_config_map.flags", flags, { data: { RETURNS: "on" } }),
    ),
  },
  {
    name: "Helm: a chart's patch version",
    level: "low",
    why: "4.11.2 becomes 4.11.3.",
    plan: planOf(
      updated(
        "helm_release.ingress",
        helmRelease("ingress-nginx", "ingress-nginx", "4.11.2"),
        { version: "4.11.3" },
        ["metadata"],
      ),
    ),
  },
  {
    name: "GitHub: a new private repository",
    level: "low",
    why: "Private.",
    plan: planOf(created("github_repository.refunds", githubRepository("refunds", "private"))),
  },
  {
    name: "GitHub: a repository's description",
    level: "none",
    why: "Description only.",
    plan: planOf(
      updated("github_repository.checkout", githubRepository("checkout", "private"), {
        description: "The shop's checkout",
      }),
    ),
  },
  {
    name: "Cloudflare: a new TXT record",
    level: "low",
    why: "Verifies the domain.",
    plan: planOf(created("cloudflare_record.proof", cloudflareRecord("@", "TXT", "ms=ms48211937", false))),
  },
];
