import { ListRegionsCommand, type ListRegionsCommandInput } from "@aws-sdk/client-account";

import type { AwsClients } from "./clients.ts";
import { pagesOf } from "./pages.ts";

export const LIST_REGIONS = "account:ListRegions";

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
