import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type ErrorComponentProps,
} from "@tanstack/react-router";

import { inventorySearch } from "./pages/inventory/search.ts";
import { scanSearch } from "./pages/scans/search.ts";
import { Home } from "./session/home.tsx";
import { Root } from "./session/root.tsx";
import { Shell } from "./shell/shell.tsx";
import { Loading, Empty, Failure } from "./ui/states.tsx";

const root = createRootRoute({ component: Root });
const home = createRoute({ getParentRoute: () => root, path: "/", component: Home });
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
    throw redirect({ to: "/orgs/$orgId/settings/members", params: { orgId }, replace: true });
  },
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
const auditLog = createRoute({
  getParentRoute: () => settings,
  path: "/audit-log",
  component: lazyRouteComponent(() => import("./pages/settings/audit-log.tsx"), "AuditLogPage"),
});

const pages = organization.addChildren([
  start,
  posture,
  inventory,
  resource,
  scans,
  schedules,
  scan,
  settings.addChildren([firstSetting, members, keys, channels, auditLog]),
]);

/** Every page, by its path. Each is loaded when it is first shown. */
export const router = createRouter({
  routeTree: root.addChildren([home, pages]),
  defaultPreload: "intent",
  scrollRestoration: true,
  defaultPendingComponent: () => <Loading rows={6} />,
  defaultErrorComponent: ({ error }: ErrorComponentProps) => (
    <div className="p-6">
      <Failure error={error} onRetry={() => location.reload()} />
    </div>
  ),
  defaultNotFoundComponent: () => <Empty title="There is no such page">The address leads nowhere.</Empty>,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
