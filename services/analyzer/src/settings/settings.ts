import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import type { Input } from "@leeway/shared/contract";
import type { AnalyzerSettings, UpdateSettings } from "@leeway/shared/contracts/analyzer/noise";
import { GetUsage } from "@leeway/shared/contracts/quota/usage";
import type { Database, OrgStatements } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/json";

import { changeSettings, getSettings, type ChosenSettings } from "./store.ts";

type Judgement = Pick<AnalyzerSettings, "risk_profile" | "comment_min_risk">;

interface SettingsDependencies {
  database: Database;
  bus: BusConnection;
}

/** How an organization wants plans judged; what it hasn't chosen is as for everybody. */
export async function findJudgement(sql: OrgStatements): Promise<Judgement> {
  return judgementOf(await getSettings(sql));
}

/** All settings of an organization; whether snapshots are told in words is as its plan has it. */
export async function findSettings(
  { database, bus }: SettingsDependencies,
  orgId: string,
): Promise<AnalyzerSettings> {
  const chosen = await getSettings(database.org(orgId));
  const { driftNarratives = await areNarrativesIncluded(bus, orgId) } = chosen;
  return { ...judgementOf(chosen), drift_narratives: driftNarratives };
}

function judgementOf({ riskProfile = "baseline", commentMinRisk = "low" }: ChosenSettings): Judgement {
  return { risk_profile: riskProfile, comment_min_risk: commentMinRisk };
}

/** With a key of one's own, and on every plan that pays for the platform's model. */
async function areNarrativesIncluded(bus: BusConnection, orgId: string): Promise<boolean> {
  const { plan, byok_configured: hasOwnKey } = await call(bus, GetUsage, { org_id: orgId });
  return hasOwnKey || plan !== "free";
}

export async function updateSettings(
  deps: SettingsDependencies,
  { org_id, risk_profile, comment_min_risk, drift_narratives }: Input<typeof UpdateSettings>,
): Promise<AnalyzerSettings> {
  const changes = present({
    riskProfile: risk_profile,
    commentMinRisk: comment_min_risk,
    driftNarratives: drift_narratives,
  });
  // Before, since others are asked: what is saved isn't answered by their failure.
  const narratives = drift_narratives ?? (await findSettings(deps, org_id)).drift_narratives;
  const chosen = await changeSettings(deps.database.org(org_id), changes);
  return { ...judgementOf(chosen), drift_narratives: narratives };
}
