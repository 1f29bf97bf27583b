import type { RiskLevel, RiskProfile } from "@leeway/shared/contracts/analyzer/analysis";
import type { CommentDecisions } from "@leeway/shared/contracts/analyzer/noise";
import type { OrgStatements, Row } from "@leeway/shared/database/database";

/** Settings chosen by an organization; unset values are undefined. */
export interface ChosenSettings {
  riskProfile: RiskProfile | undefined;
  commentMinRisk: RiskLevel | undefined;
  driftNarratives: boolean | undefined;
  commentDecisions: CommentDecisions | undefined;
}

interface SettingsRow extends Row {
  profile: RiskProfile | null;
  comment_min_risk: RiskLevel | null;
  drift_narratives: boolean | null;
  comment_decisions: CommentDecisions | null;
}

export async function getSettings(sql: OrgStatements): Promise<ChosenSettings> {
  const [row] = await sql<SettingsRow>`
    select profile, comment_min_risk, drift_narratives, comment_decisions
      from analyzer.settings
     where org_id = ${sql.orgId}
  `;
  return fromRow(row);
}

/** Updates the given settings and keeps the others. @returns the settings after the update */
export async function changeSettings(
  sql: OrgStatements,
  changes: Partial<ChosenSettings>,
): Promise<ChosenSettings> {
  const {
    riskProfile = null,
    commentMinRisk = null,
    driftNarratives = null,
    commentDecisions = null,
  } = changes;
  const [row] = await sql<SettingsRow>`
    insert into analyzer.settings as s (org_id, profile, comment_min_risk, drift_narratives, comment_decisions)
    values (${sql.orgId}, ${riskProfile}, ${commentMinRisk}, ${driftNarratives}, ${commentDecisions})
    on conflict (org_id) do update
       set profile = coalesce(excluded.profile, s.profile),
           comment_min_risk = coalesce(excluded.comment_min_risk, s.comment_min_risk),
           drift_narratives = coalesce(excluded.drift_narratives, s.drift_narratives),
           comment_decisions = coalesce(excluded.comment_decisions, s.comment_decisions)
    returning profile, comment_min_risk, drift_narratives, comment_decisions
  `;
  return fromRow(row);
}

function fromRow(row: SettingsRow | undefined): ChosenSettings {
  return {
    riskProfile: row?.profile ?? undefined,
    commentMinRisk: row?.comment_min_risk ?? undefined,
    driftNarratives: row?.drift_narratives ?? undefined,
    commentDecisions: row?.comment_decisions ?? undefined,
  };
}
