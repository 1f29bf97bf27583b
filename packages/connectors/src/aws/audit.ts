import { LookupEventsCommand, type Event } from "@aws-sdk/client-cloudtrail";
import { parseArn } from "@leeway/clouds/aws/arn";
import { parseObject } from "@leeway/clouds/aws/payload";
import { catalog, forms } from "@leeway/clouds/aws/types";
import type { CatalogEntry } from "@leeway/clouds/catalog";
import { isObject, member, text, type JsonObject } from "@leeway/shared/values/json";

import type { AuditEvent, CloudResource } from "../connector.ts";
import { firstPages } from "../first-pages.ts";
import type { AwsClients } from "./clients.ts";
import { pagesOf } from "./pages.ts";
import { regionOfGlobal } from "./types.ts";

export const LOOKUP_EVENTS = "cloudtrail:LookupEvents";

/** CloudTrail allows two of these calls per second and region; throttled calls are retried for this long. */
const PATIENCE_MS = 5_000;
/** Max number of pages per resource. Read events count towards them. */
const MAX_PAGES = 4;
const PAGE_SIZE = 50;

/** Returns CloudTrail's events about a resource, without reads and refused calls. @throws {AwsFailure} */
export async function audit(
  clients: AwsClients,
  resource: CloudResource,
  between: { since: Date; until: Date },
  signal: AbortSignal,
): Promise<AuditEvent[]> {
  const type = entryOf(resource)?.type ?? resource.type;
  const region =
    parseArn(resource.providerId)?.region || resource.region || regionOfGlobal(type, clients.home);
  for (const name of namesOf(resource)) {
    const events = await lookUp(clients, { name, region, ...between }, signal);
    if (events.length > 0) return events;
  }
  return [];
}

/** Asks for one event to check the permission. @throws {AwsFailure} */
export async function tryAudit(clients: AwsClients, signal: AbortSignal): Promise<undefined> {
  const question = { action: LOOKUP_EVENTS, region: clients.home, patienceMs: PATIENCE_MS };
  await clients.ask(question, signal, (options) =>
    clients.trail(clients.home).send(new LookupEventsCommand({ MaxResults: 1 }), options),
  );
}

/** Returns the names that a service may log for a resource: its native id for most services, its ARN for others. */
function namesOf(resource: CloudResource): string[] {
  const { providerId } = resource;
  const arn = parseArn(providerId);
  const entry = entryOf(resource);
  const id = arn && entry && forms.idOf(entry, arn);
  return [...new Set([id ?? "", providerId])].filter((name) => name !== "");
}

function entryOf({ type }: CloudResource): CatalogEntry | undefined {
  return catalog.byType(type) ?? catalog.byTerraform(type);
}

async function lookUp(
  clients: AwsClients,
  { name, region, since, until }: { name: string; region: string; since: Date; until: Date },
  signal: AbortSignal,
): Promise<AuditEvent[]> {
  const query = {
    LookupAttributes: [{ AttributeKey: "ResourceName" as const, AttributeValue: name }],
    StartTime: since,
    EndTime: until,
    MaxResults: PAGE_SIZE,
  };
  const question = { action: LOOKUP_EVENTS, region, patienceMs: PATIENCE_MS };
  const pages = pagesOf((token) =>
    clients.ask(question, signal, (options) =>
      clients
        .trail(region)
        .send(new LookupEventsCommand({ ...query, ...(token && { NextToken: token }) }), options),
    ),
  );
  const read = await firstPages(pages, MAX_PAGES);
  return read.flatMap(({ Events = [] }) => Events.flatMap(eventOf));
}

function eventOf({
  EventName: event,
  EventTime: at,
  ReadOnly,
  Username,
  CloudTrailEvent,
}: Event): AuditEvent[] {
  const record = parseObject(CloudTrailEvent);
  if (!event || !at || ReadOnly === "true" || (isObject(record) && "errorCode" in record)) return [];
  const principal = isObject(record) ? principalOf(record) : undefined;
  return [{ principal: principal ?? Username ?? "unknown", event, at }];
}

function principalOf(record: JsonObject): string | undefined {
  const identity = member(record, "userIdentity") ?? {};
  return text(identity, "arn") ?? text(identity, "invokedBy") ?? text(identity, "userName");
}
