import { azure, GROUP, SUBSCRIPTION } from "./estate/azure.ts";
import { assignment, eligible, key, OWNER, PRINCIPAL, VAULT } from "./holdout-estate/azure-governance.ts";
import { created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** Azure: keys, Defender and policies. */
export const HOLDOUT_AZURE_POLICIES: readonly ReviewedPlan[] = [
  {
    name: "an application may read the vault's secrets",
    level: "medium",
    why: "A grant on secrets.",
    plan: planOf(
      created("azurerm_key_vault_access_policy.shop", {
        key_vault_id: VAULT,
        tenant_id: "9a4b6c2e-0d71-4f38-b5a9-e6c1d3f7082b",
        object_id: PRINCIPAL,
        application_id: "",
        certificate_permissions: [],
        key_permissions: [],
        secret_permissions: ["Get", "List"],
        storage_permissions: [],
      }),
    ),
  },
  {
    name: "a key rotates by itself",
    level: "low",
    why: "Safer; old versions stay.",
    plan: planOf(
      updated("azurerm_key_vault_key.ledger", key, {
        rotation_policy: [
          { expire_after: "P2Y", notify_before_expiry: "P30D", automatic: [{ time_after_creation: "P1Y" }] },
        ],
      }),
    ),
  },
  {
    name: "a hardware security module is deleted",
    level: "critical",
    why: "The module and its keys are deleted.",
    plan: planOf(
      destroyed(
        "azurerm_key_vault_managed_hardware_security_module.payments",
        azure("Microsoft.KeyVault/managedHSMs", "lumen-payments", {
          admin_object_ids: [PRINCIPAL],
          hsm_uri: "https://lumen-payments.managedhsm.azure.net/",
          public_network_access_enabled: false,
          purge_protection_enabled: false,
          sku_name: "Standard_B1",
          soft_delete_retention_days: 7,
          tenant_id: "9a4b6c2e-0d71-4f38-b5a9-e6c1d3f7082b",
        }),
      ),
    ),
  },
  {
    name: "Defender for Storage is turned off",
    level: "high",
    why: "Threats to storage accounts are no longer detected.",
    plan: planOf(
      updated(
        "azurerm_security_center_subscription_pricing.storage",
        {
          id: `${SUBSCRIPTION}/providers/Microsoft.Security/pricings/StorageAccounts`,
          resource_type: "StorageAccounts",
          subplan: "DefenderForStorageV2",
          tier: "Standard",
          extension: [],
        },
        { tier: "Free", subplan: "" },
      ),
    ),
  },
  {
    name: "Defender no longer mails its alerts",
    level: "medium",
    why: "Someone should check who reads the alerts elsewhere.",
    plan: planOf(
      updated(
        "azurerm_security_center_contact.team",
        {
          id: `${SUBSCRIPTION}/providers/Microsoft.Security/securityContacts/team`,
          name: "team",
          email: "security@lumen-shop.example",
          phone: "",
          alert_notifications: true,
          alerts_to_admins: true,
        },
        { alert_notifications: false },
      ),
    ),
  },
  {
    name: "a policy is no longer enforced",
    level: "high",
    why: "Public addresses may be created again.",
    plan: planOf(
      updated("azurerm_subscription_policy_assignment.no_public_ip", assignment({}), { enforce: false }),
    ),
  },
  {
    name: "a policy only audits",
    level: "high",
    why: "The effect changes from Deny to Audit, so nothing is blocked.",
    plan: planOf(
      updated("azurerm_subscription_policy_assignment.no_public_ip", assignment({}), {
        parameters: JSON.stringify({ effect: { value: "Audit" } }),
      }),
    ),
  },
  {
    name: "a policy is tried out",
    level: "low",
    why: "Not enforced; only reports.",
    plan: planOf(
      created("azurerm_subscription_policy_assignment.no_public_ip", assignment({ enforce: false })),
    ),
  },
  {
    name: "a resource group is exempt from a policy",
    level: "medium",
    why: "Someone should read the reason.",
    plan: planOf(
      created("azurerm_resource_group_policy_exemption.sandbox", {
        name: "sandbox",
        resource_group_id: GROUP,
        policy_assignment_id: `${SUBSCRIPTION}/providers/Microsoft.Authorization/policyAssignments/no-public-ip`,
        exemption_category: "Waiver",
        description: "Migration",
        display_name: "",
        expires_on: "2026-12-31T00:00:00Z",
        policy_definition_reference_ids: [],
      }),
    ),
  },
  {
    name: "a principal may become owner",
    level: "critical",
    why: "The role is Owner of the subscription, named by its id.",
    plan: planOf(created("azurerm_pim_eligible_role_assignment.operators", eligible(OWNER))),
  },
];
