import type { CursorScope } from "@leeway/shared/security/cursor";

import type { Gateway } from "../gateway.ts";
import { json, type Answer } from "./answer.ts";
import type { Call } from "./endpoint.ts";
import { nextPage } from "./relay.ts";

type Filters = CursorScope["filters"];

interface PageQuery {
  limit: number;
  cursor?: string;
}

/**
 * Returns the id after which a page begins.
 * @throws {AppError} `invalid_cursor`
 */
export function pageStart(
  { cursors }: Gateway,
  { orgId, caller, query }: Pick<Call, "orgId" | "caller"> & { query: PageQuery },
  collection: string,
  filters: Filters = {},
): string | undefined {
  return cursors.read({ collection, orgId: orgId || caller.id, filters }, query.cursor);
}

interface PageOf {
  collection: string;
  filters?: Filters;
  rows: readonly { id: string }[];
}

/** Answers with a page. `rows` contains one row more than requested if another page follows. */
export function pageAnswer(
  { cursors }: Gateway,
  call: Pick<Call, "orgId" | "caller" | "request"> & { query: PageQuery },
  { collection, filters = {}, rows }: PageOf,
): Answer {
  const { orgId, caller, query, request } = call;
  const data = rows.slice(0, query.limit);
  const last = data.at(-1);
  if (rows.length <= query.limit || !last) return json({ data });
  const nextCursor = cursors.write({ collection, orgId: orgId || caller.id, filters }, last.id);
  return json({ data, next_cursor: nextCursor }, 200, nextPage(request, { nextCursor }));
}
