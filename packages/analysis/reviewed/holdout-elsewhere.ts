import { githubRepository } from "./estate/elsewhere.ts";
import {
  accessPolicy,
  collaborator,
  environment,
  ruleset,
  zoneSettings,
} from "./holdout-estate/elsewhere.ts";
import { created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** GitHub and Cloudflare. */
export const HOLDOUT_ELSEWHERE: readonly ReviewedPlan[] = [
  {
    name: "a ruleset is disabled",
    level: "high",
    why: "Anyone with write access may push to main without review.",
    plan: planOf(updated("github_repository_ruleset.main", ruleset, { enforcement: "disabled" })),
  },
  {
    name: "deployments to production need no approval",
    level: "high",
    why: "Every workflow may deploy without a reviewer.",
    plan: planOf(updated("github_repository_environment.production", environment, { reviewers: [] })),
  },
  {
    name: "a consultant administers a repository",
    level: "high",
    why: "An outside person may change protections and secrets.",
    plan: planOf(created("github_repository_collaborator.consultant", collaborator("admin"))),
  },
  {
    name: "a consultant reads a repository",
    level: "medium",
    why: "An outside person gets access to the code.",
    plan: planOf(created("github_repository_collaborator.consultant", collaborator("pull"))),
  },
  {
    name: "a repository loses its wiki",
    level: "low",
    why: "A feature of the page; nothing deploys from it.",
    plan: planOf(
      updated(
        "github_repository.checkout",
        { ...githubRepository("checkout", "private"), has_wiki: true },
        { has_wiki: false },
      ),
    ),
  },
  {
    name: "Cloudflare talks plain HTTP to the origin",
    level: "high",
    why: "Flexible mode sends logins and carts unencrypted to the origin.",
    plan: planOf(
      updated("cloudflare_zone_settings_override.shop", zoneSettings({}), zoneSettings({ ssl: "flexible" })),
    ),
  },
  {
    name: "Cloudflare stops Brotli compression",
    level: "low",
    why: "Slightly larger pages.",
    plan: planOf(
      updated("cloudflare_zone_settings_override.shop", zoneSettings({}), zoneSettings({ brotli: "off" })),
    ),
  },
  {
    name: "the back office lets everyone in",
    level: "high",
    why: "The policy bypasses the sign-in for everyone.",
    plan: planOf(
      created("cloudflare_zero_trust_access_policy.everyone", accessPolicy("bypass", [{ everyone: true }])),
    ),
  },
  {
    name: "the back office lets employees in",
    level: "medium",
    why: "An access policy for one mail domain.",
    plan: planOf(
      created(
        "cloudflare_zero_trust_access_policy.employees",
        accessPolicy("allow", [{ email_domain: ["lumen-shop.example"] }]),
      ),
    ),
  },
  {
    name: "an R2 bucket is deleted",
    level: "critical",
    why: "The bucket's objects are lost.",
    plan: planOf(
      destroyed("cloudflare_r2_bucket.exports", {
        id: "exports",
        account_id: "01a7362d577a6c3019a474fd6f485823",
        name: "exports",
        location: "WEUR",
      }),
    ),
  },
];
