import { SlidersHorizontal } from "lucide-react";
import { useState, type ReactNode } from "react";

import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";

interface FilterBarProps {
  /** Search field, which is always in sight. */
  search: ReactNode;
  /** Number of filters that are set. */
  count: number;
  /** Buttons that are always in sight. */
  tools: ReactNode;
  children: ReactNode;
}

/** Shows a page's filters. On narrow screens, where they take many lines, a button shows them. */
export function FilterBar({ search, count, tools, children }: FilterBarProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {search}
      <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className="lg:hidden">
        <SlidersHorizontal aria-hidden="true" className="size-4" />
        {count > 0 ? `Filters (${count})` : "Filters"}
      </Button>
      <div
        className={classNames(
          "flex flex-wrap items-center gap-2 lg:contents narrow:order-last narrow:w-full",
          !isOpen && "narrow:hidden",
        )}
      >
        {children}
      </div>
      {tools}
    </div>
  );
}
