import {
  NOISE_CLASSES,
  type Analysis,
  type Path,
  type RiskLevel,
} from "@leeway/shared/contracts/analyzer/analysis";
import { worstOf } from "@leeway/shared/risk-levels";

import { pathText } from "./words.ts";

/** What an answer may speak of. */
export interface Known {
  /** Of the whole. */
  level: RiskLevel;
  /** Each address, and each id of a finding, with the worst level that was found there. */
  subjects: ReadonlyMap<string, RiskLevel>;
  /** Levels that anything has, but none. */
  levels: ReadonlySet<RiskLevel>;
  /** Rules, flags, types, attributes, fingerprints, classes. */
  terms: ReadonlySet<string>;
}

/** As an answer is read: letters of another width are the usual ones. */
export function normalized(text: string): string {
  return text.normalize("NFKC");
}

/** Gathers what an answer may speak of. */
export class Vocabulary {
  readonly #subjects = new Map<string, RiskLevel>();
  readonly #levels = new Set<RiskLevel>();
  readonly #terms = new Set<string>(NOISE_CLASSES);

  /** A subject and what its name is made of: the resource without its instance, and its modules. */
  subject(given: string, level: RiskLevel): void {
    if (level !== "none") this.#levels.add(level);
    const name = normalized(given);
    if (name === "") return;
    this.#raise(name, level);
    const resource = name.replace(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]$/u, "");
    if (resource !== name) this.#raise(resource, level);
    for (const [module] of name.matchAll(MODULES)) this.#raise(module, level);
  }

  term(...terms: string[]): void {
    for (const term of terms) if (term !== "") this.#terms.add(normalized(term));
  }

  /** A path as it is, and each of its steps that is a name. */
  path(path: Path): void {
    this.term(pathText(path), path.join("."));
    for (const step of path) if (typeof step === "string") this.term(step);
  }

  known(level: RiskLevel): Known {
    return { level, subjects: this.#subjects, levels: this.#levels, terms: this.#terms };
  }

  #raise(name: string, level: RiskLevel): void {
    const before = this.#subjects.get(name) ?? "none";
    this.#subjects.set(name, worstOf([level, before]));
  }
}

const MODULES = /^(?:module\.[\p{L}\p{N}_-]+(?:\[(?:\d+|"(?:[^"\\]|\\.)*")\])?(?:\.(?=module\.))?)+/gu;

/** What may be said about an analysis. */
export function knownOfAnalysis(analysis: Analysis): Known {
  const vocabulary = new Vocabulary();
  for (const finding of analysis.findings) {
    vocabulary.subject(finding.address, finding.risk_level);
    vocabulary.subject(finding.id, finding.risk_level);
    vocabulary.term(finding.rule, finding.flag, finding.resource_type);
    for (const path of [...finding.paths, ...(finding.replace_paths ?? [])]) vocabulary.path(path);
  }
  for (const { address, risk_level, resource_type, risk_flags, attribute_changes } of analysis.drift) {
    vocabulary.subject(address, risk_level);
    vocabulary.term(resource_type, ...risk_flags.flatMap(({ rule, flag }) => [rule, flag]));
    for (const { path } of attribute_changes) vocabulary.path(path);
  }
  for (const { fingerprint, resource_type, path_pattern, addresses } of analysis.noise) {
    vocabulary.term(fingerprint, resource_type, path_pattern, ...path_pattern.split("."));
    for (const address of addresses) vocabulary.subject(address, "none");
  }
  return vocabulary.known(analysis.risk_level);
}
