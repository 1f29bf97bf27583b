import {
  keyVault,
  kubernetesCluster,
  resourceGroup,
  sqlDatabase,
  storageAccount,
  virtualMachine,
} from "./estate/azure.ts";
import { logWorkspace, virtualNetwork, webApp } from "./estate/azure-services.ts";
import {
  cloudRunService,
  cryptoKey,
  kubernetes,
  ledgerDatabase,
  nodePool,
  PROJECT,
  pubsubSubscription,
  salesDataset,
  storageBucket,
  worker,
} from "./estate/google.ts";
import { destroyed, planOf, type ReviewedPlan } from "./plan.ts";

const project = {
  id: `projects/${PROJECT}`,
  project_id: PROJECT,
  number: "318402957114",
  name: "Lumen shop production",
  org_id: "118403926571",
  billing_account: "01D4EE-079462-DFD6EC",
  deletion_policy: "DELETE",
};
const network = {
  id: `projects/${PROJECT}/global/networks/production`,
  name: "production",
  project: PROJECT,
  auto_create_subnetworks: false,
  routing_mode: "REGIONAL",
};
const zone = {
  id: `projects/${PROJECT}/managedZones/shop`,
  name: "shop",
  dns_name: "lumen-shop.example.",
  project: PROJECT,
  visibility: "public",
  name_servers: ["ns-cloud-a1.googledomains.com."],
};

/** Google Cloud and Azure: deletions. */
export const DESTROY_CLOUDS: readonly ReviewedPlan[] = [
  {
    name: "Google: deletes a database",
    level: "critical",
    why: "The ledger and its backups would be lost.",
    plan: planOf(
      destroyed("google_sql_database_instance.ledger", { ...ledgerDatabase, deletion_protection: false }),
    ),
  },
  {
    name: "Google: deletes a bucket and its objects",
    level: "critical",
    why: "`force_destroy` deletes the objects too.",
    plan: planOf(
      destroyed("google_storage_bucket.reports", storageBucket("lumen-reports", { force_destroy: true })),
    ),
  },
  {
    name: "Google: deletes a dataset",
    level: "critical",
    why: "Deletes all sales tables.",
    plan: planOf(
      destroyed("google_bigquery_dataset.sales", { ...salesDataset, delete_contents_on_destroy: true }),
    ),
  },
  {
    name: "Google: deletes a project",
    level: "critical",
    why: "Everything in production goes with the project.",
    plan: planOf(destroyed("google_project.production", project)),
  },
  {
    name: "Google: deletes a key",
    level: "critical",
    why: "All key versions are destroyed, so the ledger can no longer be decrypted.",
    plan: planOf(destroyed("google_kms_crypto_key.ledger", cryptoKey)),
  },
  {
    name: "Google: deletes a DNS zone",
    level: "critical",
    why: "The shop's domain names would stop resolving.",
    plan: planOf(destroyed("google_dns_managed_zone.shop", zone)),
  },
  {
    name: "Google: deletes a network",
    level: "critical",
    why: "Deletes the production network.",
    plan: planOf(destroyed("google_compute_network.production", network)),
  },
  {
    name: "Google: deletes a Kubernetes cluster",
    level: "critical",
    why: "Deletes all workloads and their volumes.",
    plan: planOf(
      destroyed("google_container_cluster.production", { ...kubernetes, deletion_protection: false }),
    ),
  },
  {
    name: "Google: deletes a node pool",
    level: "high",
    why: "Its pods are evicted, and no other pool has room for them.",
    plan: planOf(destroyed("google_container_node_pool.general", nodePool)),
  },
  {
    name: "Google: deletes a machine",
    level: "high",
    why: "The worker stops, and its boot disk is deleted too.",
    plan: planOf(destroyed("google_compute_instance.worker", worker)),
  },
  {
    name: "Google: deletes a service",
    level: "high",
    why: "The checkout would stop.",
    plan: planOf(
      destroyed(
        "google_cloud_run_v2_service.checkout",
        cloudRunService("checkout", "europe-docker.pkg.dev/lumen-shop-prod/shop/checkout:3.4.1"),
      ),
    ),
  },
  {
    name: "Google: deletes a subscription",
    level: "medium",
    why: "The printer would get no more invoices; check the backlog first.",
    plan: planOf(destroyed("google_pubsub_subscription.printer", pubsubSubscription)),
  },
  {
    name: "Azure: deletes a resource group",
    level: "critical",
    why: "Deletes everything in it.",
    plan: planOf(destroyed("azurerm_resource_group.shop", resourceGroup)),
  },
  {
    name: "Azure: deletes a vault",
    level: "critical",
    why: "Deletes production's keys, secrets and certificates.",
    plan: planOf(destroyed("azurerm_key_vault.shop", keyVault)),
  },
  {
    name: "Azure: deletes a storage account",
    level: "critical",
    why: "Deletes all invoices.",
    plan: planOf(destroyed("azurerm_storage_account.invoices", storageAccount)),
  },
  {
    name: "Azure: deletes a database",
    level: "critical",
    why: "Deletes all orders.",
    plan: planOf(destroyed("azurerm_mssql_database.orders", sqlDatabase)),
  },
  {
    name: "Azure: deletes a virtual network",
    level: "critical",
    why: "Deletes the production network.",
    plan: planOf(destroyed("azurerm_virtual_network.shop", virtualNetwork)),
  },
  {
    name: "Azure: deletes a Kubernetes cluster",
    level: "critical",
    why: "Deletes all workloads and their volumes.",
    plan: planOf(destroyed("azurerm_kubernetes_cluster.production", kubernetesCluster)),
  },
  {
    name: "Azure: deletes the log workspace",
    level: "critical",
    why: "Deletes a year of logs, including audit logs.",
    plan: planOf(destroyed("azurerm_log_analytics_workspace.logs", logWorkspace)),
  },
  {
    name: "Azure: deletes a machine",
    level: "high",
    why: "The worker stops.",
    plan: planOf(destroyed("azurerm_linux_virtual_machine.worker", virtualMachine)),
  },
  {
    name: "Azure: deletes a web app",
    level: "high",
    why: "The shop would be unreachable.",
    plan: planOf(destroyed("azurerm_linux_web_app.shop", webApp)),
  },
];
