import {
  GetIndexCommand,
  GetViewCommand,
  ListIndexesCommand,
  ListResourcesCommand,
} from "@aws-sdk/client-resource-explorer-2";
import type { JsonObject } from "@leeway/shared/values/json";

import { documentOf } from "./ask.ts";
import type { AwsClients } from "./clients.ts";
import { AwsFailure } from "./failure.ts";
import { pagesOf } from "./pages.ts";

export const LIST_INDEXES = "resource-explorer-2:ListIndexes";
export const GET_INDEX = "resource-explorer-2:GetIndex";
export const LIST_INDEXED = "resource-explorer-2:ListResources";
export const GET_VIEW = "resource-explorer-2:GetView";

/** For each indexed region, the region whose index answers for it. */
export type Indexes = ReadonlyMap<string, string>;

/** Returns the indexes that are readable and complete; empty if the role may not list them. */
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

/**
 * Returns regions whose index is still being built, which takes hours. An index with unknown state counts as finished.
 */
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

/** Returns the state of a region's index. */
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

/** Lists the indexes. An aggregator index, if there is one, answers for every indexed region. */
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
 * Reports whether the default view of a region's index shows everything. A timeout counts as yes: a brief outage must
 * not switch a scan to Cloud Control, which names resources differently.
 */
async function showsAll(clients: AwsClients, region: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await viewFilter(clients, region, signal)) === "";
  } catch (error) {
    if (!(error instanceof AwsFailure)) throw error;
    return error.failure.code === "timeout" || error.failure.code === "throttled";
  }
}

/** Returns the filter of the default view of a region's index; empty if there is none. */
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

/** Lists everything that an index has in `region`, or without a region. */
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

/** Returns no indexes if the role may not list them. */
export function emptyWhenRefused(error: unknown): Indexes {
  const isRefused = error instanceof AwsFailure && error.missing !== undefined;
  if (isRefused) return new Map();
  return emptyWhereNone(error);
}

/** Returns no indexes in partitions without Resource Explorer, whose host name doesn't resolve. */
export function emptyWhereNone(error: unknown): Indexes {
  if (error instanceof AwsFailure && error.awsCode === "ENOTFOUND") return new Map();
  throw error;
}
