import { createRoute, redirect } from "@tanstack/react-router";

import { auditSearch } from "./pages/settings/search.ts";
import { restPage } from "./rest-page.ts";
import { organization } from "./routes.ts";

const all = createRoute({
  getParentRoute: () => organization,
  path: "/settings",
  component: restPage("SettingsPage"),
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
  component: restPage("GeneralPage"),
});
const members = createRoute({
  getParentRoute: () => all,
  path: "/members",
  component: restPage("MembersPage"),
});
const keys = createRoute({
  getParentRoute: () => all,
  path: "/keys",
  component: restPage("KeysPage"),
});
const channels = createRoute({
  getParentRoute: () => all,
  path: "/channels",
  component: restPage("ChannelsPage"),
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
  component: restPage("AuditLogPage"),
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
