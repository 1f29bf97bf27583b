import { ListRegionsCommand, type ListRegionsCommandInput } from "@aws-sdk/client-account";

import type { AwsClients } from "./clients.ts";
import { AwsFailure } from "./failure.ts";
import { pagesOf } from "./pages.ts";

export const LIST_REGIONS = "account:ListRegions";

/** Region name for global resources, which are always listed. */
const GLOBAL = "global";

/** Regions in which to read an account. */
export interface RequestedRegions {
  regions: readonly string[];
  /** Requested regions that don't exist or aren't enabled in the account. */
  unknown: readonly string[];
}

/**
 * Sorts requested regions into enabled and unknown ones; with no request, returns all enabled regions. If the role may
 * not list regions, the requested ones are read.
 */
export async function requestedRegions(
  clients: AwsClients,
  requested: readonly string[],
  signal: AbortSignal,
): Promise<RequestedRegions> {
  const enabled = await enabledRegions(clients, signal).catch((error: unknown) => {
    if (requested.length > 0 && error instanceof AwsFailure) return requested;
    throw error;
  });
  if (requested.length === 0) return { regions: enabled, unknown: [] };
  const regional = requested.filter((region) => region !== GLOBAL);
  return {
    regions: regional.filter((region) => enabled.includes(region)),
    unknown: regional.filter((region) => !enabled.includes(region)),
  };
}

/** Returns the regions that are enabled in the account. */
export async function enabledRegions(clients: AwsClients, signal: AbortSignal): Promise<string[]> {
  const regions: string[] = [];
  const query: ListRegionsCommandInput = {
    RegionOptStatusContains: ["ENABLED", "ENABLED_BY_DEFAULT"],
    MaxResults: 50,
  };
  const pages = pagesOf((token) =>
    clients.ask({ action: LIST_REGIONS, region: clients.home }, signal, (options) =>
      clients.account.send(new ListRegionsCommand({ ...query, ...(token && { NextToken: token }) }), options),
    ),
  );
  for await (const { Regions = [] } of pages)
    regions.push(...Regions.flatMap(({ RegionName }) => RegionName ?? []));
  return regions;
}
