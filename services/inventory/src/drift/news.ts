import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { NotificationEvent } from "@leeway/shared/contracts/webhooks/channels";
import type { Transaction } from "@leeway/shared/database/database";
import { eventIdOf } from "@leeway/shared/values/event-id";
import { worstOf } from "@leeway/shared/contracts/analyzer/risk-levels";

import { notify } from "../notices/notices.ts";
import { detectedNews, fingerprintsOfNews, resolvedNews, standingAt, type ChangeNews } from "./store/news.ts";

/** Smallest drop in coverage that is reported, in percentage points. */
const LESS_COVERAGE_POINTS = 1;

/** News of a computation, for the organization's channels. */
export interface News {
  detected: ChangeNews | undefined;
  resolved: ChangeNews | undefined;
  /** Fingerprints of all changes, from which views select. */
  fingerprints: { detected: readonly string[]; resolved: readonly string[] };
}

/** Compares `drift_found` with the account's last snapshot. Must run before the changes are settled. */
export async function newsOf(tx: Transaction, accountId: string): Promise<News> {
  const detected = await detectedNews(tx);
  const resolved = await resolvedNews(tx, accountId);
  const hasNews = detected !== undefined || resolved !== undefined;
  const fingerprints = hasNews ? await fingerprintsOfNews(tx, accountId) : { detected: [], resolved: [] };
  return { detected, resolved, fingerprints };
}

/** Notifies the organization's channels of snapshot `number` of the account. Must run after the changes are settled. */
export async function notifyOfNews(
  tx: Transaction,
  { accountId, snapshotId, number }: { accountId: string; snapshotId: string; number: number },
  { detected, resolved, fingerprints }: News,
): Promise<void> {
  const publish = (
    type: NotificationEvent["type"],
    data: { risk_level: RiskLevel },
    changes?: readonly string[],
  ): Promise<void> => {
    const event = {
      id: eventIdOf(type, tx.orgId, snapshotId),
      type,
      created_at: new Date().toISOString(),
      data: { cloud_account_id: accountId, drift_snapshot_id: snapshotId, ...data },
    };
    return notify(tx, accountId, { event, risk_level: data.risk_level }, changes);
  };
  if (detected) await publish("drift.detected", detected, fingerprints.detected);
  if (resolved) await publish("drift.resolved", resolved, fingerprints.resolved);
  const degraded = await degradation(tx, accountId, number);
  if (degraded) await publish("posture.degraded", degraded);
}

/** Returns the account's posture at `number` if its risk is worse, or its coverage lower, than at the number before. */
async function degradation(tx: Transaction, accountId: string, number: number) {
  const prior = await standingAt(tx, accountId, number - 1);
  const now = await standingAt(tx, accountId, number);
  if (!prior || !now) return undefined;
  const isRiskier =
    now.risk_level !== prior.risk_level && worstOf([now.risk_level, prior.risk_level]) === now.risk_level;
  const isLess =
    now.reliable && prior.reliable && prior.coverage_pct - now.coverage_pct >= LESS_COVERAGE_POINTS;
  if (!isRiskier && !isLess) return undefined;
  const { reliable: _now, ...standing } = now;
  const { reliable: _prior, ...earlier } = prior;
  return { ...standing, prior: earlier };
}
