import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";

import { connectSearch, newAccountSearch } from "./pages/accounts/search.ts";
import { driftSearch, snapshotSearch, snapshotsSearch } from "./pages/drift/search.ts";
import { inventorySearch } from "./pages/inventory/search.ts";
import { rememberSearch } from "./pages/last-search.ts";
import { noiseSearch } from "./pages/noise/search.ts";
import { plansSearch } from "./pages/plans/search.ts";
import { newWebhookSearch, webhookSearch } from "./pages/webhooks/search.ts";
import { parseSearch, stringifySearch } from "./pages/search.ts";
import { sourceSearch } from "./pages/sources/search.ts";
import { scanSearch } from "./pages/scans/search.ts";
import { auditSearch } from "./pages/settings/search.ts";
import { Home } from "./session/home.tsx";
import { Root } from "./session/root.tsx";
import { SignedIn } from "./session/sign-in-again.tsx";
import { Shell } from "./shell/shell.tsx";
import { Failed, Nowhere, Waiting } from "./shell/stand-ins.tsx";

const root = createRootRoute({ component: Root });
const home = createRoute({ getParentRoute: () => root, path: "/", component: Home });
const signedIn = createRoute({ getParentRoute: () => root, path: "/signed-in", component: SignedIn });
const organization = createRoute({ getParentRoute: () => root, path: "/orgs/$orgId", component: Shell });

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
  component: lazyRouteComponent(() => import("./pages/posture/posture.tsx"), "PosturePage"),
});

