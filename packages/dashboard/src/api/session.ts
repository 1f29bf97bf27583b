import { useSyncExternalStore } from "react";

import { storageOf } from "./storage.ts";

/**
 * Session of this tab: an API key, kept only for the tab, or a person's cookie. Scripts can't read the cookie, and
 * cross-site requests can't know its CSRF token.
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

/** Returns whether this tab's session was rejected. It is kept until the next sign-in. */
export function useIsOver(): boolean {
  return useSyncExternalStore(subscribe, () => isOver);
}

/** Starts a session in this tab; undefined signs it out. */
export function setSession(session: Session | undefined): void {
  current = session;
  isOver = false;
  const storage = storageOf("sessionStorage");
  if (session?.by === "key") storage?.setItem(STORED_KEY, session.key);
  else storage?.removeItem(STORED_KEY);
  for (const listener of listeners) listener();
}

/** Marks the session as rejected, so that this tab asks for a new sign-in. */
export function endSession(): void {
  isOver = current !== undefined;
  for (const listener of listeners) listener();
}

export function currentSession(): Session | undefined {
  return current;
}

/** Returns the headers that authenticate a request of `method`. */
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
