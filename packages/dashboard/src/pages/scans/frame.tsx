import type { ReactNode } from "react";

import { Page } from "../../ui/page.tsx";

const TABS = [
  { to: "/orgs/$orgId/scans", name: "Scans", exact: true },
  { to: "/orgs/$orgId/scans/schedules", name: "Schedules" },
] as const;

/** Lays out the listings of scans and of schedules. */
export function ScansFrame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <Page title="Scans" tabs={TABS} lead="Scans of your accounts, and when they run next." actions={actions}>
      {children}
    </Page>
  );
}
