import type { OrgStatements } from "@leeway/shared/database/database";
import type { PageRows } from "@leeway/shared/pages";

import { countResources, listResources, type ResourceFilter, type Stretch } from "./store.ts";

/** Through how many resources the first statement of a search looks, through how many times more the next, and the most. */
const FIRST_AMONG = 5_000;
const GROWTH = 4;
const MOST_AMONG = 80_000;
/** For so many milliseconds a search looks on. */
const SEARCH_MS = 1_000;

/**
 * A page of live resources. No index finds those that have a text in them, and to fold each one's takes a while: a page
 * that would take long ends early, with fewer rows than asked for, or none, and says where the next goes on.
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

/** How many resources there are; undefined where it would take too long to search all. */
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

/** Looks at one stretch after the other, until it is enough or time is up; the last id, where more follow. */
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
    among = Math.min(among * GROWTH, MOST_AMONG);
    seen = await look({ after: seen.last, among });
  }
  return seen.last;
}
