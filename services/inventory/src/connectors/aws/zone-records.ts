import { ListResourceRecordSetsCommand, type ResourceRecordSet } from "@aws-sdk/client-route-53";
import type { JsonObject } from "@leeway/shared/json";

import { documentOf } from "./ask.ts";
import type { AwsClients } from "./clients.ts";
import { pagesOf } from "./pages.ts";

export const LIST_RECORDS = "route53:ListResourceRecordSets";

/** What Route 53 lets a zone have unless it is asked for more. */
const MOST_RECORDS = 10_000;
const A_PAGE = 300;

/**
 * The records of a hosted zone, which Cloud Control doesn't know, as Route 53 lists them but for their names. Of a zone that
 * has more than Route 53 gives without being asked there are none: half of them would make the others missing.
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
    if (sets.length > MOST_RECORDS) return {};
  }
  if (sets.length === 0) return {}; // every zone has two: an answer without any isn't Route 53's
  return documentOf({ ResourceRecordSets: sets.map((set) => ({ ...set, Name: plainName(set.Name) })) });
}

/** As people write it: Route 53 ends it with a dot, and has an asterisk as `\052`, as all but letters, digits, `-` and `_`. */
function plainName(name = ""): string {
  return name
    .replace(/\.$/, "")
    .replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCodePoint(Number.parseInt(octal, 8)));
}
