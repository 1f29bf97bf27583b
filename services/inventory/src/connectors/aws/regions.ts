import { ListRegionsCommand, type ListRegionsCommandInput } from "@aws-sdk/client-account";

import type { AwsClients } from "./clients.ts";
import { AwsFailure } from "./failure.ts";
import { pagesOf } from "./pages.ts";

export const LIST_REGIONS = "account:ListRegions";

/** What is in no region is listed whatever is wished. */
const GLOBAL = "global";

/** Where an account is to be read. */
export interface WishedRegions {
  regions: readonly string[];
  /** Those that there aren't, or that the account hasn't turned on. */
  unknown: readonly string[];
}

/** Of the regions that are wished, or of all. Who may not ask which there are reads those that are wished. */
export async function wishedRegions(
  clients: AwsClients,
  wished: readonly string[],
  signal: AbortSignal,
): Promise<WishedRegions> {
  const enabled = await enabledRegions(clients, signal).catch((error: unknown) => {
    if (wished.length > 0 && error instanceof AwsFailure) return wished;
    throw error;
  });
  if (wished.length === 0) return { regions: enabled, unknown: [] };
  const regional = wished.filter((region) => region !== GLOBAL);
  return {
    regions: regional.filter((region) => enabled.includes(region)),
    unknown: regional.filter((region) => !enabled.includes(region)),
  };
}

/** The regions that are turned on in the account. */
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
