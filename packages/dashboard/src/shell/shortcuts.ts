import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";

import { PAGES } from "./places.ts";

/** Time for the second key of a shortcut such as `g d`. */
const SECOND_MS = 1_500;
const SEARCH = "main [role=search] input[type=search]";

/**
 * Listens for shortcuts everywhere but in fields and dialogs: Ctrl-K searches, `/` focuses the page's own search, and
 * `g` with a page's key goes to the page.
 */
export function useShortcuts(orgId: string, openSearch: () => void): void {
  const navigate = useNavigate();
  useEffect(() => {
    let began = -Infinity;
    const onKey = (event: KeyboardEvent): void => {
      const does = isSearchKey(event)
        ? openSearch
        : isPlain(event)
          ? plainKey(event.key, event.timeStamp - began < SECOND_MS)
          : undefined;
      began = event.key === "g" ? event.timeStamp : -Infinity;
      if (!does || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      does();
    };
    const plainKey = (key: string, isSecond: boolean): (() => void) | undefined => {
      const page = isSecond ? PAGES.find((one) => one.key === key) : undefined;
      if (page) return () => void navigate({ to: `/orgs/${orgId}${page.path}` });
      const field = document.querySelector<HTMLInputElement>(SEARCH);
      return key === "/" ? () => (field ? field.focus() : openSearch()) : undefined;
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [orgId, openSearch, navigate]);
}

function isSearchKey({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === "k" && (ctrlKey || metaKey);
}

/** Returns whether a key isn't for a field, and has no other key pressed. */
function isPlain({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && !altKey && !isTyping(target);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return (
    target.closest("input:not([type=checkbox]), textarea, select, [contenteditable], [role=menu]") !== null
  );
}
