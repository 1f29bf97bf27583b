import { createRoute, createRouter, redirect } from "@tanstack/react-router";

import { adoptSearch } from "./pages/inventory/adopt-search.ts";
import { connectSearch, newAccountSearch } from "./pages/accounts/search.ts";
import { driftSearch, snapshotSearch, snapshotsSearch } from "./pages/drift/search.ts";
import { mapSearch } from "./pages/inventory/map-search.ts";
import { inventorySearch } from "./pages/inventory/search.ts";
import { PosturePage } from "./pages/posture/posture.tsx";
import { homeSearch } from "./pages/posture/since.ts";
import { readChange, readHome } from "./pages/first-reads.ts";
import { rememberSearch } from "./pages/last-search.ts";
import { noiseSearch } from "./pages/noise/search.ts";
import { plansSearch } from "./pages/plans/search.ts";
import { newWebhookSearch, webhookSearch } from "./pages/webhooks/search.ts";
import { newRuleSearch, rulesSearch } from "./pages/rules/search.ts";
import { parseSearch, stringifySearch } from "./pages/search.ts";
import { sourceSearch } from "./pages/sources/search.ts";
import { scanSearch } from "./pages/scans/search.ts";
import { restPage } from "./rest-page.ts";
import { home, organization, root, signedIn } from "./routes.ts";
import { settings } from "./settings-routes.ts";
import { Failed, Nowhere, Waiting } from "./shell/stand-ins.tsx";

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
  loader: readHome,
  component: PosturePage,
});

const inventory = createRoute({
  getParentRoute: () => organization,
  path: "/inventory",
  validateSearch: inventorySearch,
  component: restPage("InventoryPage"),
});
const types = createRoute({
  getParentRoute: () => organization,
  path: "/inventory/types",
  component: restPage("TypesPage"),
});
const map = createRoute({
  getParentRoute: () => organization,
  path: "/inventory/map",
  validateSearch: mapSearch,
  component: restPage("MapPage"),
});
const adopt = createRoute({
  getParentRoute: () => organization,
  path: "/inventory/adopt",
  validateSearch: adoptSearch,
  component: restPage("AdoptPage"),
});
const resource = createRoute({
  getParentRoute: () => organization,
  path: "/inventory/$resourceId",
  component: restPage("ResourcePage"),
});
const accounts = createRoute({
  getParentRoute: () => organization,
  path: "/accounts",
  component: restPage("AccountsPage"),
});
const newAccount = createRoute({
  getParentRoute: () => organization,
  path: "/accounts/new",
  validateSearch: newAccountSearch,
  component: restPage("NewAccountPage"),
});
const account = createRoute({
  getParentRoute: () => organization,
  path: "/accounts/$accountId",
  component: restPage("AccountPage"),
});
const connect = createRoute({
  getParentRoute: () => organization,
  path: "/accounts/$accountId/connect",
  validateSearch: connectSearch,
  component: restPage("ConnectPage"),
});
const sources = createRoute({
  getParentRoute: () => organization,
  path: "/sources",
  component: restPage("SourcesPage"),
});
const source = createRoute({
  getParentRoute: () => organization,
  path: "/sources/$sourceId",
  validateSearch: sourceSearch,
  component: restPage("SourcePage"),
});
const drift = createRoute({
  getParentRoute: () => organization,
  path: "/drift",
  validateSearch: driftSearch,
  component: restPage("DriftPage"),
});
const change = createRoute({
  getParentRoute: () => organization,
  path: "/drift/$fingerprint",
  loader: readChange,
  component: restPage("ChangePage"),
});
const snapshots = createRoute({
  getParentRoute: () => organization,
  path: "/drift/snapshots",
  validateSearch: snapshotsSearch,
  component: restPage("SnapshotsPage"),
});
const snapshot = createRoute({
  getParentRoute: () => organization,
  path: "/drift/snapshots/$snapshotId",
  validateSearch: snapshotSearch,
  component: restPage("SnapshotPage"),
});
const plans = createRoute({
  getParentRoute: () => organization,
  path: "/plans",
  validateSearch: plansSearch,
  component: restPage("PlansPage"),
});
const job = createRoute({
  getParentRoute: () => organization,
  path: "/plans/$jobId",
  component: restPage("JobPage"),
});
const noise = createRoute({
  getParentRoute: () => organization,
  path: "/noise",
  validateSearch: noiseSearch,
  component: restPage("NoisePage"),
});
const noiseKind = createRoute({
  getParentRoute: () => organization,
  path: "/noise/$fingerprint",
  component: restPage("NoiseKindPage"),
});
const rules = createRoute({
  getParentRoute: () => organization,
  path: "/rules",
  validateSearch: rulesSearch,
  component: restPage("RulesPage"),
});
const newRule = createRoute({
  getParentRoute: () => organization,
  path: "/rules/new",
  validateSearch: newRuleSearch,
  component: restPage("NewRulePage"),
});
const rule = createRoute({
  getParentRoute: () => organization,
  path: "/rules/$ruleId",
  component: restPage("RulePage"),
});
const webhooks = createRoute({
  getParentRoute: () => organization,
  path: "/webhooks",
  component: restPage("WebhooksPage"),
});
const newWebhook = createRoute({
  getParentRoute: () => organization,
  path: "/webhooks/new",
  validateSearch: newWebhookSearch,
  component: restPage("NewWebhookPage"),
});
const webhook = createRoute({
  getParentRoute: () => organization,
  path: "/webhooks/$configId",
  validateSearch: webhookSearch,
  component: restPage("WebhookPage"),
});
const usage = createRoute({
  getParentRoute: () => organization,
  path: "/usage",
  component: restPage("UsagePage"),
});
const scans = createRoute({
  getParentRoute: () => organization,
  path: "/scans",
  validateSearch: scanSearch,
  component: restPage("ScansPage"),
});
const schedules = createRoute({
  getParentRoute: () => organization,
  path: "/scans/schedules",
  component: restPage("SchedulesPage"),
});
const scan = createRoute({
  getParentRoute: () => organization,
  path: "/scans/$scanId",
  component: restPage("ScanPage"),
});
const inventoryPages = [inventory, map, types, adopt, resource] as const;
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
  settings,
]);

/** Every page, by its path. All but the first are loaded when one of them is first shown. */
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
