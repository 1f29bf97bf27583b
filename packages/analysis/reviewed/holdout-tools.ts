import {
  database,
  EVERYTHING,
  logsIndex,
  monitor,
  networkPolicy,
  READ_SHOP,
  roleGrant,
  transit,
  vaultPolicy,
  warehouse,
  workloadRole,
} from "./holdout-estate/tools.ts";
import { created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** Datadog, Vault and Snowflake. */
export const HOLDOUT_TOOLS: readonly ReviewedPlan[] = [
  {
    name: "a monitor tolerates more errors",
    level: "low",
    why: "Tuning.",
    plan: planOf(
      updated("datadog_monitor.errors", monitor, {
        query: "sum(last_5m):sum:trace.http.request.errors{service:checkout}.as_count() > 80",
        monitor_thresholds: [{ critical: "80", warning: "25" }],
      }),
    ),
  },
  {
    name: "a monitor is deleted",
    level: "medium",
    why: "Nobody is paged for errors of the checkout.",
    plan: planOf(destroyed("datadog_monitor.errors", monitor)),
  },
  {
    name: "logs are kept for three days instead of 15",
    level: "medium",
    why: "Investigations may lack logs; someone should confirm it.",
    plan: planOf(updated("datadog_logs_index.main", logsIndex, { retention_days: 3 })),
  },
  {
    name: "a detection rule of Datadog is disabled",
    level: "high",
    why: "Signs of an attack are no longer reported.",
    plan: planOf(
      updated(
        "datadog_security_monitoring_rule.console_login",
        {
          id: "abc-def-ghi",
          name: "Console sign-in without a second factor",
          enabled: true,
          message: "",
          query: [{ name: "a", query: "source:cloudtrail @evt.name:ConsoleLogin", aggregation: "count" }],
          case: [{ status: "high", condition: "a > 0", notifications: ["@slack-security"] }],
        },
        { enabled: false },
      ),
    ),
  },
  {
    name: "a Vault policy reads the shop's secrets",
    level: "medium",
    why: "A grant on secrets.",
    plan: planOf(created("vault_policy.shop", vaultPolicy(READ_SHOP))),
  },
  {
    name: "a Vault policy may do everything",
    level: "critical",
    why: "Every path with sudo is control of Vault and all its secrets.",
    plan: planOf(updated("vault_policy.shop", vaultPolicy(READ_SHOP), vaultPolicy(EVERYTHING))),
  },
  {
    name: "Vault's audit device is removed",
    level: "high",
    why: "Nobody can see who read which secret.",
    plan: planOf(
      destroyed("vault_audit.file", {
        id: "file",
        path: "file",
        type: "file",
        description: "",
        local: false,
        options: { file_path: "/var/log/vault/audit.log" },
      }),
    ),
  },
  {
    name: "a secrets engine of Vault is removed",
    level: "critical",
    why: "Unmounting deletes every secret of the engine.",
    plan: planOf(
      destroyed("vault_mount.shop", {
        id: "shop",
        path: "shop",
        type: "kv-v2",
        accessor: "kv_0a1b2c3d",
        description: "",
        options: { version: "2" },
        seal_wrap: false,
        max_lease_ttl_seconds: 0,
      }),
    ),
  },
  {
    name: "every pod may sign in to Vault",
    level: "high",
    why: "Any service account of any namespace gets the shop's secrets.",
    plan: planOf(
      updated(
        "vault_kubernetes_auth_backend_role.shop",
        workloadRole(["checkout"], ["shop"]),
        workloadRole(["*"], ["*"]),
      ),
    ),
  },
  {
    name: "a second service account may sign in to Vault",
    level: "medium",
    why: "Another workload gets the shop's secrets.",
    plan: planOf(
      updated(
        "vault_kubernetes_auth_backend_role.shop",
        workloadRole(["checkout"], ["shop"]),
        workloadRole(["checkout", "mailer"], ["shop"]),
      ),
    ),
  },
  {
    name: "an encryption key of Vault may be deleted",
    level: "high",
    why: "The key's protection against deletion is off.",
    plan: planOf(updated("vault_transit_secret_backend_key.cards", transit, { deletion_allowed: true })),
  },
  {
    name: "a warehouse gets larger",
    level: "low",
    why: "Faster queries, higher cost.",
    plan: planOf(updated("snowflake_warehouse.reports", warehouse, { warehouse_size: "MEDIUM" })),
  },
  {
    name: "a Snowflake database is dropped",
    level: "critical",
    why: "The sales are lost.",
    plan: planOf(destroyed("snowflake_database.sales", database)),
  },
  {
    name: "time travel of a database ends",
    level: "high",
    why: "Deleted rows can no longer be restored.",
    plan: planOf(updated("snowflake_database.sales", database, { data_retention_time_in_days: 0 })),
  },
  {
    name: "Snowflake accepts every address",
    level: "high",
    why: "The list of addresses no longer limits who can try to sign in.",
    plan: planOf(
      updated(
        "snowflake_network_policy.offices",
        networkPolicy("203.0.113.48/29"),
        networkPolicy("0.0.0.0/0"),
      ),
    ),
  },
  {
    name: "Snowflake accepts a second office",
    level: "medium",
    why: "A network rule.",
    plan: planOf(
      updated(
        "snowflake_network_policy.offices",
        networkPolicy("203.0.113.48/29"),
        networkPolicy("203.0.113.48/29", "203.0.113.64/29"),
      ),
    ),
  },
  {
    name: "a user becomes account administrator",
    level: "critical",
    why: "ACCOUNTADMIN controls the whole account.",
    plan: planOf(created("snowflake_grant_account_role.jane", roleGrant("ACCOUNTADMIN"))),
  },
  {
    name: "a user becomes analyst",
    level: "medium",
    why: "A grant of a role.",
    plan: planOf(created("snowflake_grant_account_role.jane", roleGrant("ANALYST"))),
  },
];
