import { member, members, text, type JsonObject } from "@leeway/shared/json";

import type { AuditEvent, CloudResource } from "../connector.ts";
import { firstPages } from "../first-pages.ts";
import { azureFailure } from "./azure-failure.ts";
import { AUDIT_ACTION } from "./azure-role.ts";
import type { GraphSource } from "./graph-pages.ts";

const PATH = "/providers/Microsoft.Insights/eventtypes/management/values";
/** Azure looks in one place after the other: pages may hold nothing, though more is to come. */
const MOST_PAGES = 4;

/** What the activity log has of a resource, refusals left out; it holds no reads. @throws {ConnectorError} */
export async function audit(
  source: GraphSource,
  { providerId }: CloudResource,
  between: { since: Date; until: Date },
  signal: AbortSignal,
): Promise<AuditEvent[]> {
  const ofResource = ` and resourceUri eq '${providerId.replaceAll("'", "''")}'`;
  const read = await firstPages(pages(source, timeFilter(between) + ofResource, signal), MOST_PAGES);
  return read.flat().flatMap(eventOf);
}

/** Asks for what happened in a moment, to see whether that is allowed. @throws {ConnectorError} */
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

/** Of the link to the next page the token alone is taken: what a link names could be anywhere. */
function skipTokenOf(link: string): string | null {
  return URL.canParse(link) ? new URL(link).searchParams.get("$skipToken") : null;
}

/** Each operation is told when it starts and when it has succeeded or failed. */
function eventOf(entry: JsonObject): AuditEvent[] {
  const event = text(member(entry, "operationName") ?? {}, "value");
  const at = new Date(text(entry, "eventTimestamp") ?? "");
  const isDone = text(member(entry, "status") ?? {}, "value") === "Succeeded";
  if (event === undefined || !isDone || Number.isNaN(at.getTime())) return [];
  return [{ principal: text(entry, "caller") ?? "unknown", event, at }];
}
