import { Search } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";

const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));

/** Opens the search for pages and things: a button, and Ctrl-K everywhere. */
export function GoTo({ orgId }: { orgId: string }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "k" || !(event.ctrlKey || event.metaKey) || document.querySelector("dialog[open]"))
        return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Control+K"
        onClick={() => setOpen(true)}
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
          <Palette orgId={orgId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
