import { storageAccount } from "./estate/azure.ts";
import {
  clicks,
  events,
  hubRule,
  INVOICES,
  management,
  ordersQueue,
  pipeline,
  trigger,
} from "./holdout-estate/azure-data.ts";
import { created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** Azure: storage, events and pipelines. */
export const HOLDOUT_AZURE_STORES: readonly ReviewedPlan[] = [
  {
    name: "blobs are deleted after 30 days",
    level: "high",
    why: "Every invoice older than 30 days is deleted.",
    plan: planOf(
      created(
        "azurerm_storage_management_policy.invoices",
        management({ delete_after_days_since_modification_greater_than: 30 }),
      ),
    ),
  },
  {
    name: "blobs become cool after 30 days",
    level: "low",
    why: "The blobs stay readable.",
    plan: planOf(
      created(
        "azurerm_storage_management_policy.invoices",
        management({ tier_to_cool_after_days_since_modification_greater_than: 30 }),
      ),
    ),
  },
  {
    name: "the immutability of a container is removed",
    level: "high",
    why: "Invoices can be changed and deleted.",
    plan: planOf(
      destroyed("azurerm_storage_container_immutability_policy.invoices", {
        id: `${INVOICES}/blobServices/default/containers/invoices/immutabilityPolicies/default`,
        storage_container_resource_manager_id: `${INVOICES}/blobServices/default/containers/invoices`,
        immutability_period_in_days: 3650,
        locked: false,
        protected_append_writes_all_enabled: false,
        protected_append_writes_enabled: false,
      }),
    ),
  },
  {
    name: "a storage account accepts account keys",
    level: "medium",
    why: "Keys give full access without an identity; someone should confirm it.",
    plan: planOf(
      updated("azurerm_storage_account.invoices", storageAccount, { shared_access_key_enabled: true }),
    ),
  },
  {
    name: "a file share grows",
    level: "low",
    why: "More space.",
    plan: planOf(
      updated(
        "azurerm_storage_share.homes",
        {
          id: "https://lumenhomes.file.core.windows.net/homes",
          name: "homes",
          storage_account_name: "lumenhomes",
          access_tier: "TransactionOptimized",
          enabled_protocol: "SMB",
          quota: 500,
          metadata: {},
        },
        { quota: 1000 },
      ),
    ),
  },
  {
    name: "an event namespace accepts public networks",
    level: "high",
    why: "The namespace is reachable from every network, without a list of addresses.",
    plan: planOf(
      updated("azurerm_eventhub_namespace.events", events, { public_network_access_enabled: true }),
    ),
  },
  {
    name: "an event namespace may inflate further",
    level: "low",
    why: "More capacity at peaks.",
    plan: planOf(updated("azurerm_eventhub_namespace.events", events, { maximum_throughput_units: 20 })),
  },
  {
    name: "an event hub keeps events for a day instead of a week",
    level: "medium",
    why: "Older events are dropped; someone should check the consumers' lag.",
    plan: planOf(updated("azurerm_eventhub.clicks", clicks, { message_retention: 1 })),
  },
  {
    name: "a key that listens to an event hub",
    level: "medium",
    why: "A new credential that reads events.",
    plan: planOf(created("azurerm_eventhub_authorization_rule.reports", hubRule(false))),
  },
  {
    name: "a queue locks messages longer",
    level: "low",
    why: "Tuning of the consumer.",
    plan: planOf(updated("azurerm_servicebus_queue.orders", ordersQueue, { lock_duration: "PT5M" })),
  },
  {
    name: "a queue is disabled",
    level: "high",
    why: "Senders and receivers of orders fail.",
    plan: planOf(updated("azurerm_servicebus_queue.orders", ordersQueue, { status: "Disabled" })),
  },
  {
    name: "a pipeline retries more often",
    level: "low",
    why: "An application change.",
    plan: planOf(
      updated("azurerm_data_factory_pipeline.sales", pipeline, {
        activities_json: JSON.stringify([{ name: "copy", type: "Copy", policy: { retry: 3 } }]),
      }),
    ),
  },
  {
    name: "a nightly trigger is deactivated",
    level: "medium",
    why: "The sales are no longer copied.",
    plan: planOf(updated("azurerm_data_factory_trigger_schedule.nightly", trigger, { activated: false })),
  },
];
