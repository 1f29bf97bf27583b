import { Link, useMatches, type LinkProps } from "@tanstack/react-router";

import { useOrgId } from "../api/hooks.ts";

export interface Tab {
  to: NonNullable<LinkProps["to"]>;
  name: string;
  /** Whether it is the page itself, and the others below it. */
  exact?: boolean;
}

interface TabsProps {
  /** What they are parts of. */
  label: string;
  tabs: readonly Tab[];
}

/** The name of the tab that is shown, where that isn't the page itself. */
export function useCurrentTab(tabs: readonly Tab[]): string | undefined {
  const shown = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  return tabs.find(({ to, exact }) => !exact && to === shown)?.name;
}

/** Pages that are parts of one, side by side; each has its address. */
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
