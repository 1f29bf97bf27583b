import type { ReactNode } from "react";
import { TabbedPage } from "../../ui/tabs.tsx";

const TABS = [
  { to: "/orgs/$orgId/scans", name: "Scans", exact: true },
  { to: "/orgs/$orgId/scans/schedules", name: "Schedules" },
] as const;

/** Lays out the listings of scans and of schedules. */
export function ScansFrame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <TabbedPage
      title="Scans"
      tabs={TABS}
      lead="Scans of your accounts, and when they run next."
      actions={actions}
    >
      {children}
    </TabbedPage>
  );
}
