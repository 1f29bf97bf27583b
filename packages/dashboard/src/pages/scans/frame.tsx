import type { ReactNode } from "react";

import { useOrgId } from "../../api/hooks.ts";
import { Page } from "../../ui/page.tsx";
import { Tabs } from "../../ui/tabs.tsx";

const TABS = [
  { to: "/orgs/$orgId/scans", name: "Scans", exact: true },
  { to: "/orgs/$orgId/scans/schedules", name: "Schedules" },
] as const;

/** What listings of scans and of their schedules have in common. */
export function ScansFrame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const orgId = useOrgId();
  return (
    <Page title="Scans" lead="How what runs was learned, and when it is learned next." actions={actions}>
      <Tabs label="Scans" tabs={TABS} orgId={orgId} />
      {children}
    </Page>
  );
}
