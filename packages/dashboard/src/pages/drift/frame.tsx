import type { ReactNode } from "react";
import { TabbedPage } from "../../ui/tabs.tsx";

const TABS = [
  { to: "/orgs/$orgId/drift", name: "Now", exact: true },
  { to: "/orgs/$orgId/drift/snapshots", name: "Snapshots" },
] as const;

/** Lays out the listings of changes and of snapshots. */
export function DriftFrame({ children }: { children: ReactNode }) {
  return (
    <TabbedPage
      title="Drift"
      tabs={TABS}
      lead="Differences between resources declared as code and live resources."
    >
      {children}
    </TabbedPage>
  );
}
