import type { ReactNode } from "react";
import { TabbedPage } from "../../ui/tabs.tsx";

const TABS = [
  { to: "/orgs/$orgId/inventory", name: "Resources", exact: true },
  { to: "/orgs/$orgId/inventory/map", name: "Map" },
  { to: "/orgs/$orgId/inventory/types", name: "Types" },
  { to: "/orgs/$orgId/inventory/adopt", name: "Adopt" },
] as const;

/** Lays out the listings of resources and of types. */
export function InventoryFrame({ lead, children }: { lead: ReactNode; children: ReactNode }) {
  return (
    <TabbedPage title="Inventory" tabs={TABS} lead={lead}>
      {children}
    </TabbedPage>
  );
}
