import { createRoute, redirect } from "@tanstack/react-router";

import { organization } from "./organization-route.tsx";
import { auditSearch } from "./pages/settings/search.ts";
import { loadPage } from "./shell/load-page.ts";

const settings = createRoute({
  getParentRoute: () => organization,
  path: "/settings",
  component: loadPage(() => import("./pages/settings/settings.tsx"), "SettingsPage"),
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
  component: loadPage(() => import("./pages/settings/general.tsx"), "GeneralPage"),
});
const members = createRoute({
  getParentRoute: () => settings,
  path: "/members",
  component: loadPage(() => import("./pages/settings/members.tsx"), "MembersPage"),
});
const keys = createRoute({
  getParentRoute: () => settings,
  path: "/keys",
  component: loadPage(() => import("./pages/settings/keys.tsx"), "KeysPage"),
});
const channels = createRoute({
  getParentRoute: () => settings,
  path: "/channels",
  component: loadPage(() => import("./pages/settings/channels.tsx"), "ChannelsPage"),
});
const exclusions = createRoute({
  getParentRoute: () => settings,
  path: "/exclusions",
  beforeLoad: ({ params: { orgId } }) => {
    // oxlint-disable-next-line typescript/only-throw-error -- the router's way of redirecting
    throw redirect({ to: "/orgs/$orgId/rules", params: { orgId }, replace: true });
  },
});
const auditLog = createRoute({
  getParentRoute: () => settings,
  path: "/audit-log",
  validateSearch: auditSearch,
  component: loadPage(() => import("./pages/settings/audit-log.tsx"), "AuditLogPage"),
});

/** The settings and their tabs. */
export const settingsPages = settings.addChildren([
  firstSetting,
  general,
  members,
  keys,
  channels,
  exclusions,
  auditLog,
]);
