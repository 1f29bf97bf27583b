import { GetResourcesCommand } from "@aws-sdk/client-resource-groups-tagging-api";
import { parseArn } from "@leeway/clouds/aws/arn";
import { forms } from "@leeway/clouds/aws/types";
import type { CatalogEntry } from "@leeway/clouds/catalog";
import type { JsonObject } from "@leeway/shared/values/json";

import { documentOf } from "./ask.ts";
import type { AwsClients } from "./clients.ts";
import { AwsFailure } from "./failure.ts";
import { pagesOf } from "./pages.ts";

export const GET_TAGGED = "tag:GetResources";

/** Lists resources in a region that have tags, or had them. */
export function listTagged(
  clients: AwsClients,
  region: string,
  signal: AbortSignal,
): AsyncIterable<JsonObject> {
  return pages(clients, region, { signal });
}

/** Lists tagged resources of the given types. */
export async function* listTaggedOf(
  types: readonly CatalogEntry[],
  clients: AwsClients,
  region: string,
  signal: AbortSignal,
): AsyncIterable<JsonObject> {
  const wanted = new Set<CatalogEntry | undefined>(types);
  const services = [...new Set(types.flatMap(({ path }) => path?.split(":", 1) ?? []))];
  if (services.length === 0) return;
  try {
    yield* pages(clients, region, { services, signal, isWanted: (arn) => wanted.has(typeOf(arn)) });
  } catch (error) {
    // The tagging API rejects services that it doesn't know, so nothing is tagged there.
    if (!(error instanceof AwsFailure && error.awsCode === "InvalidParameterException")) throw error;
  }
}

function typeOf(text: string): CatalogEntry | undefined {
  const arn = parseArn(text);
  return arn && forms.recognize(arn)?.entry;
}

interface PageOptions {
  services?: string[];
  isWanted?: (arn: string) => boolean;
  signal: AbortSignal;
}

async function* pages(
  clients: AwsClients,
  region: string,
  { services, isWanted = () => true, signal }: PageOptions,
): AsyncIterable<JsonObject> {
  const client = clients.tagging(region);
  const query = { ResourcesPerPage: 100, ...(services && { ResourceTypeFilters: services }) };
  const answers = pagesOf((token) =>
    clients.ask({ action: GET_TAGGED, region }, signal, (options) =>
      client.send(new GetResourcesCommand({ ...query, ...(token && { PaginationToken: token }) }), options),
    ),
  );
  for await (const { ResourceTagMappingList = [] } of answers) {
    const mappings = ResourceTagMappingList.filter(({ ResourceARN = "" }) => isWanted(ResourceARN));
    yield documentOf({ ResourceTagMappingList: mappings });
  }
}
