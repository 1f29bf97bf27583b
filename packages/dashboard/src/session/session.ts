import { useSyncExternalStore } from "react";

import { storageOf } from "./storage.ts";

/**
 * How this tab is signed in: by an API key, kept for the tab only, or as a person, by a cookie that no script
 * can read together with a token that a cross-site request can't know.
 */
export type Session =
  | { by: "key"; key: string }
  | { by: "person"; id: string; csrfToken: string; name: string };

const STORED_KEY = "leeway.key";
const SAFE_METHODS = new Set(["GET", "HEAD"]);
const listeners = new Set<() => void>();
let current: Session | undefined = storedKey();
let isOver = false;

export function useSession(): Session | undefined {
  return useSyncExternalStore(subscribe, () => current);
}

/** Whether this tab's session isn't taken any more. It is kept as it was until somebody signs in again. */
export function useIsOver(): boolean {
  return useSyncExternalStore(subscribe, () => isOver);
}

/** Takes what follows as `session`'s; undefined signs this tab out. */
export function setSession(session: Session | undefined): void {
  current = session;
  isOver = false;
  const storage = storageOf("sessionStorage");
  if (session?.by === "key") storage?.setItem(STORED_KEY, session.key);
  else storage?.removeItem(STORED_KEY);
  for (const listener of listeners) listener();
}

/** Has whoever is signed in in this tab sign in again, because the session isn't taken any more. */
export function endSession(): void {
  isOver = current !== undefined;
  for (const listener of listeners) listener();
}

export function currentSession(): Session | undefined {
  return current;
}

/** What a request of `method` carries to be `session`'s. */
export function credentialHeaders(method: string, session: Session | undefined): Record<string, string> {
  if (!session) return {};
  if (session.by === "key") return { authorization: `Bearer ${session.key}` };
  return SAFE_METHODS.has(method) ? {} : { "x-csrf-token": session.csrfToken };
}

function storedKey(): Session | undefined {
  const key = storageOf("sessionStorage")?.getItem(STORED_KEY);
  return typeof key === "string" ? { by: "key", key } : undefined;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
