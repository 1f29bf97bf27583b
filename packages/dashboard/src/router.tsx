import { createRoute, createRouter, redirect } from "@tanstack/react-router";

import { organization, root } from "./organization-route.tsx";
import { adoptSearch } from "./pages/inventory/adopt-search.ts";
import { connectSearch, newAccountSearch } from "./pages/accounts/search.ts";
import { driftSearch, snapshotSearch, snapshotsSearch } from "./pages/drift/search.ts";
import { inventorySearch } from "./pages/inventory/search.ts";
import { homeSearch } from "./pages/posture/since.ts";
import { rememberSearch } from "./pages/last-search.ts";
import { noiseSearch } from "./pages/noise/search.ts";
import { plansSearch } from "./pages/plans/search.ts";
import { newWebhookSearch, webhookSearch } from "./pages/webhooks/search.ts";
import { newRuleSearch, rulesSearch } from "./pages/rules/search.ts";
import { parseSearch, stringifySearch } from "./pages/search.ts";
import { sourceSearch } from "./pages/sources/search.ts";
import { scanSearch } from "./pages/scans/search.ts";
import { Home } from "./session/home.tsx";
import { SignedIn } from "./session/sign-in-again.tsx";
import { settingsPages } from "./settings-routes.tsx";
import { loadPage } from "./shell/load-page.ts";
import { Failed, Nowhere, Waiting } from "./shell/stand-ins.tsx";

const home = createRoute({ getParentRoute: () => root, path: "/", component: Home });
const signedIn = createRoute({ getParentRoute: () => root, path: "/signed-in", component: SignedIn });

const start = createRoute({
  getParentRoute: () => organization,
  path: "/",
  beforeLoad: ({ params: { orgId } }) => {
    // oxlint-disable-next-line typescript/only-throw-error -- the router's way of redirecting
    throw redirect({ to: "/orgs/$orgId/posture", params: { orgId }, replace: true });
  },
});
const posture = createRoute({
  getParentRoute: () => organization,
  path: "/posture",
  validateSearch: homeSearch,
  component: loadPage(() => import("./pages/posture/posture.tsx"), "PosturePage"),
});

