import { Link, useMatches, type LinkProps } from "@tanstack/react-router";

import { useOrgId } from "../api/hooks.ts";

export interface Tab {
  to: NonNullable<LinkProps["to"]>;
  name: string;
  /** Whether it is the parent page itself, and the other tabs are below it. */
  exact?: boolean;
}

interface TabsProps {
  /** Name of the page that the tabs belong to. */
  label: string;
  tabs: readonly Tab[];
}

/** Returns the name of the current tab, unless it is the parent page itself. */
export function useCurrentTab(tabs: readonly Tab[]): string | undefined {
  const shown = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  return tabs.find(({ to, exact }) => !exact && to === shown)?.name;
}

/** Shows the parts of a page as tabs; each has its own URL. */
export function Tabs({ label, tabs }: TabsProps) {
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
