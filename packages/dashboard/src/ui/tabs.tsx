import { Link, useMatches, type LinkProps } from "@tanstack/react-router";

import { useOrgId } from "../api/hooks.ts";
import { Page, type PageProps } from "./page.tsx";

export interface Tab {
  to: NonNullable<LinkProps["to"]>;
  name: string;
  /** Whether it is the parent page itself, and the other tabs are below it. */
  exact?: boolean;
}

/** Lays out a page of several parts, one of which is shown. */
export function TabbedPage({ tabs, children, ...page }: PageProps & { tabs: readonly Tab[] }) {
  const shown = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  return (
    <Page {...page} part={tabs.find(({ to, exact }) => !exact && to === shown)?.name}>
      <Tabs label={page.title} tabs={tabs} />
      {children}
    </Page>
  );
}

/** Shows the parts as tabs; each has its own URL. */
function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const orgId = useOrgId();
  return (
    <nav aria-label={label} className="border-line -mb-1 flex flex-wrap gap-x-5 gap-y-2 border-b">
      {tabs.map(({ to, name, exact = false }) => (
        <Link
          key={to}
          to={to}
          params={{ orgId }}
          activeOptions={{ exact, includeSearch: false }}
          className="text-muted hover:text-ink border-b-2 border-transparent pb-2.5 font-medium whitespace-nowrap"
          activeProps={{ className: "!text-ink !border-accent" }}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
