import { member, members, text, type JsonObject } from "@leeway/shared/values/json";

import type { AuditEvent, CloudResource } from "../connector.ts";
import { firstPages } from "../first-pages.ts";
import { jsonPost, type RestClient } from "../rest/rest-client.ts";
import type { TokenSource } from "../rest/token-source.ts";
import { AUDIT_PERMISSION } from "./gcp-role.ts";
import { googleFailure } from "./google-failure.ts";

const MAX_ENTRIES = 100;
/** Max number of pages per resource. Google searches in steps, so an empty page may have a successor. */
const MAX_PAGES = 4;

/** A project's log, and how to reach it. */
export interface LogSource {
  client: RestClient;
  tokens: TokenSource;
  /** URL without a trailing slash. */
  endpoint: string;
  project: string;
}

/**
 * Returns the admin activity log's entries about a resource, without refused calls. The log has no reads.
 * @throws {ConnectorError}
 */
export async function audit(
  source: LogSource,
  resource: CloudResource,
  { since, until }: { since: Date; until: Date },
  signal: AbortSignal,
): Promise<AuditEvent[]> {
  const filter = [
    'log_id("cloudaudit.googleapis.com/activity")',
    ...loggedAs(resource, source.project),
    `timestamp>="${since.toISOString()}"`,
    `timestamp<="${until.toISOString()}"`,
  ].join(" AND ");
  const read = await firstPages(pages(source, { filter, pageSize: MAX_ENTRIES }, signal), MAX_PAGES);
  return read.flat().flatMap(eventOf);
}

/** Asks for one entry to check the permission. @throws {ConnectorError} */
export async function tryAudit(source: LogSource, signal: AbortSignal): Promise<void> {
  const filter = 'log_id("cloudaudit.googleapis.com/activity")';
  await pages(source, { filter, pageSize: 1 }, signal).next();
}

/** Returns the filter conditions that select a resource's entries. */
function loggedAs(resource: CloudResource, project: string): string[] {
  const names = loggedNames(resource, project).map((name) => JSON.stringify(name));
  const location = /^\/\/run\.googleapis\.com\/[^/]+\/[^/]+\/locations\/([^/]+)\//.exec(
    resource.providerId,
  )?.[1];
  return [
    `protoPayload.resourceName=(${names.join(" OR ")})`,
    ...(location === undefined ? [] : [`resource.labels.location=${JSON.stringify(location)}`]),
    ...(resource.isGrant ? ['protoPayload.methodName=~"(?i)setiam"'] : []),
  ];
}

/**
 * Returns the names that services may log for a resource, usually its full resource name without the service.
 * - Buckets are logged under a project of their own, and service accounts may be, too.
 * - A cluster's location is written in two ways.
 * - Cloud Run may leave the location out.
 * - A DNS zone goes by its name, which isn't part of its id.
 * - A project goes by its id or its number.
 */
function loggedNames({ providerId, name }: CloudResource, project: string): string[] {
  const [, service = "", path = providerId] = /^\/\/([^/]+)\/(.+)$/.exec(providerId) ?? [];
  switch (service) {
    case "storage.googleapis.com":
      return [`projects/_/buckets/${path}`];
    case "iam.googleapis.com":
      return [
        ...new Set([
          path,
          path.replace(/^projects\/[^/]+\/serviceAccounts\//, "projects/-/serviceAccounts/"),
        ]),
      ];
    case "container.googleapis.com":
      return ["zones", "locations"].map((word) =>
        path.replace(/^(projects\/[^/]+)\/(?:zones|locations)\//, `$1/${word}/`),
      );
    case "run.googleapis.com":
      return [path, path.replace(/^projects\/([^/]+)\/locations\/[^/]+\//, "namespaces/$1/")];
    case "cloudresourcemanager.googleapis.com":
      return [...new Set([path, `projects/${project}`])];
    case "dns.googleapis.com":
      return [
        path.replace(/^projects\/[^/]+\/(.+\/)?([^/]+)$/, (_, kind = "", id) => `${kind}${name ?? id}`),
      ];
    default:
      return [path];
  }
}

async function* pages(
  { client, tokens, endpoint, project }: LogSource,
  query: { filter: string; pageSize: number },
  signal: AbortSignal,
): AsyncGenerator<JsonObject[]> {
  const body = { resourceNames: [`projects/${project}`], orderBy: "timestamp desc", ...query };
  let pageToken: string | undefined;
  do {
    const answer = await client.call(
      {
        url: `${endpoint}/v2/entries:list`,
        init: jsonPost({ ...body, ...(pageToken !== undefined && { pageToken }) }),
        tokens,
        failureOf: (failed) =>
          googleFailure(failed, { service: "logging", permission: AUDIT_PERMISSION, project }),
      },
      signal,
    );
    yield members(answer, "entries");
    pageToken = text(answer, "nextPageToken");
  } while (pageToken !== undefined);
}

function eventOf(entry: JsonObject): AuditEvent[] {
  const payload = member(entry, "protoPayload") ?? {};
  const principal = text(member(payload, "authenticationInfo") ?? {}, "principalEmail") ?? "unknown";
  const event = text(payload, "methodName");
  const at = new Date(text(entry, "timestamp") ?? "");
  const isRefused = Number((member(payload, "status") ?? {})["code"] ?? 0) !== 0;
  return event === undefined || isRefused || Number.isNaN(at.getTime()) ? [] : [{ principal, event, at }];
}
