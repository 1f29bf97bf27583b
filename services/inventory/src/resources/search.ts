import type { OrgStatements } from "@leeway/shared/database/database";
import type { PageRows } from "@leeway/shared/bus/pages";

import { countResources, listResources, type ResourceFilter, type Stretch } from "./store.ts";

/** Number of resources that a search's first statement reads, its growth with each statement, and its limit. */
const FIRST_AMONG = 5_000;
const GROWTH = 4;
const MAX_AMONG = 80_000;
/** Time limit of a search, in ms. */
const SEARCH_MS = 1_000;

/**
 * Returns a page of live resources. A text search can't use an index, and reading every name takes long. A page that
 * would take long therefore ends early, with fewer rows than requested or none, and the place where the next one
 * starts.
 */
export async function findPage(
  sql: OrgStatements,
  filter: ResourceFilter,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<PageRows> {
  const found: string[] = [];
  let missing = limit;
  const last = await lookOn(filter, after, async (stretch) => {
    const rows = await listResources(sql, filter, { ...stretch, limit: missing });
    if (rows.count > 0) found.push(rows.json);
    missing -= rows.count;
    return { last: rows.last, isEnough: missing === 0 };
  });
  return { json: found.join(","), last };
}

/** Counts resources; undefined if reading all of them would take too long. */
export async function countFound(sql: OrgStatements, filter: ResourceFilter): Promise<number | undefined> {
  let count = 0;
  const rest = await lookOn(filter, undefined, async (stretch) => {
    const counted = await countResources(sql, filter, stretch);
    count += counted.count;
    return { last: counted.last, isEnough: false };
  });
  return rest === undefined ? count : undefined;
}

interface Seen {
  last: string | undefined;
  isEnough: boolean;
}

/**
 * Reads one stretch after the other, until it is enough or the time is up. @returns the last id if more resources
 * follow
 */
async function lookOn(
  filter: ResourceFilter,
  after: string | undefined,
  look: (stretch: Stretch) => Promise<Seen>,
): Promise<string | undefined> {
  if (filter.q === undefined) return (await look({ after })).last;
  const end = performance.now() + SEARCH_MS;
  let among = FIRST_AMONG;
  let seen = await look({ after, among });
  while (seen.last !== undefined && !seen.isEnough && performance.now() < end) {
    among = Math.min(among * GROWTH, MAX_AMONG);
    seen = await look({ after: seen.last, among });
  }
  return seen.last;
}
