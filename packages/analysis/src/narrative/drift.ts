import type { Path, RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { DriftSnapshot, PostureRow } from "@leeway/shared/contracts/inventory/posture";

import { checkedAgainst, type CheckedNarrative } from "./check.ts";
import { boundedLines } from "./fence.ts";
import { Vocabulary } from "./known.ts";
import { countsInWords } from "./counts.ts";
import { code, prose } from "./markdown.ts";
import { ANSWER_RULES, promptOf, type NarrativePrompt } from "./prompt.ts";
import { flagText } from "./rule-texts.ts";
import { counted, listed, pathText } from "./words.ts";

/** One difference between what is declared in an account and what runs there. */
export interface SnapshotChange {
  kind: "changed" | "missing" | "undeclared" | "pending";
  /** The address in the code, else the cloud's own identifier. */
  name: string;
  resource_type: string;
  risk_level: RiskLevel;
  risk_flags: readonly { rule: string; flag: string }[];
  /** Of the attributes that differ. */
  paths: readonly Path[];
  /** Whether the snapshot before had it not. */
  is_new: boolean;
}

/** What a drift snapshot says of an account; changes come worst first and without noise. */
export type SnapshotFacts = Pick<
  DriftSnapshot,
  | "live_count"
  | "matched_count"
  | "undeclared_count"
  | "unchecked_count"
  | "missing_count"
  | "coverage_pct"
  | "coverage_reliable"
  | "risk_level"
  | "risk_counts"
> & {
  account: Pick<PostureRow, "name" | "provider" | "external_id">;
  changes: readonly SnapshotChange[];
  /** Whether the snapshot has others, which are no worse. */
  has_more_changes: boolean;
};

const MOST_CHANGES = 5;
const MOST_PATHS = 10;

/** What a drift snapshot means, by rules alone: short Markdown that is the same for the same facts. */
export function driftTemplateNarrative(facts: SnapshotFacts): string {
  return [opening(facts), worst(facts), others(facts)].filter((part) => part !== "").join("\n\n");
}

function opening(facts: SnapshotFacts): string {
  const { account, coverage_pct, coverage_reliable, live_count, matched_count, risk_level } = facts;
  const counts = countsInWords(facts.risk_counts);
  const risk =
    risk_level === "none"
      ? "No rule found a risk in its drift."
      : `The risk of its drift is **${risk_level}**${counts === "" ? "" : ` (${counts})`}.`;
  const reliable = coverage_reliable
    ? ""
    : " That figure isn't reliable: too many resources are of types that nothing could be compared with.";
  return `In ${code(account.name ?? account.external_id)} (${prose(account.provider)}), ${matched_count} of ${counted(live_count, "live resource")} are declared: ${coverage_pct}% coverage.${reliable} ${risk}`;
}

function worst({ changes, has_more_changes }: SnapshotFacts): string {
  const risky = changes.filter(({ kind, risk_level }) => kind !== "undeclared" || risk_level !== "none");
  if (risky.length === 0) return "";
  const lines = risky.slice(0, MOST_CHANGES).map((change) => {
    const where = change.paths.slice(0, MOST_CHANGES).map((path) => code(pathText(path)));
    const at = where.length === 0 ? "" : ` at ${listed(where)}`;
    const why = change.risk_flags.map(
      ({ rule, flag }) => `${flagText({ rule, flag }).title} (${prose(rule)}).`,
    );
    const news = change.is_new ? "new, " : "";
    return `- **${change.risk_level}**: ${code(change.name)} (${news}${change.kind})${at}. ${why.join(" ")}`.trim();
  });
  const more = risky.length - lines.length;
  if (more > 0) lines.push(`- ${has_more_changes ? "at least " : ""}${counted(more, "more change")}`);
  return ["#### What drifted", ...lines].join("\n");
}

function others({ undeclared_count, unchecked_count, missing_count }: SnapshotFacts): string {
  const lines = [
    missing_count > 0 &&
      `- ${counted(missing_count, "declared resource")} can't be found: ${missing_count === 1 ? "it was deleted outside, or is" : "they were deleted outside, or are"} of another account.`,
    undeclared_count > 0 &&
      `- ${counted(undeclared_count, "live resource")} without a declaration: import what is to stay, delete what isn't.`,
    unchecked_count > 0 &&
      `- ${unchecked_count} of them ${unchecked_count === 1 ? "is of a type" : "are of types"} that Leeway has no mapping for: look before you take ${unchecked_count === 1 ? "it" : "them"} for undeclared.`,
  ].filter((line) => line !== false);
  return lines.length === 0 ? "" : ["#### What to look at", ...lines].join("\n");
}

const SYSTEM = `You explain to the people who look after a cloud account how what runs there differs from what they declared as code: what is dangerous in it and why, what may have caused it, and what to look at first.
- ${ANSWER_RULES}`;

/** What to ask a model about a drift snapshot: bounded and fenced like a plan's (see `narrativePrompt`). */
export function driftNarrativePrompt(facts: SnapshotFacts): NarrativePrompt {
  const { name, provider, external_id } = facts.account;
  // One by one: whoever asks has the whole snapshot and account, which hold more than a model is to see.
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
    has_more_changes: facts.has_more_changes,
  };
  const records = facts.changes.map(({ paths, risk_flags, ...change }) => ({
    ...change,
    attributes: paths.slice(0, MOST_PATHS).map(pathText),
    rules: risk_flags.map(({ rule, flag }) => `${rule} ${flagText({ rule, flag }).title}`),
  }));
  const shares = [{ name: "change", records, until: 1 }];
  return promptOf(SYSTEM, "Explain this drift.", (most) => boundedLines(head, shares, most));
}

/** Whether a model's answer keeps to what a drift snapshot says (see `checkedNarrative`). */
export function checkedDriftNarrative(text: string, facts: SnapshotFacts): CheckedNarrative {
  const vocabulary = new Vocabulary();
  for (const { name, risk_level, resource_type, risk_flags, paths } of facts.changes) {
    vocabulary.subject(name, risk_level);
    vocabulary.term(resource_type, ...risk_flags.flatMap(({ rule, flag }) => [rule, flag]));
    for (const path of paths) vocabulary.path(path);
  }
  const { name = "", external_id, provider } = facts.account;
  vocabulary.term(name, external_id, provider);
  return checkedAgainst(text, vocabulary.known(facts.risk_level));
}
