import { member, members, text, type JsonObject } from "@leeway/shared/values/json";

import type { AuditEvent, CloudResource } from "../connector.ts";
import { firstPages } from "../first-pages.ts";
import { azureFailure } from "./azure-failure.ts";
import { AUDIT_ACTION } from "./azure-role.ts";
import type { GraphSource } from "./graph-pages.ts";

const PATH = "/providers/Microsoft.Insights/eventtypes/management/values";
/** Max number of pages per resource. Azure searches in steps, so an empty page may have a successor. */
const MAX_PAGES = 4;

/**
 * Returns the activity log's events about a resource, without refused calls. The log has no reads.
 * @throws {ConnectorError}
 */
export async function audit(
  source: GraphSource,
  { providerId }: CloudResource,
  between: { since: Date; until: Date },
  signal: AbortSignal,
): Promise<AuditEvent[]> {
  const ofResource = ` and resourceUri eq '${providerId.replaceAll("'", "''")}'`;
  const read = await firstPages(pages(source, timeFilter(between) + ofResource, signal), MAX_PAGES);
  return read.flat().flatMap(eventOf);
}

/** Asks for one second of events to check the permission. @throws {ConnectorError} */
export async function tryAudit(source: GraphSource, now: number, signal: AbortSignal): Promise<void> {
  await pages(source, timeFilter({ since: new Date(now - 1_000), until: new Date(now) }), signal).next();
}

function timeFilter({ since, until }: { since: Date; until: Date }): string {
  return `eventTimestamp ge '${since.toISOString()}' and eventTimestamp le '${until.toISOString()}'`;
}

async function* pages(
  { client, tokens, endpoint, subscription }: GraphSource,
  filter: string,
  signal: AbortSignal,
): AsyncGenerator<JsonObject[]> {
  const query = new URLSearchParams({
    "api-version": "2015-04-01",
    $filter: filter,
    $select: "caller,operationName,eventTimestamp,status",
  });
  for (;;) {
    const answer = await client.call(
      {
        url: `${endpoint}/subscriptions/${subscription}${PATH}?${query.toString()}`,
        tokens,
        failureOf: (failed) => azureFailure(failed, { action: AUDIT_ACTION, subscription }),
      },
      signal,
    );
    yield members(answer, "value");
    const skipToken = skipTokenOf(text(answer, "nextLink") ?? "");
    if (skipToken === null) return;
    query.set("$skipToken", skipToken);
  }
}

/** Takes only the token from the link to the next page, because a link could point anywhere. */
function skipTokenOf(link: string): string | null {
  return URL.canParse(link) ? new URL(link).searchParams.get("$skipToken") : null;
}

/** Returns only successful operations. Azure also logs the start and failure of each operation. */
function eventOf(entry: JsonObject): AuditEvent[] {
  const event = text(member(entry, "operationName") ?? {}, "value");
  const at = new Date(text(entry, "eventTimestamp") ?? "");
  const isDone = text(member(entry, "status") ?? {}, "value") === "Succeeded";
  if (event === undefined || !isDone || Number.isNaN(at.getTime())) return [];
  return [{ principal: text(entry, "caller") ?? "unknown", event, at }];
}
