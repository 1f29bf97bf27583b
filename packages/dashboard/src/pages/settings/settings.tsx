import { Outlet } from "@tanstack/react-router";

import { useOrgId } from "../../api/hooks.ts";
import { Page } from "../../ui/page.tsx";
import { Tabs } from "../../ui/tabs.tsx";

const TABS = [
  { to: "/orgs/$orgId/settings/members", name: "Members" },
  { to: "/orgs/$orgId/settings/keys", name: "API keys" },
  { to: "/orgs/$orgId/settings/channels", name: "Notifications" },
  { to: "/orgs/$orgId/settings/audit-log", name: "Audit log" },
] as const;

/** The frame of what concerns the organization itself. */
export function SettingsPage() {
  const orgId = useOrgId();
  return (
    <Page title="Settings" lead="Who may do what here, who did, and who is told of what.">
      <Tabs label="Settings" tabs={TABS} orgId={orgId} />
      <Outlet />
    </Page>
  );
}
