import { Link, type LinkProps } from "@tanstack/react-router";

interface TabsProps {
  /** What they are parts of. */
  label: string;
  tabs: readonly { to: NonNullable<LinkProps["to"]>; name: string; exact?: boolean }[];
  orgId: string;
}

/** Pages that are parts of one, side by side; each has its address. */
export function Tabs({ label, tabs, orgId }: TabsProps) {
  return (
    <nav aria-label={label} className="border-line -mb-1 flex gap-5 overflow-x-auto border-b">
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
