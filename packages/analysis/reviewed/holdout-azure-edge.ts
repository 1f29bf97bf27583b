import { containerRegistry, webApp } from "./estate/azure-services.ts";
import { azure, GROUP, kubernetesCluster } from "./estate/azure.ts";
import {
  DNAT,
  endpoint,
  firewallRules,
  HEADER,
  ordersApi,
  OUTBOUND,
  policyXml,
  publicCluster,
  restricted,
  signedIn,
  VALIDATE,
  workers,
} from "./holdout-estate/azure-edge.ts";
import {
  changedBlock,
  created,
  destroyed,
  planOf,
  replaced,
  type ReviewedPlan,
  unchanged,
  updated,
} from "./plan.ts";

/** Azure: clusters, private endpoints, web apps and firewalls. */
export const HOLDOUT_AZURE_EDGE: readonly ReviewedPlan[] = [
  {
    name: "a cluster's API accepts every address",
    level: "critical",
    why: "The Kubernetes API of production is open to the internet.",
    plan: planOf(
      updated("azurerm_kubernetes_cluster.production", publicCluster, { api_server_access_profile: [] }),
    ),
  },
  {
    name: "a cluster accepts local accounts",
    level: "high",
    why: "Shared administrator certificates bypass Entra ID.",
    plan: planOf(
      updated("azurerm_kubernetes_cluster.production", kubernetesCluster, { local_account_disabled: false }),
    ),
  },
  {
    name: "a node pool gets other machines",
    level: "high",
    why: "The pool is destroyed before the new one exists.",
    plan: planOf(
      replaced("azurerm_kubernetes_cluster_node_pool.workers", workers, { vm_size: "Standard_D8s_v5" }),
    ),
  },
  {
    name: "a node pool may grow further",
    level: "low",
    why: "More capacity at peaks.",
    plan: planOf(updated("azurerm_kubernetes_cluster_node_pool.workers", workers, { max_count: 16 })),
  },
  {
    name: "a registry gets an administrator's password",
    level: "high",
    why: "One shared password can push any image.",
    plan: planOf(updated("azurerm_container_registry.shop", containerRegistry, { admin_enabled: true })),
  },
  {
    name: "a private endpoint is removed",
    level: "high",
    why: "Applications in the network lose the storage account.",
    plan: planOf(destroyed("azurerm_private_endpoint.invoices", endpoint)),
  },
  {
    name: "a private endpoint is added",
    level: "low",
    why: "A private path to a service; nothing else changes.",
    plan: planOf(created("azurerm_private_endpoint.invoices", endpoint)),
  },
  {
    name: "a private zone is unlinked from the network",
    level: "high",
    why: "Private endpoints no longer resolve.",
    plan: planOf(
      destroyed("azurerm_private_dns_zone_virtual_network_link.blob", {
        id: `${GROUP}/providers/Microsoft.Network/privateDnsZones/blob/virtualNetworkLinks/shop`,
        name: "shop",
        resource_group_name: "shop-prod",
        private_dns_zone_name: "privatelink.blob.core.windows.net",
        registration_enabled: false,
        virtual_network_id: `${GROUP}/providers/Microsoft.Network/virtualNetworks/shop`,
        tags: {},
      }),
    ),
  },
  {
    name: "a web app accepts visitors around Front Door",
    level: "high",
    why: "Requests can bypass the web firewall.",
    plan: planOf(
      updated(
        "azurerm_linux_web_app.shop",
        restricted,
        changedBlock(restricted, "site_config", {
          ip_restriction: [],
          ip_restriction_default_action: "Allow",
        }),
      ),
    ),
  },
  {
    name: "a web app no longer asks for a sign-in",
    level: "high",
    why: "Everyone can use the back office.",
    plan: planOf(
      updated(
        "azurerm_linux_web_app.backoffice",
        signedIn,
        changedBlock(signedIn, "auth_settings_v2", { auth_enabled: false, require_authentication: false }),
      ),
    ),
  },
  {
    name: "an API no longer checks tokens",
    level: "high",
    why: "The policy's token check is gone; anyone can call the API.",
    plan: planOf(
      updated("azurerm_api_management_api_policy.orders", policyXml(VALIDATE + HEADER), policyXml(HEADER)),
    ),
  },
  {
    name: "an API sets another header",
    level: "low",
    why: "The token check stays.",
    plan: planOf(
      updated("azurerm_api_management_api_policy.orders", policyXml(VALIDATE), policyXml(VALIDATE + HEADER)),
    ),
  },
  {
    name: "an API needs no subscription",
    level: "high",
    why: "Callers no longer need a key.",
    plan: planOf(updated("azurerm_api_management_api.orders", ordersApi, { subscription_required: false })),
  },
  {
    name: "remote desktop through the firewall from everywhere",
    level: "critical",
    why: "The firewall forwards port 3389 from the internet to a server.",
    plan: planOf(
      updated(
        "azurerm_firewall_policy_rule_collection_group.shop",
        firewallRules({}),
        firewallRules({ nat_rule_collection: [DNAT] }),
      ),
    ),
  },
  {
    name: "servers may reach a payment provider",
    level: "medium",
    why: "A narrow firewall rule; every rule is read.",
    plan: planOf(
      updated(
        "azurerm_firewall_policy_rule_collection_group.shop",
        firewallRules({}),
        firewallRules({ network_rule_collection: [OUTBOUND] }),
      ),
    ),
  },
  {
    name: "a firewall ignores threat intelligence",
    level: "high",
    why: "Traffic to known bad addresses is no longer blocked.",
    plan: planOf(
      updated(
        "azurerm_firewall_policy.hub",
        azure("Microsoft.Network/firewallPolicies", "hub", {
          sku: "Premium",
          threat_intelligence_mode: "Deny",
          intrusion_detection: [{ mode: "Deny" }],
          dns: [{ proxy_enabled: true, servers: [] }],
        }),
        { threat_intelligence_mode: "Off" },
      ),
    ),
  },
  {
    name: "only a rename in code",
    level: "none",
    why: "Only the address of the web app changes.",
    plan: planOf(
      unchanged("module.shop.azurerm_linux_web_app.this", webApp, {
        previous_address: "azurerm_linux_web_app.shop",
      }),
    ),
  },
];
