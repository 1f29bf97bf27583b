import type { OrgStatements } from "@leeway/shared/database/database";

import { chainOf, listChained } from "./store/audit-chain.ts";
import { follow, type Break } from "./chain.ts";

const PAGE = 1_000;

/** Result of following an organization's chain from its beginning to its newest entry. */
export interface Verified {
  holds: boolean;
  /** How many entries were followed. */
  entries: number;
  /** The number and the hash of the newest entry, to be kept elsewhere and compared later. */
  sequence: number;
  hash: string;
  broken_at?: Break;
}

/** Follows an organization's chain from its oldest entry that is kept to its newest. */
export async function verifyLog(sql: OrgStatements): Promise<Verified> {
  const { head, kept } = await chainOf(sql);
  let link = kept;
  const summary = { entries: head.sequence - kept.sequence, sequence: head.sequence, hash: head.hash };
  while (link.sequence < head.sequence) {
    const entries = await listChained(sql, { after: link.sequence, until: head.sequence, limit: PAGE });
    const next =
      entries.length === 0
        ? { sequence: link.sequence + 1, reason: "missing" as const }
        : follow(sql.orgId, link, entries);
    if ("reason" in next) return isShortened(sql, kept.sequence, summary, next);
    link = next;
  }
  if (link.hash === head.hash) return { holds: true, ...summary };
  return { holds: false, ...summary, broken_at: { sequence: head.sequence, reason: "changed" } };
}

/** Entries at the beginning of a chain may have been removed for their age while it was followed. */
async function isShortened(
  sql: OrgStatements,
  keptBefore: number,
  summary: Omit<Verified, "holds">,
  broken: Break,
): Promise<Verified> {
  const { kept } = await chainOf(sql);
  if (kept.sequence !== keptBefore) return verifyLog(sql);
  return { holds: false, ...summary, broken_at: broken };
}
