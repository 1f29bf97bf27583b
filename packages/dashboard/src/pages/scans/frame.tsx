import type { ReactNode } from "react";

import { Page } from "../../ui/page.tsx";

const TABS = [
  { to: "/orgs/$orgId/scans", name: "Scans", exact: true },
  { to: "/orgs/$orgId/scans/schedules", name: "Schedules" },
] as const;

/** What listings of scans and of their schedules have in common. */
export function ScansFrame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <Page
      title="Scans"
      tabs={TABS}
      lead="How what runs was learned, and when it is learned next."
      actions={actions}
    >
      {children}
    </Page>
  );
}
