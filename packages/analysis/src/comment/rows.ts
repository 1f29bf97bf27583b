import type { Analysis, Finding, PlannedDrift, RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import { byLevel } from "@leeway/shared/contracts/analyzer/risk-levels";

import { flagText } from "../narrative/rule-texts.ts";
import { listed, pathText } from "../narrative/words.ts";
import { byAddress } from "../plan/by-address.ts";
import { byRule } from "../risk/findings.ts";

/** One row of a report: the same finding on one or more resources. */
export interface ReportRow {
  risk_level: RiskLevel;
  rule: string;
  /** Addresses in natural order; empty for the plan as a whole. */
  addresses: readonly string[];
  /** Action on these resources, without markup. */
  change: string;
}

/** Returns findings and drift as rows of a report, worst first, then by rule and address. Omits drift that is noise. */
export function reportRows({ findings, drift }: Pick<Analysis, "findings" | "drift">): ReportRow[] {
  const single = [
    ...findings.map(findingRow),
    ...drift.filter(({ noise }) => noise === undefined).map(driftRow),
  ];
  const groups = new Map<string, SingleRow[]>();
  for (const row of single) {
    const key = JSON.stringify([row.risk_level, row.rule, row.change]);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()]
    .map(rowOf)
    .toSorted(
      (one, other) =>
        byLevel(one, other) ||
        byRule(one, other) ||
        byAddress(one.addresses[0] ?? "", other.addresses[0] ?? ""),
    );
}

interface SingleRow extends Pick<ReportRow, "risk_level" | "rule" | "change"> {
  address: string;
}

function rowOf(rows: readonly SingleRow[]): ReportRow {
  const [{ risk_level, rule, change } = { risk_level: "none" as const, rule: "", change: "" }] = rows;
  const addresses = rows.map(({ address }) => address).filter((address) => address !== "");
  return { risk_level, rule, change, addresses: addresses.toSorted(byAddress) };
}

function findingRow({ risk_level, rule, address, message }: Finding): SingleRow {
  return { risk_level, rule, address, change: message };
}

function driftRow(one: PlannedDrift): SingleRow {
  const { risk_level, address, risk_flags: flags } = one;
  return { risk_level, rule: flags[0]?.rule ?? "", address, change: driftText(one) };
}

const MAX_PATHS = 3;

/** Describes a change outside code, and whether the plan reverts it, without markup. */
export function driftText({ kind, risk_flags, attribute_changes, restored }: PlannedDrift): string {
  const found = risk_flags.map((flag) => flag.message ?? flagText(flag).title).join("; ");
  if (kind === "missing") {
    const gone = found.startsWith(DELETED) ? found : DELETED;
    const isLost = risk_flags.some(({ flag }) => flag === "deleted_outside");
    return gone + (restored ? `; this plan creates ${isLost ? "an empty one" : "it again"}` : "");
  }
  const paths = attribute_changes.map(({ path }) => pathText(path));
  const more = paths.length > MAX_PATHS ? [`${paths.length - MAX_PATHS} more`] : [];
  const what = found === "" ? listed([...paths.slice(0, MAX_PATHS), ...more]) : lowerFirst(found);
  return `Changed outside code: ${what}${restored ? "; this plan changes it back" : ""}`;
}

const DELETED = "Deleted outside code";

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
