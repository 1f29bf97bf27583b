import type { RiskLevel, RiskProfile } from "@leeway/shared/contracts/analyzer/analysis";
import type { OrgStatements, Row } from "@leeway/shared/database/database";

/** What an organization has chosen; what it hasn't is undefined. */
export interface ChosenSettings {
  riskProfile: RiskProfile | undefined;
  commentMinRisk: RiskLevel | undefined;
  driftNarratives: boolean | undefined;
}

interface SettingsRow extends Row {
  risk_profile: RiskProfile | null;
  comment_min_risk: RiskLevel | null;
  drift_narratives: boolean | null;
}

export async function getSettings(sql: OrgStatements): Promise<ChosenSettings> {
  const [row] = await sql<SettingsRow>`
    select risk_profile, comment_min_risk, drift_narratives from analyzer.settings where org_id = ${sql.orgId}
  `;
  return fromRow(row);
}

/** Changes what is given and leaves the rest. @returns what is chosen then */
export async function changeSettings(
  sql: OrgStatements,
  changes: Partial<ChosenSettings>,
): Promise<ChosenSettings> {
  const { riskProfile = null, commentMinRisk = null, driftNarratives = null } = changes;
  const [row] = await sql<SettingsRow>`
    insert into analyzer.settings as s (org_id, risk_profile, comment_min_risk, drift_narratives)
    values (${sql.orgId}, ${riskProfile}, ${commentMinRisk}, ${driftNarratives})
    on conflict (org_id) do update
       set risk_profile = coalesce(excluded.risk_profile, s.risk_profile),
           comment_min_risk = coalesce(excluded.comment_min_risk, s.comment_min_risk),
           drift_narratives = coalesce(excluded.drift_narratives, s.drift_narratives)
    returning risk_profile, comment_min_risk, drift_narratives
  `;
  return fromRow(row);
}

function fromRow(row: SettingsRow | undefined): ChosenSettings {
  return {
    riskProfile: row?.risk_profile ?? undefined,
    commentMinRisk: row?.comment_min_risk ?? undefined,
    driftNarratives: row?.drift_narratives ?? undefined,
  };
}
