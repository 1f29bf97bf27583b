import { lazyRouteComponent } from "@tanstack/react-router";

/** The script of a page couldn't be loaded, because the browser is offline. */
export class PageUnloaded extends Error {}

/**
 * Returns a page, or another large part, that is loaded on first use. If that fails, the router reloads the document to get the current
 * scripts. It must not do so offline, where the browser's error page would replace the dashboard.
 */
export const loadPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch((error: unknown) => {
        throw navigator.onLine ? error : new PageUnloaded("the browser is offline", { cause: error });
      }),
    name,
  );

const PAUSE_MS = 500;

/**
 * Reloads the document once the server can be reached, which takes a moment after the browser is online. A reload
 * before that would show the browser's error page. @returns what stops it
 */
export function reloadOnceReachable(): () => void {
  const stopping = new AbortController();
  const look = (): void => {
    if (stopping.signal.aborted) return;
    fetch("/", { method: "HEAD", cache: "no-store", signal: stopping.signal }).then(
      () => location.reload(),
      () => setTimeout(look, PAUSE_MS),
    );
  };
  look();
  return () => stopping.abort();
}
