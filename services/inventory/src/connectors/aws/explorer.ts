import {
  GetIndexCommand,
  GetViewCommand,
  ListIndexesCommand,
  ListResourcesCommand,
} from "@aws-sdk/client-resource-explorer-2";
import type { JsonObject } from "@leeway/shared/json";

import { documentOf } from "./ask.ts";
import type { AwsClients } from "./clients.ts";
import { AwsFailure } from "./failure.ts";
import { pagesOf } from "./pages.ts";

export const LIST_INDEXES = "resource-explorer-2:ListIndexes";
export const GET_INDEX = "resource-explorer-2:GetIndex";
export const LIST_INDEXED = "resource-explorer-2:ListResources";
export const GET_VIEW = "resource-explorer-2:GetView";

/** For each region that Resource Explorer knows, the region whose index answers for it. */
export type Indexes = ReadonlyMap<string, string>;

/** The indexes that may be asked, and that show all there is. None when they may not even be listed. */
export async function usableIndexes(clients: AwsClients, signal: AbortSignal): Promise<Indexes> {
  const indexes = await listIndexes(clients, signal).catch(emptyWhenRefused);
  const asked = [...new Set(indexes.values())];
  const [shown, unfinished] = await Promise.all([
    Promise.all(asked.map((region) => showsAll(clients, region, signal))),
    unfinishedIndexes(clients, indexes, signal),
  ]);
  const usable = new Set(asked.filter((region, place) => shown[place] && !unfinished.includes(region)));
  return new Map([...indexes].filter(([region, asked]) => usable.has(asked) && !unfinished.includes(region)));
}

/** Regions whose index lacks what hasn't been found yet, as for hours after it was turned on; none where that can't be told. */
export async function unfinishedIndexes(
  clients: AwsClients,
  indexes: Indexes,
  signal: AbortSignal,
): Promise<string[]> {
  const regions = [...indexes.keys()];
  const finished = await Promise.all(regions.map((region) => isFinished(clients, region, signal)));
  return regions.filter((_, place) => !finished[place]);
}

async function isFinished(clients: AwsClients, region: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await indexState(clients, region, signal)) === "ACTIVE";
  } catch (error) {
    if (!(error instanceof AwsFailure)) throw error;
    return true;
  }
}

/** What AWS says of the index of a region. */
export async function indexState(
  clients: AwsClients,
  region: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { State } = await clients.ask({ action: GET_INDEX, region }, signal, (options) =>
    clients.explorer(region).send(new GetIndexCommand({}), options),
  );
  return State;
}

/** An aggregator index, where there is one, answers for every region that has an index. */
export async function listIndexes(clients: AwsClients, signal: AbortSignal): Promise<Indexes> {
  const found: { region: string; isAggregator: boolean }[] = [];
  const pages = pagesOf((token) =>
    clients.ask({ action: LIST_INDEXES, region: clients.home }, signal, (options) =>
      clients
        .explorer(clients.home)
        .send(new ListIndexesCommand({ MaxResults: 100, ...(token && { NextToken: token }) }), options),
    ),
  );
  for await (const { Indexes = [] } of pages)
    for (const { Region, Type } of Indexes)
      if (Region) found.push({ region: Region, isAggregator: Type === "AGGREGATOR" });
  const aggregator = found.find(({ isAggregator }) => isAggregator)?.region;
  return new Map(found.map(({ region }) => [region, aggregator ?? region]));
}

/**
 * Whether the default view of a region's index hides nothing. One that doesn't answer in time may well be: a scan
 * must not go another way, and name resources otherwise, because of a bad minute.
 */
async function showsAll(clients: AwsClients, region: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await viewFilter(clients, region, signal)) === "";
  } catch (error) {
    if (!(error instanceof AwsFailure)) throw error;
    return error.failure.code === "timeout" || error.failure.code === "throttled";
  }
}

/** What the default view of a region's index is narrowed to; empty when to nothing. */
export async function viewFilter(clients: AwsClients, region: string, signal: AbortSignal): Promise<string> {
  const client = clients.explorer(region);
  const { ViewArn } = await clients.ask({ action: LIST_INDEXED, region }, signal, (options) =>
    client.send(new ListResourcesCommand({ MaxResults: 1 }), options),
  );
  const { View } = await clients.ask({ action: GET_VIEW, region }, signal, (options) =>
    client.send(new GetViewCommand({ ViewArn }), options),
  );
  return View?.Filters?.FilterString?.trim() ?? "";
}

/** Lists all that an index has of `region`, or of no region. */
export async function* listIndexed(
  clients: AwsClients,
  { asked, region = "global" }: { asked: string; region?: string | undefined },
  signal: AbortSignal,
): AsyncIterable<JsonObject> {
  const client = clients.explorer(asked);
  const query = { Filters: { FilterString: `region:${region}` }, MaxResults: 1000 };
  const pages = pagesOf((token) =>
    clients.ask({ action: LIST_INDEXED, region: asked }, signal, (options) =>
      client.send(new ListResourcesCommand({ ...query, ...(token && { NextToken: token }) }), options),
    ),
  );
  for await (const { Resources = [], ViewArn } of pages) yield documentOf({ Resources, ViewArn });
}

/** Who may not list them goes on as if there were none. */
export function emptyWhenRefused(error: unknown): Indexes {
  const isRefused = error instanceof AwsFailure && error.missing !== undefined;
  if (isRefused) return new Map();
  return emptyWhereNone(error);
}

/** Not every partition has Resource Explorer; where it isn't, its host has no name. */
export function emptyWhereNone(error: unknown): Indexes {
  if (error instanceof AwsFailure && error.awsCode === "ENOTFOUND") return new Map();
  throw error;
}
