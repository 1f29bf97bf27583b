import { useLayoutEffect, useRef, type RefObject } from "react";

/**
 * Remembers the focused element, and returns a function that restores a lost focus: to the row in its place in the
 * table, or to the page.
 */
export function keepFocus(): () => void {
  const had = document.activeElement;
  const table = had?.closest("[role=table]");
  const place = indexOf(had?.closest("[data-index]"));
  return () => {
    if (had?.isConnected) return;
    const rows = table?.isConnected ? Array.from(table.querySelectorAll("[data-index]")) : [];
    const row = rows.find((row) => indexOf(row) >= place) ?? rows.at(-1);
    const button = row?.querySelector("button");
    if (button) button.focus();
    else focusPage();
  };
}

/**
 * Returns a ref for an element that may disappear after a click. If it had the focus and nothing else gets it, the
 * page does.
 */
export function useFocusHandedOn<E extends HTMLElement>(): RefObject<E | null> {
  const ref = useRef<E>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    // The element is still in the page. Other focus handlers run before the microtask.
    return () => {
      if (document.activeElement !== element) return;
      queueMicrotask(() => document.activeElement === document.body && focusPage());
    };
  }, []);
  return ref;
}

function focusPage(): void {
  document.querySelector<HTMLElement>("#content")?.focus({ preventScroll: true });
}

function indexOf(row: Element | null | undefined): number {
  return Number(row?.getAttribute("data-index") ?? 0);
}
