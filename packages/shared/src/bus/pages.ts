import type { ReadyJson } from "./answer.ts";
import type { CursorScope, Cursors } from "../security/cursor.ts";

/** Fields of a request for a page of a list, besides its filters. */
interface PageRequest {
  org_id: string;
  limit: number;
  cursor?: string;
}

/** The start of a page, and the number of rows. */
export interface PageWindow {
  from: string | undefined;
  limit: number;
}

/** The rows of a page. */
export interface PageRows {
  /** JSON of the rows, separated by commas. */
  json: string;
  /** Id of the last row, if more rows follow. */
  last: string | undefined;
}

/** Further members of a page's envelope, as JSON text that begins with a comma. */
type Extra = () => Promise<string>;

/**
 * Returns one page of a collection as JSON, `{"data": […], "next_cursor"?}`. The database has already converted the
 * rows to JSON.
 * @throws {AppError} `invalid_cursor`
 */
export async function readyPage(
  cursors: Cursors,
  collection: string,
  { org_id, limit, cursor, ...filters }: PageRequest & CursorScope["filters"],
  { fetch, extra }: { fetch(window: PageWindow): Promise<PageRows>; extra?: Extra },
): Promise<ReadyJson> {
  const scope = { collection, orgId: org_id, filters };
  const from = cursors.read(scope, cursor);
  const [{ json, last }, more = ""] = await Promise.all([fetch({ from, limit }), extra?.()]);
  const data = `{"data":[${json}]`;
  if (last === undefined) return { json: `${data}${more}}` };
  const nextCursor = cursors.write(scope, last);
  return { json: `${data},"next_cursor":${JSON.stringify(nextCursor)}${more}}`, nextCursor };
}

/**
 * Does the same for rows that are converted to JSON here. It fetches one more row to find out whether another page
 * follows.
 * @throws {AppError} `invalid_cursor`
 */
export function pageOf<R extends { id: string }>(
  cursors: Cursors,
  collection: string,
  request: PageRequest & CursorScope["filters"],
  { fetch, json, extra }: { fetch(window: PageWindow): Promise<R[]>; json(row: R): string; extra?: Extra },
): Promise<ReadyJson> {
  return readyPage(cursors, collection, request, {
    fetch: async ({ from, limit }) => {
      const rows = await fetch({ from, limit: limit + 1 });
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1)?.id : undefined;
      return { json: shown.map(json).join(","), last };
    },
    ...(extra && { extra }),
  });
}

/** Returns a list that is always complete, in the same envelope. */
export function wholeList(rows: readonly object[]): ReadyJson {
  return { json: JSON.stringify({ data: rows }) };
}
