import { Search } from "lucide-react";
import { lazy, Suspense, useCallback, useState, type ReactNode } from "react";

import { ACTIONS, PAGES } from "./places.ts";
import { useShortcuts } from "./shortcuts.ts";

const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));

/** Searches pages and things with a shortcut, or when `open` is called. The dialog stands where no narrow screen hides it. */
export function useGoTo(orgId: string): { open: () => void; dialog: ReactNode } {
  const [isOpen, setOpen] = useState(false);
  const open = useCallback(() => setOpen(true), []);
  useShortcuts(orgId, open);
  const dialog = isOpen && (
    <Suspense>
      <Palette orgId={orgId} places={{ pages: PAGES, actions: ACTIONS }} onClose={() => setOpen(false)} />
    </Suspense>
  );
  return { open, dialog };
}

export function GoTo({ onOpen }: { onOpen: () => void }) {
  return (
    <button
      type="button"
      aria-keyshortcuts="Control+K"
      onClick={onOpen}
      className="border-line text-muted hover:text-ink hover:bg-sunken flex h-9 w-full items-center gap-2.5 rounded-lg border px-2.5 text-left"
    >
      <Search aria-hidden="true" className="size-4 shrink-0" />
      <span className="flex-1">Go to…</span>
      <kbd aria-hidden="true" className="font-sans text-xs">
        Ctrl K
      </kbd>
    </button>
  );
}
