import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { NotificationEvent } from "@leeway/shared/contracts/webhooks/channels";
import type { Transaction } from "@leeway/shared/database/database";
import { eventIdOf } from "@leeway/shared/values/event-id";
import { worstOf } from "@leeway/shared/contracts/analyzer/risk-levels";

import { notify } from "../notices/notices.ts";
import { detectedNews, resolvedNews, standingAt, type ChangeNews } from "./store/news.ts";

/** Smallest drop in coverage that is reported, in percentage points. */
const LESS_COVERAGE_POINTS = 1;

/** News of a computation, for the organization's channels. */
export interface News {
  detected: ChangeNews | undefined;
  resolved: ChangeNews | undefined;
}

/** Compares `drift_found` with the account's last snapshot. Must run before the changes are settled. */
export async function newsOf(tx: Transaction, accountId: string): Promise<News> {
  return { detected: await detectedNews(tx, accountId), resolved: await resolvedNews(tx, accountId) };
}

/** Notifies the organization's channels of snapshot `number` of the account. Must run after the changes are settled. */
export async function notifyOfNews(
  tx: Transaction,
  { accountId, snapshotId, number }: { accountId: string; snapshotId: string; number: number },
  { detected, resolved }: News,
): Promise<void> {
  const publish = (type: NotificationEvent["type"], data: object, riskLevel?: RiskLevel): Promise<void> =>
    notify(tx, accountId, {
      event: {
        id: eventIdOf(type, tx.orgId, snapshotId),
        type,
        created_at: new Date().toISOString(),
        data: { cloud_account_id: accountId, drift_snapshot_id: snapshotId, ...data },
      },
      ...(riskLevel !== undefined && { risk_level: riskLevel }),
    });
  if (detected) await publish("drift.detected", detected, detected.risk_level);
  if (resolved) await publish("drift.resolved", resolved, resolved.risk_level);
  const degraded = await degradation(tx, accountId, number);
  if (degraded) await publish("posture.degraded", degraded, degraded.risk_level);
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
