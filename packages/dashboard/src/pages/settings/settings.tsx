import { Outlet } from "@tanstack/react-router";
import { TabbedPage } from "../../ui/tabs.tsx";

const TABS = [
  { to: "/orgs/$orgId/settings/general", name: "General" },
  { to: "/orgs/$orgId/settings/members", name: "Members" },
  { to: "/orgs/$orgId/settings/keys", name: "API keys" },
  { to: "/orgs/$orgId/settings/channels", name: "Notifications" },
  { to: "/orgs/$orgId/settings/audit-log", name: "Audit log" },
] as const;

/** Lays out the organization's settings. */
export function SettingsPage() {
  return (
    <TabbedPage
      title="Settings"
      tabs={TABS}
      lead="The organization, its members and API keys, notifications and the audit log."
    >
      <Outlet />
    </TabbedPage>
  );
}
