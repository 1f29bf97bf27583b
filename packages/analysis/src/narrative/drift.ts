import { counted } from "@leeway/shared/values/counted";
import type { Path, RiskFlag, RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { PostureRow, TrendPoint } from "@leeway/shared/contracts/inventory/posture";
import { present } from "@leeway/shared/values/json";
import { isAtLeast } from "@leeway/shared/contracts/analyzer/risk-levels";

import { boundedLines } from "./fence.ts";
import { countsInWords } from "./counts.ts";
import { code, prose } from "./markdown.ts";
import { questionOf, type Question } from "./prompt.ts";
import { flagText } from "./rule-texts.ts";
import { listed, pathText } from "./words.ts";

/** One difference between an account's code and its live resources. */
export interface SnapshotChange {
  fingerprint: string;
  kind: "changed" | "missing" | "undeclared" | "pending";
  /** Address in the code, or the cloud's identifier if there is none. */
  name: string;
  resource_type: string;
  risk_level: RiskLevel;
  risk_flags: readonly Pick<RiskFlag, "rule" | "flag" | "message">[];
  /** Paths of the attributes that differ. */
  paths: readonly Path[];
  /** Whether the previous snapshot didn't have it. */
  is_new: boolean;
}

/** Summary of an account's drift snapshot. Changes are sorted worst first, without noise. */
export type SnapshotFacts = Pick<
  TrendPoint,
  | "live_count"
  | "matched_count"
  | "undeclared_count"
  | "unchecked_count"
  | "missing_count"
  | "coverage_pct"
  | "coverage_reliable"
  | "risk_level"
  | "risk_counts"
  | "undeclared_risk_level"
  | "undeclared_risk_counts"
> & {
  account: Pick<PostureRow, "name" | "provider" | "external_id">;
  changes: readonly SnapshotChange[];
  /** Whether the snapshot has more changes, none of them worse. */
  has_more_changes: boolean;
};

const MAX_CHANGES = 5;
const MAX_PATHS = 10;

/** Explains a drift snapshot by rules only: short Markdown, deterministic for the same facts. */
export function driftTemplateNarrative(facts: SnapshotFacts): string {
  return [opening(facts), worst(facts), others(facts)].filter((part) => part !== "").join("\n\n");
}

function opening(facts: SnapshotFacts): string {
  const { account, coverage_pct, coverage_reliable, live_count, matched_count, risk_level } = facts;
  const counts = countsInWords(facts.risk_counts);
  const harmless =
    matched_count === 0
      ? "No live resource is declared, so nothing can have drifted."
      : "No risk was found in its drift.";
  const risk =
    risk_level === "none" ? harmless : `Drift risk: **${risk_level}**${counts === "" ? "" : ` (${counts})`}.`;
  const reliable = coverage_reliable
    ? ""
    : " That figure isn't reliable: too many resources have types that Leeway can't compare yet.";
  return `In ${code(account.name ?? account.external_id)} (${prose(account.provider)}), ${matched_count} of ${counted(live_count, "live resource")} are declared: ${coverage_pct}% coverage.${reliable} ${risk}`;
}

function worst({ changes, has_more_changes }: SnapshotFacts): string {
  const risky = changes.filter(
    ({ kind, risk_level }) => kind !== "undeclared" || isAtLeast(risk_level, "medium"),
  );
  if (risky.length === 0) return "";
  const lines = risky.slice(0, MAX_CHANGES).map((change) => {
    const news = change.is_new ? "new, " : "";
    const why = change.risk_flags.map((flag) => `${prose(reasonOf(flag))} (${prose(flag.rule)}).`);
    const head = `- **${change.risk_level}**: ${code(change.name)} (${news}${change.kind})`;
    return why.length === 0 ? `${head}${pathsIn(change)}.` : `${head}: ${why.join(" ")}`;
  });
  const more = risky.length - lines.length;
  if (more > 0) lines.push(`- ${has_more_changes ? "at least " : ""}${counted(more, "more change")}`);
  return ["#### What drifted", ...lines].join("\n");
}

const reasonOf = ({ message, ...flag }: SnapshotChange["risk_flags"][number]): string =>
  message ?? flagText(flag).title;

function pathsIn({ paths }: SnapshotChange): string {
  const where = paths.slice(0, MAX_CHANGES).map((path) => code(pathText(path)));
  return where.length === 0 ? "" : ` at ${listed(where)}`;
}

function others(facts: SnapshotFacts): string {
  const { undeclared_count, unchecked_count, missing_count, undeclared_risk_counts: counts } = facts;
  const levels = counts ? countsInWords(counts) : "";
  const lines = [
    missing_count > 0 &&
      `- ${counted(missing_count, "declared resource")} ${missing_count === 1 ? "was" : "were"} deleted outside code.`,
    undeclared_count > 0 &&
      `- ${counted(undeclared_count, "live resource")} without a declaration${levels && ` (${levels})`}: import those to keep, and delete the others.`,
    unchecked_count > 0 &&
      `- ${unchecked_count} of them ${unchecked_count === 1 ? "has a type" : "have types"} that Leeway can't compare yet, so ${unchecked_count === 1 ? "it" : "they"} may be declared.`,
  ].filter((line) => line !== false);
  return lines.length === 0 ? "" : ["#### What to check", ...lines].join("\n");
}

const TASK =
  "You explain to the people who look after a cloud account how it differs from their code. Say what is dangerous and why, what may have caused it, and what to look at first. An id is the `fingerprint` of a change.";

/** Builds a model prompt about a drift snapshot, bounded and fenced like `narrativePrompt`. */
export function driftNarrativePrompt(facts: SnapshotFacts): Question {
  const { name, provider, external_id } = facts.account;
  // Fields are listed one by one, because the snapshot and account hold more than a model should see.
  const head = {
    account: { name, provider, external_id },
    live_count: facts.live_count,
    matched_count: facts.matched_count,
    undeclared_count: facts.undeclared_count,
    unchecked_count: facts.unchecked_count,
    missing_count: facts.missing_count,
    coverage_pct: facts.coverage_pct,
    coverage_reliable: facts.coverage_reliable,
    risk_level: facts.risk_level,
    risk_counts: facts.risk_counts,
    ...present({
      undeclared_risk_level: facts.undeclared_risk_level,
      undeclared_risk_counts: facts.undeclared_risk_counts,
    }),
    has_more_changes: facts.has_more_changes,
  };
  const records = facts.changes.map(({ paths, risk_flags, ...change }) => ({
    ...change,
    attributes: paths.slice(0, MAX_PATHS).map(pathText),
    rules: risk_flags.map((flag) => `${flag.rule} ${reasonOf(flag)}`),
  }));
  const shares = [{ name: "change", records, until: 1 }];
  const names = new Map(facts.changes.map((change) => [change.fingerprint, change.name]));
  return questionOf(TASK, (most) => boundedLines(head, shares, most), names);
}
