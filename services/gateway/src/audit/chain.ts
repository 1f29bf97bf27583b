import { createHash } from "node:crypto";

import type { AuditEntry } from "../identity.ts";

/** An entry that has its place in the chain. */
export type ChainedEntry = AuditEntry & Required<Pick<AuditEntry, "sequence" | "previous_hash" | "hash">>;

/** A place between two entries: the number and the hash of the one before. */
export interface Link {
  sequence: number;
  hash: string;
}

/** Where a chain breaks: the first entry that isn't as it was, or isn't where it was. */
export interface Break {
  sequence: number;
  reason: "missing" | "changed" | "unlinked";
}

/** SHA-256 of an entry's canonical form, in hexadecimal digits, as the database makes it. */
function hashOf(orgId: string, entry: Omit<ChainedEntry, "hash">): string {
  return createHash("sha256").update(canonicalEntry(orgId, entry)).digest("hex");
}

/** An entry as JSON in its canonical form (RFC 8785), without what people are called. */
function canonicalEntry(orgId: string, entry: Omit<ChainedEntry, "hash">): string {
  const { action, actor, at, details, id, outcome, previous_hash, request_id, sequence, target } = entry;
  return JSON.stringify({
    action,
    actor: { ...(actor.host !== undefined && { host: actor.host }), id: actor.id, type: actor.type },
    at,
    details: Object.fromEntries(Object.entries(details).toSorted(([one], [other]) => (one < other ? -1 : 1))),
    id,
    org_id: orgId,
    outcome,
    previous_hash,
    request_id,
    sequence,
    ...(target.id !== undefined && { target_id: target.id }),
  });
}

/** Returns entries with their places behind a link, in their order. */
export function chained(orgId: string, from: Link, entries: readonly AuditEntry[]): ChainedEntry[] {
  let { sequence, hash } = from;
  return entries.map((entry) => {
    sequence += 1;
    const placed = { ...entry, sequence, previous_hash: hash };
    hash = hashOf(orgId, placed);
    return { ...placed, hash };
  });
}

/** Follows a chain from a link on. @returns the link behind the last of `entries`, or where the chain breaks before it */
export function follow(orgId: string, from: Link, entries: Iterable<ChainedEntry>): Link | Break {
  let { sequence, hash } = from;
  for (const entry of entries) {
    if (entry.sequence !== sequence + 1) return { sequence: sequence + 1, reason: "missing" };
    if (entry.previous_hash !== hash) return { sequence: entry.sequence, reason: "unlinked" };
    if (hashOf(orgId, entry) !== entry.hash) return { sequence: entry.sequence, reason: "changed" };
    ({ sequence, hash } = entry);
  }
  return { sequence, hash };
}
