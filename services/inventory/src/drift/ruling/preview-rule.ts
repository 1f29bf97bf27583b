import { readingSize } from "@leeway/rules/condition";
import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import { byLevel, isAtLeast } from "@leeway/shared/contracts/analyzer/risk-levels";
import type { Input } from "@leeway/shared/contracts/contract";
import type { DriftChange } from "@leeway/shared/contracts/inventory/drift";
import { MAX_SAMPLES, type PreviewRule, type RulePreview } from "@leeway/shared/contracts/inventory/rules";
import type { Database, OrgStatements } from "@leeway/shared/database/database";

import { driftReaders } from "../../readers.ts";
import { checkRule } from "../../rules/rules.ts";
import { getPresent } from "../store/changes.ts";
import { currentRows, type RuledRow } from "./store/ruled.ts";

type Wanted = Input<typeof PreviewRule>;

/** A matching change, without its content. */
interface Match {
  fingerprint: string;
  kind: string;
  risk_level: RiskLevel;
  isHidden: boolean;
}

interface Matches {
  matched: Match[];
  evaluated: number;
  failed: number;
  failure: string | undefined;
}

/**
 * Returns what a rule would do on the organization's current changes.
 * @throws {AppError} `invalid_parameter`; `too_slow_to_read` if the condition takes longer than the changes allow
 */
export async function previewRule(database: Database, wanted: Wanted): Promise<RulePreview> {
  await checkRule(wanted.org_id, wanted);
  const { on, then: effect } = wanted;
  const sql = database.org(wanted.org_id);
  const { matched, evaluated, failed, failure } = await matchesOf(sql, wanted);
  const isRaised = ({ risk_level }: Match): boolean =>
    "raise_to" in effect && !isAtLeast(risk_level, effect.raise_to);
  return {
    matched_count: matched.length,
    hidden_count: "ignore" in effect ? matched.filter(({ isHidden }) => !isHidden).length : 0,
    raised_count: matched.filter(isRaised).length,
    failed_count: failed,
    evaluated_count: evaluated,
    counts: Object.fromEntries(on.map((kind) => [kind, matched.filter((one) => one.kind === kind).length])),
    ...(failure !== undefined && { failure }),
    samples: await worstOf(sql, matched),
  };
}

async function matchesOf(sql: OrgStatements, { on, when }: Wanted): Promise<Matches> {
  const all: Matches = { matched: [], evaluated: 0, failed: 0, failure: undefined };
  for await (const batch of currentRows(sql)) {
    const rows = batch.filter(({ change: { kind } }) => on.includes(kind));
    const changes = rows.map(({ change }) => change);
    const bytes = changes.reduce((sum, { content }) => sum + content.length, readingSize([{ when }]));
    const found = await driftReaders.do({ orgId: sql.orgId, bytes }, "matchByCondition", [when, changes]);
    all.evaluated += rows.length;
    all.failed += found.failed;
    all.failure ??= found.failure;
    for (const index of found.matched) all.matched.push(...matchAt(rows[index]));
  }
  return all;
}

function matchAt(row: RuledRow | undefined): Match[] {
  if (!row) return [];
  const { change, level, effects } = row;
  const { fingerprint, kind } = change;
  return [{ fingerprint, kind, risk_level: level, isHidden: effects?.hidden_by !== undefined }];
}

async function worstOf(sql: OrgStatements, matched: readonly Match[]): Promise<DriftChange[]> {
  const samples: DriftChange[] = [];
  for (const { fingerprint } of matched.toSorted(byLevel).slice(0, MAX_SAMPLES)) {
    const sample = await getPresent(sql, fingerprint);
    if (sample) samples.push(sample);
  }
  return samples;
}
