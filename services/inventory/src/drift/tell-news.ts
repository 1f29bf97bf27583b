import { call } from "@leeway/shared/bus/request";
import { withContext } from "@leeway/shared/context";
import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import { NarrateSnapshot } from "@leeway/shared/contracts/analyzer/jobs";
import { GetSettings } from "@leeway/shared/contracts/analyzer/noise";
import { PublishNotification, type NotificationEvent } from "@leeway/shared/contracts/webhooks/channels";
import { AppError } from "@leeway/shared/errors";
import { eventIdOf } from "@leeway/shared/event-id";
import type { Platform } from "@leeway/shared/service";

import { noteTold, untoldNews, type SnapshotNews } from "./store/news.ts";

interface Telling {
  type: NotificationEvent["type"];
  riskLevel?: RiskLevel;
  data: object;
}

/**
 * Tells the organization's channels what is new in an account's snapshots, and has it put into words. What nobody takes
 * now stays to be told: by whoever comes next, under the same ids.
 */
export async function tellNews(platform: Platform, orgId: string, accountId: string): Promise<void> {
  const { database, bus, log } = platform;
  const sql = database.org(orgId);
  try {
    for (const { snapshotId, at, news } of await untoldNews(sql, accountId)) {
      for (const { type, riskLevel, data } of tellingsOf(news)) {
        const event = {
          id: eventIdOf(type, orgId, snapshotId),
          type,
          created_at: at.toISOString(),
          data: { cloud_account_id: accountId, drift_snapshot_id: snapshotId, ...data },
        };
        await call(bus, PublishNotification, {
          org_id: orgId,
          event,
          ...(riskLevel !== undefined && { risk_level: riskLevel }),
        });
      }
      if (news.detected) await narrate(platform, orgId, snapshotId);
      await noteTold(sql, snapshotId);
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.warn({ error, account_id: accountId }, "news of drift are left to be told later");
  }
}

/** The same, without anybody who waits for it. */
export function tellNewsAside(platform: Platform, orgId: string, accountId: string): void {
  const told = withContext({ requestId: crypto.randomUUID() }, () => tellNews(platform, orgId, accountId));
  told.catch((error: unknown) => platform.log.error({ error }, "news of drift can't be told"));
}

function tellingsOf({ detected, resolved, degraded }: SnapshotNews): Telling[] {
  const tellings: Telling[] = [];
  if (detected) tellings.push({ type: "drift.detected", riskLevel: detected.risk_level, data: detected });
  if (resolved) tellings.push({ type: "drift.resolved", data: resolved });
  if (degraded) tellings.push({ type: "posture.degraded", riskLevel: degraded.risk_level, data: degraded });
  return tellings;
}

async function narrate({ bus }: Platform, orgId: string, snapshotId: string): Promise<void> {
  const { drift_narratives: isWanted } = await call(bus, GetSettings, { org_id: orgId });
  if (!isWanted) return;
  const requested_by = { type: "system" as const, id: "inventory" };
  await call(bus, NarrateSnapshot, { org_id: orgId, snapshot_id: snapshotId, requested_by });
}
