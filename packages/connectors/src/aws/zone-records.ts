import { ListResourceRecordSetsCommand, type ResourceRecordSet } from "@aws-sdk/client-route-53";
import type { JsonObject } from "@leeway/shared/values/json";

import { documentOf } from "./ask.ts";
import type { AwsClients } from "./clients.ts";
import { pagesOf } from "./pages.ts";

export const LIST_RECORDS = "route53:ListResourceRecordSets";

/** Route 53's default quota of records per zone. */
const MAX_RECORDS = 10_000;
const A_PAGE = 300;

/**
 * Returns the records of a hosted zone as Route 53 lists them, with plain names. Cloud Control omits them. A zone over
 * Route 53's default quota returns no records: with a part of them, the others would look missing.
 * @throws {AwsFailure}
 */
export async function recordsOf(
  clients: AwsClients,
  { identifier, region, patienceMs }: { identifier: string; region: string; patienceMs: number },
  signal: AbortSignal,
): Promise<JsonObject> {
  const client = clients.route53(region);
  const sets: ResourceRecordSet[] = [];
  let next = {};
  const pages = pagesOf(async () => {
    const query = { HostedZoneId: identifier, MaxItems: A_PAGE, ...next };
    const page = await clients.ask({ action: LIST_RECORDS, region, patienceMs }, signal, (options) =>
      client.send(new ListResourceRecordSetsCommand(query), options),
    );
    next = {
      StartRecordName: page.NextRecordName,
      StartRecordType: page.NextRecordType,
      StartRecordIdentifier: page.NextRecordIdentifier,
    };
    return { ...page, NextToken: page.IsTruncated ? JSON.stringify(next) : undefined };
  });
  for await (const { ResourceRecordSets = [] } of pages) {
    sets.push(...ResourceRecordSets);
    if (sets.length > MAX_RECORDS) return {};
  }
  if (sets.length === 0) return {}; // every zone has two records: an answer without any isn't from Route 53
  return documentOf({ ResourceRecordSets: sets.map((set) => ({ ...set, Name: plainName(set.Name) })) });
}

/**
 * Returns a name as people write it. Route 53 appends a dot and writes an asterisk
 * as `\052`. It escapes all characters except letters, digits, `-` and `_`.
 */
function plainName(name = ""): string {
  return name
    .replace(/\.$/, "")
    .replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCodePoint(Number.parseInt(octal, 8)));
}
