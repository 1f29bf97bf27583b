import { failsGate } from "@leeway/analysis/risk/gate";
import type { AccountDrift, EstateChange, EstateDrift } from "@leeway/drift/estate/estate-drift";
import type { UnobservedReason } from "@leeway/drift/estate/presence";
import type { FailOn, RiskCounts, RiskLevel, RiskProfile } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, member, members, text } from "@leeway/shared/values/json";
import { RISK_LEVELS, byLevel, worstOf } from "@leeway/shared/contracts/analyzer/risk-levels";

/** Risk of changed and missing resources, and apart from it that of undeclared ones. */
interface Risk {
  risk_level: RiskLevel;
  risk_counts: RiskCounts;
  undeclared_risk_level: RiskLevel;
  undeclared_risk_counts: RiskCounts;
}

interface AccountReport extends Risk {
  provider: string;
  external_id: string;
  formats: string[];
  live_count: number;
  matched_count: number;
  undeclared_count: number;
  unchecked_count: number;
  excluded_count: number;
  missing_count: number;
  /** Rows of the listings that belong to other accounts. */
  foreign_count: number;
  coverage_pct: number;
  /** Absent if the listings are complete; otherwise the member that shows that pages are missing. */
  incomplete?: string;
}

/** Result of `leeway drift`, also its JSON. */
export interface DriftReport extends Risk {
  risk_profile: RiskProfile;
  gate: { fail_on: FailOn; passed: boolean };
  accounts: AccountReport[];
  /** Without noise, worst first. With `--new-since`, only changes that the earlier report lacks. */
  changes: EstateChange[];
  /** Changes of which nothing is more than noise. */
  noise: EstateChange[];
  /** Changes that rules of `--rules` hide. */
  hidden: EstateChange[];
  /** Number of changes that the report given with `--new-since` has, too. */
  known_count: number;
  /** Declared resources of which nothing can be said. */
  unobserved: { address: string; resource_type: string; state: string; reason: UnobservedReason }[];
}

interface Options {
  profile: RiskProfile;
  failOn: FailOn;
  /** Fingerprints of known changes. */
  known: ReadonlySet<string>;
}

export function reportOf(
  { accounts, unplaced, unobserved }: EstateDrift,
  { profile, failOn, known }: Options,
): DriftReport {
  const all = [...accounts.flatMap(({ changes }) => changes), ...unplaced].toSorted(byLevel);
  const material = all.filter(isShown);
  const changes = material.filter(({ fingerprint }) => !known.has(fingerprint));
  const worst = worstOf(changes.map(({ risk_level }) => risk_level));
  return {
    risk_profile: profile,
    ...riskOf(changes),
    gate: { fail_on: failOn, passed: !failsGate(worst, failOn) },
    accounts: accounts.map(accountReport),
    changes,
    noise: all.filter(({ is_noise }) => is_noise),
    hidden: all.filter(({ hidden_by }) => hidden_by !== undefined),
    known_count: material.length - changes.length,
    unobserved: unobserved.map(({ row, reason }) => ({
      address: row.address,
      resource_type: row.type,
      state: row.sourceId,
      reason,
    })),
  };
}

function isShown({ is_noise, hidden_by }: EstateChange): boolean {
  return !is_noise && hidden_by === undefined;
}

/** Returns the fingerprints in an earlier report; undefined if the document is something else. */
export function fingerprintsIn(report: unknown): Set<string> | undefined {
  if (!isObject(report) || member(report, "gate") === undefined || !Array.isArray(report["changes"])) {
    return undefined;
  }
  return new Set(members(report, "changes").flatMap((change) => text(change, "fingerprint") ?? []));
}

function accountReport({ account, counts, changes }: AccountDrift): AccountReport {
  const { live, matched, undeclared, unchecked, excluded, missing } = counts;
  return {
    provider: account.cloud.provider,
    external_id: account.externalId,
    formats: account.formats,
    live_count: live,
    matched_count: matched,
    undeclared_count: undeclared,
    unchecked_count: unchecked,
    excluded_count: excluded,
    missing_count: missing,
    foreign_count: account.counts.foreign,
    coverage_pct: live === 0 ? 100 : Math.round((10_000 * matched) / live) / 100,
    ...riskOf(changes.filter(isShown)),
    ...(account.goesOn !== undefined && { incomplete: account.goesOn }),
  };
}

function riskOf(changes: readonly EstateChange[]): Risk {
  const undeclared = changes.filter(({ kind }) => kind === "undeclared");
  const others = changes.filter(({ kind }) => kind !== "undeclared");
  return {
    risk_level: worstOf(others.map(({ risk_level }) => risk_level)),
    risk_counts: countsOf(others),
    undeclared_risk_level: worstOf(undeclared.map(({ risk_level }) => risk_level)),
    undeclared_risk_counts: countsOf(undeclared),
  };
}

function countsOf(changes: readonly EstateChange[]): RiskCounts {
  const counts: RiskCounts = { critical: 0, high: 0, medium: 0, low: 0 };
  for (const level of RISK_LEVELS) {
    if (level !== "none") counts[level] = changes.filter(({ risk_level }) => risk_level === level).length;
  }
  return counts;
}
