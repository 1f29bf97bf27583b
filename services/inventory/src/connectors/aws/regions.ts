import { ListRegionsCommand } from "@aws-sdk/client-account";

import type { AwsClients } from "./clients.ts";

export const LIST_REGIONS = "account:ListRegions";

/** The regions that are turned on in the account. */
export async function enabledRegions(clients: AwsClients, signal: AbortSignal): Promise<string[]> {
  const regions: string[] = [];
  let token: string | undefined;
  do {
    const command = new ListRegionsCommand({
      RegionOptStatusContains: ["ENABLED", "ENABLED_BY_DEFAULT"],
      MaxResults: 50,
      ...(token && { NextToken: token }),
    });
    const answer = await clients.ask({ action: LIST_REGIONS, region: clients.home }, signal, (options) =>
      clients.account.send(command, options),
    );
    for (const { RegionName } of answer.Regions ?? []) if (RegionName) regions.push(RegionName);
    token = answer.NextToken;
  } while (token);
  return regions;
}
