import type { ReactNode } from "react";

import { useOrgId } from "../../api/hooks.ts";
import { Page } from "../../ui/page.tsx";
import { Tabs } from "../../ui/tabs.tsx";

const TABS = [
  { to: "/orgs/$orgId/drift", name: "Now", exact: true },
  { to: "/orgs/$orgId/drift/snapshots", name: "Snapshots" },
] as const;

/** What the listings of changes and of snapshots have in common. */
export function DriftFrame({ children }: { children: ReactNode }) {
  const orgId = useOrgId();
  return (
    <Page title="Drift" lead="What differs between what is declared as code and what really runs.">
      <Tabs label="Drift" tabs={TABS} orgId={orgId} />
      {children}
    </Page>
  );
}
