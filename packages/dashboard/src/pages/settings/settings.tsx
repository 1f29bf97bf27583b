import { Link, Outlet } from "@tanstack/react-router";

import { useOrgId } from "../../api/hooks.ts";
import { Page } from "../../ui/page.tsx";

const TABS = [
  { to: "/orgs/$orgId/settings/members", name: "Members" },
  { to: "/orgs/$orgId/settings/keys", name: "API keys" },
  { to: "/orgs/$orgId/settings/audit-log", name: "Audit log" },
] as const;

/** The frame of what concerns the organization itself. */
export function SettingsPage() {
  const orgId = useOrgId();
  return (
    <Page title="Settings" lead="Who may do what here, and who did.">
      <nav aria-label="Settings" className="border-line -mb-1 flex gap-5 overflow-x-auto border-b">
        {TABS.map(({ to, name }) => (
          <Link
            key={to}
            to={to}
            params={{ orgId }}
            className="text-muted hover:text-ink border-b-2 border-transparent pb-2.5 font-medium whitespace-nowrap"
            activeProps={{ className: "!text-ink !border-accent" }}
          >
            {name}
          </Link>
        ))}
      </nav>
      <Outlet />
    </Page>
  );
}
