import { namesOf } from "@leeway/shared/service/audit/write-audit";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import type { Input } from "@leeway/shared/contracts/contract";
import type { AnalyzerSettings, UpdateSettings } from "@leeway/shared/contracts/analyzer/noise";
import { GetUsage } from "@leeway/shared/contracts/quota/usage";
import type { Database, OrgStatements } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

import { audit } from "../audit.ts";
import { changeSettings, getSettings, type ChosenSettings } from "./store.ts";

type Judgement = Omit<AnalyzerSettings, "drift_narratives">;

interface SettingsDependencies {
  database: Database;
  bus: BusConnection;
}

/**
 * Returns how an organization wants plans judged and which decisions comments may make, with defaults for unset
 * values.
 */
export async function findJudgement(sql: OrgStatements): Promise<Judgement> {
  return judgementOf(await getSettings(sql));
}

/** Returns all settings of an organization. The default for drift narratives depends on its plan. */
export async function findSettings(
  { database, bus }: SettingsDependencies,
  orgId: string,
): Promise<AnalyzerSettings> {
  const chosen = await getSettings(database.org(orgId));
  const { driftNarratives = await areNarrativesIncluded(bus, orgId) } = chosen;
  return { ...judgementOf(chosen), drift_narratives: driftNarratives };
}

function judgementOf({
  riskProfile = "standard",
  commentMinRisk = "low",
  commentDecisions = "acknowledge",
}: ChosenSettings): Judgement {
  return {
    risk_profile: riskProfile,
    comment_min_risk: commentMinRisk,
    comment_decisions: commentDecisions,
  };
}

/** Returns the default: narratives are included with the organization's own model key and in every paid plan. */
async function areNarrativesIncluded(bus: BusConnection, orgId: string): Promise<boolean> {
  const { plan, byok_configured: hasOwnKey } = await call(bus, GetUsage, { org_id: orgId });
  return hasOwnKey || plan !== "free";
}

export async function updateSettings(
  deps: SettingsDependencies,
  {
    org_id,
    risk_profile,
    comment_min_risk,
    drift_narratives,
    comment_decisions,
  }: Input<typeof UpdateSettings>,
): Promise<AnalyzerSettings> {
  const changes = present({
    riskProfile: risk_profile,
    commentMinRisk: comment_min_risk,
    driftNarratives: drift_narratives,
    commentDecisions: comment_decisions,
  });
  // Asked before saving: a failing call must not answer a saved change.
  const narratives = drift_narratives ?? (await findSettings(deps, org_id)).drift_narratives;
  return deps.database.transaction(org_id, async (tx) => {
    const chosen = await changeSettings(tx, changes);
    const settings = { ...judgementOf(chosen), drift_narratives: narratives };
    const changed = namesOf({ risk_profile, comment_min_risk, drift_narratives, comment_decisions });
    await audit(tx, { action: "settings.update", details: { ...settings, changed } });
    return settings;
  });
}
