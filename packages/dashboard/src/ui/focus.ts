import { useLayoutEffect, useRef, type RefObject } from "react";

/**
 * Notes what has the focus, and gives what sees to it that the focus isn't lost once that is gone: what stands in its
 * place in its table has it then, or else the page.
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

/** For what may go once it was pressed: if it has the focus then and nothing else gets it, the page has it. */
export function useFocusHandedOn<E extends HTMLElement>(): RefObject<E | null> {
  const ref = useRef<E>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    // It is still in the page here; what else sees to the focus has done so after what is under way.
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
