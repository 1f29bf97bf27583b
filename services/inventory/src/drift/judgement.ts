import type { DriftOptions } from "@leeway/drift/drift-of";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { GetSettings, ListNoise } from "@leeway/shared/contracts/analyzer/noise";
import { AppError } from "@leeway/shared/values/errors";

const A_PAGE = 500;
const MAX_PAGES = 20;

/** Returns an organization's settings for judging drift, or the defaults if the analyzer doesn't answer. */
export async function findJudgement(bus: BusConnection, orgId: string): Promise<DriftOptions> {
  try {
    const [{ risk_profile: profile }, muted] = await Promise.all([
      call(bus, GetSettings, { org_id: orgId }),
      mutedNoise(bus, orgId),
    ]);
    return { profile, muted };
  } catch (error) {
    if (error instanceof AppError) return { profile: "standard" };
    throw error;
  }
}

async function mutedNoise(bus: BusConnection, orgId: string): Promise<string[]> {
  const muted: string[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await call(bus, ListNoise, {
      org_id: orgId,
      limit: A_PAGE,
      status: "muted",
      ...(cursor !== undefined && { cursor }),
    });
    muted.push(...page.data.map(({ fingerprint }) => fingerprint));
    cursor = page.next_cursor;
    if (cursor === undefined) break;
  }
  return muted;
}
