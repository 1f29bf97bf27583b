import { changeFlags } from "@leeway/analysis/risk/findings";
import { valueOf } from "@leeway/analysis/plan/leaves";
import type { PlannedDrift, RiskFlag, RiskProfile } from "@leeway/shared/contracts/analyzer/analysis";
import { sha256 } from "@leeway/shared/values/digest";
import type { Json } from "@leeway/shared/values/json";
import { byLevel, worstOf } from "@leeway/shared/contracts/analyzer/risk-levels";

import type { Created, CreatedPart } from "./created.ts";

/** Rules' verdict on a resource, as if a plan created it. */
export interface JudgedCreation extends Pick<PlannedDrift, "risk_level" | "risk_flags"> {
  /** Hash of the flags and the values behind them. If it changes, a decision is open again. */
  values_hash: string;
}

/** One resource of the creating plan. */
interface Creation extends Pick<PlannedDrift, "risk_level" | "risk_flags"> {
  part: CreatedPart;
}

/** Judges a resource and its parts as a plan that creates all of them. Harmless parts are ignored. */
export function judgeCreated(
  whole: Created,
  parts: readonly CreatedPart[],
  profile: RiskProfile,
): JudgedCreation {
  const own = creationOf({ ...whole, at: [] }, profile);
  const dangers = parts.map((part) => creationOf(part, profile)).filter(isDanger);
  if (dangers.length === 0) return { ...levelOf(own), values_hash: hashOf([own]) };
  const all = [own, ...dangers].toSorted(byLevel);
  return {
    risk_level: worstOf(all.map(({ risk_level }) => risk_level)),
    risk_flags: distinct(all.flatMap(flagsOf)),
    values_hash: hashOf(all),
  };
}

function levelOf({ risk_level, risk_flags }: Creation): Pick<JudgedCreation, "risk_level" | "risk_flags"> {
  return { risk_level, risk_flags };
}

function creationOf(part: CreatedPart, profile: RiskProfile): Creation {
  const change = {
    address: "",
    previousAddress: undefined,
    moduleAddress: undefined,
    mode: "managed" as const,
    type: part.type,
    providerName: "",
    deposed: undefined,
    actions: ["create"],
    actionReason: undefined,
    importing: false,
    before: null,
    after: part.attributes,
    replacePaths: [],
    differences: [],
  };
  return { ...changeFlags(change, { profile, outside: true }), part };
}

/** Rules that flag every part of a kind, such as every policy. */
const OF_ANY = new Set(["R08", "R12", "R20"]);

/** Reports whether a part is a risk beyond its existence. A blocked part grants no access. */
function isDanger({ part, risk_flags }: Creation): boolean {
  return risk_flags.some(({ rule }) => !OF_ANY.has(rule) && !(part.isShut === true && rule === "R10"));
}

function flagsOf({ part: { at }, risk_flags }: Creation): RiskFlag[] {
  if (at.length === 0) return risk_flags;
  return risk_flags.map((flag) => ({
    ...flag,
    evidence: flag.evidence.map((path) => [...at, ...path]),
  }));
}

const MAX_FLAGS = 20;

/** Removes duplicate flags. The flag for a new resource is dropped if another rule applies. */
function distinct(flags: readonly RiskFlag[]): RiskFlag[] {
  const all = [...new Map(flags.map((flag) => [keyOf(flag), flag])).values()];
  const others = all.filter(({ rule }) => rule !== "R20");
  return (others.length > 0 ? others : all).slice(0, MAX_FLAGS);
}

function keyOf({ rule, flag, message = "" }: RiskFlag): string {
  return `${rule} ${flag} ${message}`;
}

/** Attributes with a network rule's ports and protocols. */
const OF_RULE = /port|protocol|^allow$/;

/** Returns the values behind a creation's flags, including the block around a network rule. */
function valuesOf({ part: { attributes }, risk_flags }: Creation): string[] {
  return risk_flags.flatMap(({ rule, evidence }) => {
    const values = evidence.map((path): Json => {
      if (path.length > 1) return valueOf(attributes, path.slice(0, -1)) ?? null;
      return Object.entries(attributes).filter(([name]) => name === path[0] || OF_RULE.test(name));
    });
    return values.map((value) => `${rule} ${JSON.stringify(value)}`);
  });
}

/** Returns a hash that doesn't depend on the order of rules, which varies in clouds. */
function hashOf(creations: readonly Creation[]): string {
  const flags = creations.flatMap(({ risk_flags }) => risk_flags.map(({ rule, flag }) => `${rule} ${flag}`));
  const values = creations.flatMap(valuesOf);
  const all = [...new Set([...flags, ...values])].toSorted().join("\n");
  return values.length === 0 ? all : sha256(all).toString("hex").slice(0, 32);
}
