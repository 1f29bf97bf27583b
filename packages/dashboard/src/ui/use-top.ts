import { useLayoutEffect, useState, type RefObject } from "react";

/**
 * Returns how far below the page's top an element starts. It is read again when the page's height changes, because
 * lists above may have grown. Reading it in each step of scrolling would lay out the page twice.
 */
export function useTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const read = (): void => setTop(element.current?.offsetTop ?? 0);
    read();
    const watcher = new ResizeObserver(read);
    watcher.observe(document.body);
    return () => watcher.disconnect();
  }, [element]);
  return top;
}
