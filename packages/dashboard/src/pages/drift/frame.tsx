import type { ReactNode } from "react";

import { Page } from "../../ui/page.tsx";

const TABS = [
  { to: "/orgs/$orgId/drift", name: "Now", exact: true },
  { to: "/orgs/$orgId/drift/snapshots", name: "Snapshots" },
] as const;

/** What the listings of changes and of snapshots have in common. */
export function DriftFrame({ children }: { children: ReactNode }) {
  return (
    <Page
      title="Drift"
      tabs={TABS}
      lead="What differs between what is declared as code and what really runs."
    >
      {children}
    </Page>
  );
}
