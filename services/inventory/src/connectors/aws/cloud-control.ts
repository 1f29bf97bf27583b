import { ListResourcesCommand } from "@aws-sdk/client-cloudcontrol";
import type { JsonObject } from "@leeway/shared/json";

import type { CatalogEntry } from "../../clouds/catalog.ts";
import type { Shard } from "../connector.ts";
import { documentOf } from "./ask.ts";
import type { AwsClients } from "./clients.ts";
import { AwsFailure, rejectsCredentials } from "./failure.ts";
import { pagesOf } from "./pages.ts";
import { listTaggedOf } from "./tagging.ts";
import { regionOfService, typesOf } from "./types.ts";

export const LIST_OF_TYPE = "cloudformation:ListResources";

/** Cloud Control's words for a type that it doesn't list: here, at all, or without knowing its parent. */
const NOT_LISTED: ReadonlySet<string> = new Set([
  "TypeNotFoundException",
  "UnsupportedActionException",
  "InvalidRequestException",
]);

/**
 * Lists a service type by type, and then what the tagging API knows of the types that Cloud Control doesn't list.
 * Where one type fails, the others are listed all the same before the shard fails.
 */
export async function* listService(
  clients: AwsClients,
  { shard, accountId }: { shard: Shard; accountId: string },
  signal: AbortSignal,
): AsyncIterable<JsonObject> {
  const region = shard.region ?? regionOfService(shard.service, clients.home);
  const place = shard.region === undefined ? {} : { Region: shard.region, AccountId: accountId };
  const failed: { type: string; failure: AwsFailure }[] = [];
  const notListed: CatalogEntry[] = [];
  for (const entry of typesOf(shard)) {
    let isListed = false;
    try {
      for await (const page of listType(clients, { type: entry.type, region, place }, signal)) {
        isListed = true;
        yield page;
      }
    } catch (error) {
      if (!(error instanceof AwsFailure) || endsShard(error)) throw error;
      if (!isListed && NOT_LISTED.has(error.awsCode)) notListed.push(entry);
      else failed.push({ type: entry.type, failure: error });
    }
  }
  yield* listTaggedOf(notListed, clients, region, signal);
  throwFailed(failed);
}

/** One failure stands for all, a denial first. */
function throwFailed(failed: readonly { type: string; failure: AwsFailure }[]): void {
  const first = failed.find(({ failure }) => isDenial(failure)) ?? failed[0];
  if (first === undefined) return;
  const { failure, awsCode, missing } = first.failure;
  throw new AwsFailure({ ...failure, types: failed.map(({ type }) => type) }, awsCode, missing);
}

/** Whether every further type would meet the same. */
function endsShard(failure: AwsFailure): boolean {
  const { code } = failure.failure;
  return (
    failure.missing === LIST_OF_TYPE ||
    rejectsCredentials(failure) ||
    code === "timeout" ||
    code === "throttled"
  );
}

function isDenial({ failure }: AwsFailure): boolean {
  return failure.code === "permission_denied";
}

async function* listType(
  clients: AwsClients,
  { type, region, place }: { type: string; region: string; place: object },
  signal: AbortSignal,
): AsyncIterable<JsonObject> {
  const client = clients.cloudControl(region);
  const pages = pagesOf((token) =>
    clients.ask({ action: LIST_OF_TYPE, region }, signal, (options) =>
      client.send(new ListResourcesCommand({ TypeName: type, ...(token && { NextToken: token }) }), options),
    ),
  );
  for await (const { ResourceDescriptions = [] } of pages)
    yield documentOf({ TypeName: type, ...place, ResourceDescriptions });
}
