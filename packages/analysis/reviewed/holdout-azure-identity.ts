import { diagnosticSetting } from "./estate/azure-services.ts";
import { azure, GROUP, SUBSCRIPTION } from "./estate/azure.ts";
import {
  alertRule,
  appRole,
  conditionalAccess,
  eligible,
  flowLog,
  metricAlert,
  operators,
  PRINCIPAL,
  READER,
  RESTART,
} from "./holdout-estate/azure-governance.ts";
import { created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** Azure: identities, directories and alerts. */
export const HOLDOUT_AZURE_IDENTITY: readonly ReviewedPlan[] = [
  {
    name: "a principal may become reader",
    level: "medium",
    why: "The role is Reader, named by its id.",
    plan: planOf(created("azurerm_pim_eligible_role_assignment.operators", eligible(READER))),
  },
  {
    name: "a custom role may assign roles",
    level: "critical",
    why: "Its holders can make themselves owners.",
    plan: planOf(
      updated(
        "azurerm_role_definition.operators",
        operators(RESTART),
        operators(RESTART, "Microsoft.Authorization/roleAssignments/write"),
      ),
    ),
  },
  {
    name: "a custom role may read web apps",
    level: "medium",
    why: "A wider role, read-only.",
    plan: planOf(
      updated(
        "azurerm_role_definition.operators",
        operators(RESTART),
        operators(RESTART, "Microsoft.Web/sites/read"),
      ),
    ),
  },
  {
    name: "the lock of a resource group is removed",
    level: "high",
    why: "The lock kept anyone from deleting production.",
    plan: planOf(
      destroyed("azurerm_management_lock.production", {
        id: `${GROUP}/providers/Microsoft.Authorization/locks/keep`,
        name: "keep",
        scope: GROUP,
        lock_level: "CanNotDelete",
        notes: "Production",
      }),
    ),
  },
  {
    name: "another tenant manages the subscription",
    level: "high",
    why: "A provider's staff get access from their own tenant.",
    plan: planOf(
      created("azurerm_lighthouse_assignment.provider", {
        scope: SUBSCRIPTION,
        lighthouse_definition_id: `${SUBSCRIPTION}/providers/Microsoft.ManagedServices/registrationDefinitions/1f2e`,
      }),
    ),
  },
  {
    name: "the main branch of a repository may sign in",
    level: "medium",
    why: "A new way to sign in, limited to one branch.",
    plan: planOf(
      created("azurerm_federated_identity_credential.deploy", {
        name: "deploy",
        resource_group_name: "shop-prod",
        parent_id: `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/deploy`,
        audience: ["api://AzureADTokenExchange"],
        issuer: "https://token.actions.githubusercontent.com",
        subject: "repo:lumen-shop/checkout:ref:refs/heads/main",
      }),
    ),
  },
  {
    name: "an identity in use is deleted",
    level: "high",
    why: "Applications lose their identity, and a new one has no roles.",
    plan: planOf(
      destroyed(
        "azurerm_user_assigned_identity.shop",
        azure("Microsoft.ManagedIdentity/userAssignedIdentities", "shop", {
          client_id: "7f6e5d4c-3b2a-4190-8877-665544332211",
          principal_id: PRINCIPAL,
          tenant_id: "9a4b6c2e-0d71-4f38-b5a9-e6c1d3f7082b",
        }),
      ),
    ),
  },
  {
    name: "a principal becomes global administrator",
    level: "critical",
    why: "Control of the whole directory, named by the role's id.",
    plan: planOf(
      created("azuread_directory_role_assignment.deploy", {
        role_id: "62e90394-69f5-4237-9190-012177145e10",
        principal_object_id: PRINCIPAL,
        app_scope_id: null,
        directory_scope_id: "/",
      }),
    ),
  },
  {
    name: "an application may manage directory roles",
    level: "critical",
    why: "RoleManagement.ReadWrite.Directory lets the application make itself global administrator.",
    plan: planOf(
      created("azuread_app_role_assignment.deploy", appRole("9e3f62cf-ca93-4989-b6ce-bf83c28f9fe8")),
    ),
  },
  {
    name: "an application may read users",
    level: "medium",
    why: "User.Read.All: read-only access to the directory.",
    plan: planOf(
      created("azuread_app_role_assignment.deploy", appRole("df021288-bdef-4463-88db-98f22de89214")),
    ),
  },
  {
    name: "the second factor is only reported",
    level: "high",
    why: "Everyone can sign in with a password only.",
    plan: planOf(
      updated("azuread_conditional_access_policy.mfa", conditionalAccess, {
        state: "enabledForReportingButNotEnforced",
      }),
    ),
  },
  {
    name: "a person joins a group",
    level: "medium",
    why: "The person gains the group's access.",
    plan: planOf(
      created("azuread_group_member.operators", {
        group_object_id: "0e1d2c3b-4a5f-4678-9a0b-1c2d3e4f5a6b",
        member_object_id: PRINCIPAL,
      }),
    ),
  },
  {
    name: "flow logs of a network are disabled",
    level: "high",
    why: "Investigations lose the network's records.",
    plan: planOf(updated("azurerm_network_watcher_flow_log.shop", flowLog, { enabled: false })),
  },
  {
    name: "a vault also sends metrics",
    level: "low",
    why: "Only more data.",
    plan: planOf(
      updated("azurerm_monitor_diagnostic_setting.vault", diagnosticSetting, {
        metric: [{ category: "AllMetrics", enabled: true }],
      }),
    ),
  },
  {
    name: "a detection rule is disabled",
    level: "high",
    why: "Stolen data goes unnoticed.",
    plan: planOf(
      updated("azurerm_sentinel_alert_rule_scheduled.exfiltration", alertRule, { enabled: false }),
    ),
  },
  {
    name: "an alert fires later",
    level: "low",
    why: "Tuning.",
    plan: planOf(
      updated("azurerm_monitor_metric_alert.errors", metricAlert, {
        criteria: [{ metric_name: "Http5xx", aggregation: "Total", operator: "GreaterThan", threshold: 25 }],
      }),
    ),
  },
  {
    name: "alerts lose their receivers",
    level: "medium",
    why: "Nobody is paged until alerts get another group.",
    plan: planOf(
      destroyed(
        "azurerm_monitor_action_group.on_call",
        azure("Microsoft.Insights/actionGroups", "on-call", {
          enabled: true,
          short_name: "oncall",
          email_receiver: [{ name: "team", email_address: "on-call@lumen-shop.example" }],
        }),
      ),
    ),
  },
];
