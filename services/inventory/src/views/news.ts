import type { OrgStatements } from "@leeway/shared/database/database";
import { eventIdOf } from "@leeway/shared/values/event-id";

import { newsWithin } from "../drift/store/news.ts";
import type { Notice, Publication } from "../notices/notices.ts";
import { driftFilter } from "./filter.ts";
import { sharedViews } from "./store.ts";

/** Returns what each of the views selects of the drift that a notice reports, as an event for the view's channels. */
export async function newsOfViews(
  sql: OrgStatements,
  { publication, fingerprints, created_at: noticedAt }: Notice,
  viewIds: readonly string[],
): Promise<Publication[]> {
  const { event } = publication;
  const reported = {
    fingerprints,
    accountId: String(event.data["cloud_account_id"]),
    snapshotId: String(event.data["drift_snapshot_id"]),
    isResolved: event.type === "drift.resolved",
    noticedAt,
  };
  const views = new Map((await sharedViews(sql, viewIds)).map((view) => [view.id, view]));
  const publications: Publication[] = [];
  for (const id of viewIds) {
    const own = { ...event, id: eventIdOf("view", event.id, id) };
    const view = views.get(id);
    if (!view) {
      // Deleted while a channel was given it: too much is reported rather than nothing.
      publications.push({ ...publication, view_id: id, event: own });
      continue;
    }
    const news = await newsWithin(sql, reported, driftFilter(view.filter));
    if (!news) continue;
    publications.push({
      view_id: id,
      risk_level: news.risk_level,
      event: { ...own, data: { ...event.data, ...news, view_id: id, view_name: view.name } },
    });
  }
  return publications;
}