const inventory = createRoute({
  getParentRoute: () => organization,
  path: "/inventory",
  validateSearch: inventorySearch,
  component: loadPage(() => import("./pages/inventory/inventory.tsx"), "InventoryPage"),
});
const types = createRoute({
  getParentRoute: () => organization,
  path: "/inventory/types",
  component: loadPage(() => import("./pages/inventory/types.tsx"), "TypesPage"),
});
const adopt = createRoute({
  getParentRoute: () => organization,
  path: "/inventory/adopt",
  validateSearch: adoptSearch,
  component: loadPage(() => import("./pages/inventory/adopt.tsx"), "AdoptPage"),
});
const resource = createRoute({
  getParentRoute: () => organization,
  path: "/inventory/$resourceId",
  component: loadPage(() => import("./pages/inventory/resource.tsx"), "ResourcePage"),
});
const accounts = createRoute({
  getParentRoute: () => organization,
  path: "/accounts",
  component: loadPage(() => import("./pages/accounts/accounts.tsx"), "AccountsPage"),
});
const newAccount = createRoute({
  getParentRoute: () => organization,
  path: "/accounts/new",
  validateSearch: newAccountSearch,
  component: loadPage(() => import("./pages/accounts/new-account.tsx"), "NewAccountPage"),
});
const account = createRoute({
  getParentRoute: () => organization,
  path: "/accounts/$accountId",
  component: loadPage(() => import("./pages/accounts/account.tsx"), "AccountPage"),
});
const connect = createRoute({
  getParentRoute: () => organization,
  path: "/accounts/$accountId/connect",
  validateSearch: connectSearch,
  component: loadPage(() => import("./pages/accounts/connect.tsx"), "ConnectPage"),
});
const sources = createRoute({
  getParentRoute: () => organization,
  path: "/sources",
  component: loadPage(() => import("./pages/sources/sources.tsx"), "SourcesPage"),
});
const source = createRoute({
  getParentRoute: () => organization,
  path: "/sources/$sourceId",
  validateSearch: sourceSearch,
  component: loadPage(() => import("./pages/sources/source.tsx"), "SourcePage"),
});
const drift = createRoute({
  getParentRoute: () => organization,
  path: "/drift",
  validateSearch: driftSearch,
  component: loadPage(() => import("./pages/drift/drift.tsx"), "DriftPage"),
});
const change = createRoute({
  getParentRoute: () => organization,
  path: "/drift/$fingerprint",
  component: loadPage(() => import("./pages/drift/change-page.tsx"), "ChangePage"),
});
const snapshots = createRoute({
  getParentRoute: () => organization,
  path: "/drift/snapshots",
  validateSearch: snapshotsSearch,
  component: loadPage(() => import("./pages/drift/snapshots.tsx"), "SnapshotsPage"),
});
const snapshot = createRoute({
  getParentRoute: () => organization,
  path: "/drift/snapshots/$snapshotId",
  validateSearch: snapshotSearch,
  component: loadPage(() => import("./pages/drift/snapshot.tsx"), "SnapshotPage"),
});
const plans = createRoute({
  getParentRoute: () => organization,
  path: "/plans",
  validateSearch: plansSearch,
  component: loadPage(() => import("./pages/plans/plans.tsx"), "PlansPage"),
});
const job = createRoute({
  getParentRoute: () => organization,
  path: "/plans/$jobId",
  component: loadPage(() => import("./pages/plans/job.tsx"), "JobPage"),
});
const noise = createRoute({
  getParentRoute: () => organization,
  path: "/noise",
  validateSearch: noiseSearch,
  component: loadPage(() => import("./pages/noise/noise.tsx"), "NoisePage"),
});
const noiseKind = createRoute({
  getParentRoute: () => organization,
  path: "/noise/$fingerprint",
  component: loadPage(() => import("./pages/noise/noise-kind.tsx"), "NoiseKindPage"),
});
const rules = createRoute({
  getParentRoute: () => organization,
  path: "/rules",
  validateSearch: rulesSearch,
  component: loadPage(() => import("./pages/rules/rules.tsx"), "RulesPage"),
});
const newRule = createRoute({
  getParentRoute: () => organization,
  path: "/rules/new",
  validateSearch: newRuleSearch,
  component: loadPage(() => import("./pages/rules/edit-rule.tsx"), "NewRulePage"),
});
const rule = createRoute({
  getParentRoute: () => organization,
  path: "/rules/$ruleId",
  component: loadPage(() => import("./pages/rules/edit-rule.tsx"), "RulePage"),
});
const webhooks = createRoute({
  getParentRoute: () => organization,
  path: "/webhooks",
  component: loadPage(() => import("./pages/webhooks/webhooks.tsx"), "WebhooksPage"),
});
const newWebhook = createRoute({
  getParentRoute: () => organization,
  path: "/webhooks/new",
  validateSearch: newWebhookSearch,
  component: loadPage(() => import("./pages/webhooks/new-webhook.tsx"), "NewWebhookPage"),
});
const webhook = createRoute({
  getParentRoute: () => organization,
  path: "/webhooks/$configId",
  validateSearch: webhookSearch,
  component: loadPage(() => import("./pages/webhooks/webhook.tsx"), "WebhookPage"),
});
const usage = createRoute({
  getParentRoute: () => organization,
  path: "/usage",
  component: loadPage(() => import("./pages/usage/usage.tsx"), "UsagePage"),
});
const scans = createRoute({
  getParentRoute: () => organization,
  path: "/scans",
  validateSearch: scanSearch,
  component: loadPage(() => import("./pages/scans/scans.tsx"), "ScansPage"),
});
const schedules = createRoute({
  getParentRoute: () => organization,
  path: "/scans/schedules",
  component: loadPage(() => import("./pages/scans/schedules.tsx"), "SchedulesPage"),
});
const scan = createRoute({
  getParentRoute: () => organization,
  path: "/scans/$scanId",
  component: loadPage(() => import("./pages/scans/scan.tsx"), "ScanPage"),
});
const inventoryPages = [inventory, types, adopt, resource] as const;
const accountPages = [accounts, newAccount, account, connect] as const;
const scanPages = [scans, schedules, scan] as const;
const rulePages = [rules, newRule, rule] as const;
const driftPages = [drift, change, snapshots, snapshot] as const;
const pages = organization.addChildren([
  start,
  posture,
  ...inventoryPages,
  ...accountPages,
  sources,
  source,
  ...scanPages,
  ...driftPages,
  plans,
  job,
  noise,
  noiseKind,
  ...rulePages,
  webhooks,
  newWebhook,
  webhook,
  usage,
  settingsPages,
]);

/** Every page, by its path. Each is loaded when it is first shown. */
export const router = createRouter({
  routeTree: root.addChildren([home, signedIn, pages]),
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  scrollRestoration: true,
  defaultPendingComponent: Waiting,
  defaultErrorComponent: Failed,
  defaultNotFoundComponent: () => <Nowhere title="Page not found">There is nothing at this address.</Nowhere>,
});

router.subscribe("onResolved", ({ toLocation }) => rememberSearch(toLocation));

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
