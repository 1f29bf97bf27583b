import { createRoute, redirect } from "@tanstack/react-router";

import { auditSearch } from "./pages/settings/search.ts";
import { organization } from "./routes.ts";
import { loadPage } from "./ui/load-page.ts";

const all = createRoute({
  getParentRoute: () => organization,
  path: "/settings",
  component: loadPage(() => import("./pages/rest.ts"), "SettingsPage"),
});
const firstSetting = createRoute({
  getParentRoute: () => all,
  path: "/",
  beforeLoad: ({ params: { orgId } }) => {
    // oxlint-disable-next-line typescript/only-throw-error -- the router's way of redirecting
    throw redirect({ to: "/orgs/$orgId/settings/general", params: { orgId }, replace: true });
  },
});
const general = createRoute({
  getParentRoute: () => all,
  path: "/general",
  component: loadPage(() => import("./pages/rest.ts"), "GeneralPage"),
});
const members = createRoute({
  getParentRoute: () => all,
  path: "/members",
  component: loadPage(() => import("./pages/rest.ts"), "MembersPage"),
});
const keys = createRoute({
  getParentRoute: () => all,
  path: "/keys",
  component: loadPage(() => import("./pages/rest.ts"), "KeysPage"),
});
const channels = createRoute({
  getParentRoute: () => all,
  path: "/channels",
  component: loadPage(() => import("./pages/rest.ts"), "ChannelsPage"),
});
const exclusions = createRoute({
  getParentRoute: () => all,
  path: "/exclusions",
  beforeLoad: ({ params: { orgId } }) => {
    // oxlint-disable-next-line typescript/only-throw-error -- the router's way of redirecting
    throw redirect({ to: "/orgs/$orgId/rules", params: { orgId }, replace: true });
  },
});
const auditLog = createRoute({
  getParentRoute: () => all,
  path: "/audit-log",
  validateSearch: auditSearch,
  component: loadPage(() => import("./pages/rest.ts"), "AuditLogPage"),
});

/** The settings, each part with an address of its own. */
export const settings = all.addChildren([
  firstSetting,
  general,
  members,
  keys,
  channels,
  exclusions,
  auditLog,
]);
