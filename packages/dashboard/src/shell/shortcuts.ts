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
      const { key, ctrlKey, metaKey, altKey, timeStamp } = event;
      if (document.querySelector("dialog[open]")) return;
      if (key === "k" && (ctrlKey || metaKey)) {
        event.preventDefault();
        return openSearch();
      }
      if (ctrlKey || metaKey || altKey || isTyping(event.target)) return;
      const page = timeStamp - began < SECOND_MS ? PAGES.find((one) => one.key === key) : undefined;
      began = key === "g" ? timeStamp : -Infinity;
      if (page) {
        event.preventDefault();
        void navigate({ to: `/orgs/${orgId}${page.path}` });
      } else if (key === "/") {
        event.preventDefault();
        const field = document.querySelector<HTMLInputElement>(SEARCH);
        if (field) field.focus();
        else openSearch();
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [orgId, openSearch, navigate]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return (
    target.closest("input:not([type=checkbox]), textarea, select, [contenteditable], [role=menu]") !== null
  );
}
