import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import type { Input } from "@leeway/shared/contract";
import type { AnalyzerSettings, UpdateSettings } from "@leeway/shared/contracts/analyzer/noise";
import { GetUsage } from "@leeway/shared/contracts/quota/usage";
import type { Database, OrgStatements } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/json";

import { changeSettings, getSettings } from "./store.ts";

interface SettingsDependencies {
  database: Database;
  bus: BusConnection;
}

/** How an organization wants plans judged; what it hasn't chosen is as for everybody. */
export async function findJudgement(
  sql: OrgStatements,
): Promise<Pick<AnalyzerSettings, "risk_profile" | "comment_min_risk">> {
  const { riskProfile = "baseline", commentMinRisk = "low" } = await getSettings(sql);
  return { risk_profile: riskProfile, comment_min_risk: commentMinRisk };
}

/** All settings of an organization; whether snapshots are told in words is as its plan has it. */
export async function findSettings(
  { database, bus }: SettingsDependencies,
  orgId: string,
): Promise<AnalyzerSettings> {
  const sql = database.org(orgId);
  const [judgement, { driftNarratives }] = await Promise.all([findJudgement(sql), getSettings(sql)]);
  return { ...judgement, drift_narratives: driftNarratives ?? (await areNarrativesIncluded(bus, orgId)) };
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
  await changeSettings(deps.database.org(org_id), changes);
  return findSettings(deps, org_id);
}