const inventory = createRoute({
  getParentRoute: () => organization,
  path: "/inventory",
  validateSearch: inventorySearch,
  component: lazyRouteComponent(() => import("./pages/inventory/inventory.tsx"), "InventoryPage"),
});
const resource = createRoute({
  getParentRoute: () => organization,
  path: "/inventory/$resourceId",
  component: lazyRouteComponent(() => import("./pages/inventory/resource.tsx"), "ResourcePage"),
});
const accounts = createRoute({
  getParentRoute: () => organization,
  path: "/accounts",
  component: lazyRouteComponent(() => import("./pages/accounts/accounts.tsx"), "AccountsPage"),
});
const newAccount = createRoute({
  getParentRoute: () => organization,
  path: "/accounts/new",
  validateSearch: newAccountSearch,
  component: lazyRouteComponent(() => import("./pages/accounts/new-account.tsx"), "NewAccountPage"),
});
const account = createRoute({
  getParentRoute: () => organization,
  path: "/accounts/$accountId",
  component: lazyRouteComponent(() => import("./pages/accounts/account.tsx"), "AccountPage"),
});
const connect = createRoute({
  getParentRoute: () => organization,
  path: "/accounts/$accountId/connect",
  validateSearch: connectSearch,
  component: lazyRouteComponent(() => import("./pages/accounts/connect.tsx"), "ConnectPage"),
});
const sources = createRoute({
  getParentRoute: () => organization,
  path: "/sources",
  component: lazyRouteComponent(() => import("./pages/sources/sources.tsx"), "SourcesPage"),
});
const source = createRoute({
  getParentRoute: () => organization,
  path: "/sources/$sourceId",
  validateSearch: sourceSearch,
  component: lazyRouteComponent(() => import("./pages/sources/source.tsx"), "SourcePage"),
});
const drift = createRoute({
  getParentRoute: () => organization,
  path: "/drift",
  validateSearch: driftSearch,
  component: lazyRouteComponent(() => import("./pages/drift/drift.tsx"), "DriftPage"),
});
const snapshots = createRoute({
  getParentRoute: () => organization,
  path: "/drift/snapshots",
  validateSearch: snapshotsSearch,
  component: lazyRouteComponent(() => import("./pages/drift/snapshots.tsx"), "SnapshotsPage"),
});
const snapshot = createRoute({
  getParentRoute: () => organization,
  path: "/drift/snapshots/$snapshotId",
  validateSearch: snapshotSearch,
  component: lazyRouteComponent(() => import("./pages/drift/snapshot.tsx"), "SnapshotPage"),
});
const plans = createRoute({
  getParentRoute: () => organization,
  path: "/plans",
  validateSearch: plansSearch,
  component: lazyRouteComponent(() => import("./pages/plans/plans.tsx"), "PlansPage"),
});
const job = createRoute({
  getParentRoute: () => organization,
  path: "/plans/$jobId",
  component: lazyRouteComponent(() => import("./pages/plans/job.tsx"), "JobPage"),
});
const noise = createRoute({
  getParentRoute: () => organization,
  path: "/noise",
  validateSearch: noiseSearch,
  component: lazyRouteComponent(() => import("./pages/noise/noise.tsx"), "NoisePage"),
});
const noiseKind = createRoute({
  getParentRoute: () => organization,
  path: "/noise/$fingerprint",
  component: lazyRouteComponent(() => import("./pages/noise/noise-kind.tsx"), "NoiseKindPage"),
});
const webhooks = createRoute({
  getParentRoute: () => organization,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("./pages/webhooks/webhooks.tsx"), "WebhooksPage"),
});
const newWebhook = createRoute({
  getParentRoute: () => organization,
  path: "/webhooks/new",
  validateSearch: newWebhookSearch,
  component: lazyRouteComponent(() => import("./pages/webhooks/new-webhook.tsx"), "NewWebhookPage"),
});
const webhook = createRoute({
  getParentRoute: () => organization,
  path: "/webhooks/$configId",
  validateSearch: webhookSearch,
  component: lazyRouteComponent(() => import("./pages/webhooks/webhook.tsx"), "WebhookPage"),
});
const usage = createRoute({
  getParentRoute: () => organization,
  path: "/usage",
  component: lazyRouteComponent(() => import("./pages/usage/usage.tsx"), "UsagePage"),
});
const scans = createRoute({
  getParentRoute: () => organization,
  path: "/scans",
  validateSearch: scanSearch,
  component: lazyRouteComponent(() => import("./pages/scans/scans.tsx"), "ScansPage"),
});
const schedules = createRoute({
  getParentRoute: () => organization,
  path: "/scans/schedules",
  component: lazyRouteComponent(() => import("./pages/scans/schedules.tsx"), "SchedulesPage"),
});
const scan = createRoute({
  getParentRoute: () => organization,
  path: "/scans/$scanId",
  component: lazyRouteComponent(() => import("./pages/scans/scan.tsx"), "ScanPage"),
});
const settings = createRoute({
  getParentRoute: () => organization,
  path: "/settings",
  component: lazyRouteComponent(() => import("./pages/settings/settings.tsx"), "SettingsPage"),
});
const firstSetting = createRoute({
  getParentRoute: () => settings,
  path: "/",
  beforeLoad: ({ params: { orgId } }) => {
    // oxlint-disable-next-line typescript/only-throw-error -- the router's way of redirecting
    throw redirect({ to: "/orgs/$orgId/settings/general", params: { orgId }, replace: true });
  },
});
const general = createRoute({
  getParentRoute: () => settings,
  path: "/general",
  component: lazyRouteComponent(() => import("./pages/settings/general.tsx"), "GeneralPage"),
});
const members = createRoute({
  getParentRoute: () => settings,
  path: "/members",
  component: lazyRouteComponent(() => import("./pages/settings/members.tsx"), "MembersPage"),
});
const keys = createRoute({
  getParentRoute: () => settings,
  path: "/keys",
  component: lazyRouteComponent(() => import("./pages/settings/keys.tsx"), "KeysPage"),
});
const channels = createRoute({
  getParentRoute: () => settings,
  path: "/channels",
  component: lazyRouteComponent(() => import("./pages/settings/channels.tsx"), "ChannelsPage"),
});
const exclusions = createRoute({
  getParentRoute: () => settings,
  path: "/exclusions",
  component: lazyRouteComponent(() => import("./pages/settings/exclusions.tsx"), "ExclusionsPage"),
});
const auditLog = createRoute({
  getParentRoute: () => settings,
  path: "/audit-log",
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import("./pages/settings/audit-log.tsx"), "AuditLogPage"),
});

const pages = organization.addChildren([
  start,
  posture,
  inventory,
  resource,
  accounts,
  newAccount,
  account,
  connect,
  sources,
  source,
  scans,
  schedules,
  scan,
  drift,
  snapshots,
  snapshot,
  plans,
  job,
  noise,
  noiseKind,
  webhooks,
  newWebhook,
  webhook,
  usage,
  settings.addChildren([firstSetting, general, members, keys, channels, exclusions, auditLog]),
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
  defaultNotFoundComponent: () => <Nowhere title="There is no such page">The address leads nowhere.</Nowhere>,
});

router.subscribe("onResolved", ({ toLocation }) => rememberSearch(toLocation));

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
