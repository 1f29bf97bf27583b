import type { Operation } from "./client.ts";

/** State of the organization's event stream. */
export interface Live {
  /** Whether the stream is open, so that changes arrive by themselves. */
  isOpen: boolean;
  /** Number of drift changes that came since the list of changes was read. */
  newChanges: number;
}

let live: Live = { isOpen: false, newChanges: 0 };
const listeners = new Set<() => void>();

export function currentLive(): Live {
  return live;
}

export function setLive(change: Partial<Live>): void {
  live = { ...live, ...change };
  for (const listener of listeners) listener();
}

export function onLive(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Operations whose answers a topic may change, by a part of their path. */
const TOPICS: Readonly<Record<string, RegExp>> = {
  scans: /\/(?:cloud-accounts|scans|scan-schedules|iac-sources|resources|types|posture)/,
  drift: /\/(?:drift|posture|rules|resources)/,
  plans: /\/(?:llm-jobs|plan-noise|llm-usage)/,
  settings:
    /\/(?:members|api-keys|ci-identities|settings|llm-config|notification-channels|webhook-configs|exclusion-rules)|^GET \/orgs(?:\/\{id\})?$/,
};

export function concerns(topic: string, operation: string): boolean {
  return TOPICS[topic]?.test(operation) ?? true;
}

const SLOW_MS = 60_000;
/** A query with a shorter interval watches something closely, such as a running scan. */
const CLOSE_MS = 10_000;
const ANNOUNCED = ["scans", "drift", "plans"];

/** Returns the pause before an answer is read again: a long one while changes to it arrive by themselves. */
export function paceOf(operation: Operation, everyMs: number | false, isOpen: boolean): number | false {
  if (everyMs === false || everyMs < CLOSE_MS || !isOpen) return everyMs;
  return ANNOUNCED.some((topic) => concerns(topic, operation)) ? Math.max(everyMs, SLOW_MS) : everyMs;
}
