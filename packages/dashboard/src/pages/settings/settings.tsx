import { Outlet } from "@tanstack/react-router";

import { Page } from "../../ui/page.tsx";

const TABS = [
  { to: "/orgs/$orgId/settings/general", name: "General" },
  { to: "/orgs/$orgId/settings/members", name: "Members" },
  { to: "/orgs/$orgId/settings/keys", name: "API keys" },
  { to: "/orgs/$orgId/settings/channels", name: "Notifications" },
  { to: "/orgs/$orgId/settings/exclusions", name: "Exclusions" },
  { to: "/orgs/$orgId/settings/audit-log", name: "Audit log" },
] as const;

/** The frame of what concerns the organization itself. */
export function SettingsPage() {
  return (
    <Page
      title="Settings"
      tabs={TABS}
      lead="What counts and how it is judged, who may do what here, who did, and who is told of what."
    >
      <Outlet />
    </Page>
  );
}
