import { Search } from "lucide-react";
import { lazy, Suspense, useCallback, useState } from "react";

import { ACTIONS, PAGES } from "./places.ts";
import { useShortcuts } from "./shortcuts.ts";

const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));

/** Opens the search for pages and things: a button, and shortcuts everywhere. */
export function GoTo({ orgId }: { orgId: string }) {
  const [isOpen, setOpen] = useState(false);
  const open = useCallback(() => setOpen(true), []);
  useShortcuts(orgId, open);
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Control+K"
        onClick={open}
        className="border-line text-muted hover:text-ink hover:bg-sunken flex h-9 w-full items-center gap-2.5 rounded-lg border px-2.5 text-left"
      >
        <Search aria-hidden="true" className="size-4 shrink-0" />
        <span className="flex-1">Go to…</span>
        <kbd aria-hidden="true" className="font-sans text-xs">
          Ctrl K
        </kbd>
      </button>
      {isOpen && (
        <Suspense>
          <Palette orgId={orgId} places={{ pages: PAGES, actions: ACTIONS }} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
