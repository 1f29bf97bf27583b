import type { ReadyJson } from "./bus/answer.ts";
import type { CursorScope, Cursors } from "./cursor.ts";

/** What a request for a page of a list holds, beside the filters. */
interface PageRequest {
  org_id: string;
  limit: number;
  cursor?: string;
}

/** Where a page begins and how many rows it may have; one more is fetched, to know whether there is a next. */
export interface PageWindow {
  from: string | undefined;
  limit: number;
}

/**
 * One page of a collection as JSON, `{"data": […], "next_cursor"?}`.
 * @throws {AppError} `invalid_cursor`
 */
export async function pageOf<R extends { id: string }>(
  cursors: Cursors,
  collection: string,
  { org_id, limit, cursor, ...filters }: PageRequest & CursorScope["filters"],
  {
    fetch,
    json,
    extra,
  }: {
    fetch(window: PageWindow): Promise<R[]>;
    json(row: R): string;
    /** Further members of the envelope, as JSON text that begins with a comma. */
    extra?(): Promise<string>;
  },
): Promise<ReadyJson> {
  const scope = { collection, orgId: org_id, filters };
  const from = cursors.read(scope, cursor);
  const [rows, more = ""] = await Promise.all([fetch({ from, limit: limit + 1 }), extra?.()]);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const data = `{"data":[${shown.map(json).join(",")}]`;
  if (last === undefined) return { json: `${data}${more}}` };
  const nextCursor = cursors.write(scope, last.id);
  return { json: `${data},"next_cursor":${JSON.stringify(nextCursor)}${more}}`, nextCursor };
}

/** A list that is always whole, in the same envelope. */
export function wholeList(rows: readonly object[]): ReadyJson {
  return { json: JSON.stringify({ data: rows }) };
}
