import { member, members, text, type JsonObject } from "@leeway/shared/json";

import type { AuditEvent, CloudResource } from "../connector.ts";
import { azureFailure } from "./azure-failure.ts";
import { AUDIT_ACTION } from "./azure-role.ts";
import type { GraphSource } from "./graph-pages.ts";

const PATH = "/providers/Microsoft.Insights/eventtypes/management/values";

/** What the activity log has of a resource, refusals left out; it holds no reads. @throws {ConnectorError} */
export async function audit(
  source: GraphSource,
  { providerId }: CloudResource,
  between: { since: Date; until: Date },
  signal: AbortSignal,
): Promise<AuditEvent[]> {
  const ofResource = ` and resourceUri eq '${providerId.replaceAll("'", "''")}'`;
  return (await entries(source, timeFilter(between) + ofResource, signal)).flatMap(eventOf);
}

/** Asks for what happened in a moment, to see whether that is allowed. @throws {ConnectorError} */
export async function tryAudit(source: GraphSource, now: number, signal: AbortSignal): Promise<void> {
  await entries(source, timeFilter({ since: new Date(now - 1_000), until: new Date(now) }), signal);
}

function timeFilter({ since, until }: { since: Date; until: Date }): string {
  return `eventTimestamp ge '${since.toISOString()}' and eventTimestamp le '${until.toISOString()}'`;
}

async function entries(
  { client, tokens, endpoint, subscription }: GraphSource,
  filter: string,
  signal: AbortSignal,
): Promise<JsonObject[]> {
  const query = new URLSearchParams({
    "api-version": "2015-04-01",
    $filter: filter,
    $select: "caller,operationName,eventTimestamp,status",
  });
  const answer = await client.call(
    {
      url: `${endpoint}/subscriptions/${subscription}${PATH}?${query.toString()}`,
      tokens,
      failureOf: (failed) => azureFailure(failed, { action: AUDIT_ACTION, subscription }),
    },
    signal,
  );
  return members(answer, "value");
}

/** Each operation is told when it starts and when it has succeeded or failed. */
function eventOf(entry: JsonObject): AuditEvent[] {
  const event = text(member(entry, "operationName") ?? {}, "value");
  const at = new Date(text(entry, "eventTimestamp") ?? "");
  const isDone = text(member(entry, "status") ?? {}, "value") === "Succeeded";
  if (event === undefined || !isDone || Number.isNaN(at.getTime())) return [];
  return [{ principal: text(entry, "caller") ?? "unknown", event, at }];
}
