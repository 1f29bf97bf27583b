import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { GetSettings, ListNoise } from "@leeway/shared/contracts/analyzer/noise";
import { AppError } from "@leeway/shared/errors";

import type { DriftOptions } from "./compare/drift-of.ts";

const A_PAGE = 500;
const MOST_PAGES = 20;

/** How an organization wants its drift judged; as everybody's is while the analyzer can't be asked. */
export async function findJudgement(bus: BusConnection, orgId: string): Promise<DriftOptions> {
  try {
    const [{ risk_profile: profile }, muted] = await Promise.all([
      call(bus, GetSettings, { org_id: orgId }),
      mutedNoise(bus, orgId),
    ]);
    return { profile, muted };
  } catch (error) {
    if (error instanceof AppError) return { profile: "baseline" };
    throw error;
  }
}

async function mutedNoise(bus: BusConnection, orgId: string): Promise<string[]> {
  const muted: string[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
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
