import { PROJECT } from "./estate/google.ts";
import { GITHUB_OIDC, keyVersion, secret, service } from "./holdout-estate/google-governance.ts";
import { created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** Google Cloud: keys, secrets, identities and projects. */
export const HOLDOUT_GOOGLE_SECRETS: readonly ReviewedPlan[] = [
  {
    name: "a key version is destroyed",
    level: "critical",
    why: "Data encrypted with this version can no longer be read.",
    plan: planOf(destroyed("google_kms_crypto_key_version.ledger", keyVersion("ENABLED"))),
  },
  {
    name: "a key version is disabled",
    level: "high",
    why: "Data can't be read until someone enables it.",
    plan: planOf(
      updated("google_kms_crypto_key_version.ledger", keyVersion("ENABLED"), { state: "DISABLED" }),
    ),
  },
  {
    name: "every GitHub repository may sign in",
    level: "critical",
    why: "Without the condition, tokens of any repository in the world are accepted.",
    plan: planOf(
      updated("google_iam_workload_identity_pool_provider.github", GITHUB_OIDC, { attribute_condition: "" }),
    ),
  },
  {
    name: "a provider for one GitHub organization",
    level: "medium",
    why: "A new way to sign in, limited to the organization.",
    plan: planOf(created("google_iam_workload_identity_pool_provider.github", GITHUB_OIDC)),
  },
  {
    name: "BigQuery is disabled in a project",
    level: "high",
    why: "Every query fails, and dependent services are disabled too.",
    plan: planOf(destroyed("google_project_service.bigquery", service(true))),
  },
  {
    name: "BigQuery is no longer managed in a project",
    level: "low",
    why: "The service stays enabled; Terraform forgets it.",
    plan: planOf(destroyed("google_project_service.bigquery", service(false))),
  },
  {
    name: "the lien of a project is removed",
    level: "high",
    why: "The lien kept anyone from deleting the project.",
    plan: planOf(
      destroyed("google_resource_manager_lien.production", {
        id: "p481920384756-l3f4a5b6c",
        name: "p481920384756-l3f4a5b6c",
        origin: "terraform",
        parent: "projects/481920384756",
        reason: "Production",
        restrictions: ["resourcemanager.projects.delete"],
        create_time: "2025-03-01T09:00:00Z",
      }),
    ),
  },
  {
    name: "a secret gets an expiration",
    level: "high",
    why: "Google deletes the secret at that time.",
    plan: planOf(
      updated("google_secret_manager_secret.stripe", secret, { expire_time: "2026-12-31T00:00:00Z" }),
    ),
  },
  {
    name: "a secret reminds people to rotate it",
    level: "low",
    why: "A notification, nothing else.",
    plan: planOf(
      updated("google_secret_manager_secret.stripe", secret, {
        rotation: [{ next_rotation_time: "2026-12-01T00:00:00Z", rotation_period: "7776000s" }],
        topics: [{ name: `projects/${PROJECT}/topics/rotation` }],
      }),
    ),
  },
  {
    name: "the version of a secret is disabled",
    level: "high",
    why: "Applications that read the version fail.",
    plan: planOf(
      updated(
        "google_secret_manager_secret_version.stripe",
        {
          id: `projects/${PROJECT}/secrets/stripe/versions/6`,
          name: `projects/${PROJECT}/secrets/stripe/versions/6`,
          secret: `projects/${PROJECT}/secrets/stripe`,
          deletion_policy: "DELETE",
          enabled: true,
          is_secret_data_base64: false,
          version: "6",
        },
        { enabled: false },
      ),
    ),
  },
  {
    name: "a deny policy is removed",
    level: "high",
    why: "The policy kept everyone from deleting projects.",
    plan: planOf(
      destroyed("google_iam_deny_policy.projects", {
        id: "cloudresourcemanager.googleapis.com%2Forganizations%2F481920384756/projects",
        name: "projects",
        parent: "cloudresourcemanager.googleapis.com%2Forganizations%2F481920384756",
        display_name: "Keep projects",
        rules: [
          {
            deny_rule: [
              {
                denied_principals: ["principalSet://goog/public:all"],
                denied_permissions: ["cloudresourcemanager.googleapis.com/projects.delete"],
              },
            ],
          },
        ],
      }),
    ),
  },
  {
    name: "a service account gets a key",
    level: "medium",
    why: "A long-lived credential.",
    plan: planOf(
      created("google_service_account_key.deploy", {
        service_account_id: `projects/${PROJECT}/serviceAccounts/deploy@${PROJECT}.iam.gserviceaccount.com`,
        key_algorithm: "KEY_ALG_RSA_2048",
        private_key_type: "TYPE_GOOGLE_CREDENTIALS_FILE",
        keepers: null,
      }),
    ),
  },
  {
    name: "a budget is raised",
    level: "low",
    why: "Only warnings come later.",
    plan: planOf(
      updated(
        "google_billing_budget.monthly",
        {
          id: "billingAccounts/01A2B3-C4D5E6-F7A8B9/budgets/0f1e2d3c",
          billing_account: "01A2B3-C4D5E6-F7A8B9",
          display_name: "monthly",
          amount: [{ specified_amount: [{ currency_code: "EUR", units: "20000" }] }],
          threshold_rules: [{ spend_basis: "CURRENT_SPEND", threshold_percent: 0.9 }],
        },
        { amount: [{ specified_amount: [{ currency_code: "EUR", units: "25000" }] }] },
      ),
    ),
  },
];
