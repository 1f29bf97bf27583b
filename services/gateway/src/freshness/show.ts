import { withFreshness, type Freshness } from "@leeway/shared/platform/context";

import type { Positions } from "./positions.ts";

/**
 * Answers a request of an organization. If the primary answers, even with a failure, no replica that is behind it
 * answers the organization's later requests.
 */
export async function show<T>(
  positions: Positions | undefined,
  { fromReplica }: { fromReplica?: boolean },
  orgId: string,
  work: () => Promise<T>,
): Promise<T> {
  if (!positions || orgId === "") return work();
  const position = fromReplica ? await positions.of(orgId) : undefined;
  const freshness: Freshness | undefined = position === undefined ? undefined : { position };
  try {
    return await (freshness ? withFreshness(freshness, work) : work());
  } finally {
    if (freshness?.answeredBy !== "replica") await positions.note(orgId);
  }
}
