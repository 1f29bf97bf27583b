import { splitCode } from "./code-spans.ts";
import type { Known } from "./known.ts";

const NAME = String.raw`[\p{L}_][\p{L}\p{N}_-]*`;
const INDEX = String.raw`(?:\[(?:\d+|"(?:[^"\\]|\\.)*")\])?`;
const MODULE = String.raw`module\.${NAME}${INDEX}`;
const RESOURCE = String.raw`(?:data\.)?[a-z][a-z0-9]*_[a-z0-9_-]+\.${NAME}${INDEX}`;
/** An address of a module or a resource, with the attributes that follow it. */
const ADDRESS = String.raw`(?<![\p{L}\p{N}_.-])(?:(?:${MODULE}\.)*${RESOURCE}|${MODULE}(?:\.${MODULE})*)(?:\.${NAME}${INDEX})*`;
const CITATIONS = new RegExp(`(?:\\bR\\d\\d:)?${ADDRESS}|\\bR\\d\\d\\b|\\bpn1_[a-z0-9]*`, "gu");
const COMMAND = /^\/leeway (?:help|analyze|status|rescan|(?:explain|fix|ignore|unignore) (.+))$/u;

/** What a text cites by name, as it stands there: addresses, ids of findings, rules, fingerprints, code. */
export function citationsOf(text: string): string[] {
  const codes = splitCode(text).flatMap((piece) => (piece.code ? [piece.text.trim()] : []));
  return [...(text.match(CITATIONS) ?? []), ...codes];
}

/** What a citation names among what is known: a subject or a term; undefined when there is no such thing. */
export function resolved(citation: string, known: Known): string | undefined {
  const command = COMMAND.exec(citation);
  if (command !== null) return command[1] === undefined ? citation : resolved(command[1], known);
  if (isKnown(citation, known)) return citation;
  const owner = ownerOf(citation, known);
  if (owner !== undefined) return owner;
  const steps = citation.split(/[.[\]"]+/u).filter((step) => step !== "" && !/^\d+$/u.test(step));
  if (steps.length > 0 && steps.every((step) => known.terms.has(step))) return citation;
  // Words and code without names: `terraform plan`, `ignore_changes`.
  const names = /[.:/\\]/u.test(citation) || /\bR\d\d\b|\bpn1_/u.test(citation);
  return names ? undefined : citation;
}

/** The subject that an attribute is of: `aws_instance.web` for `aws_instance.web.tags["a"]`. */
function ownerOf(citation: string, known: Known): string | undefined {
  const steps = new RegExp(String.raw`(?:\.${NAME}${INDEX}|\[(?:\d+|"(?:[^"\\]|\\.)*")\])$`, "u");
  let owner = citation;
  for (let count = 0; count < 10; count += 1) {
    const shorter = owner.replace(steps, "");
    if (shorter === owner) return undefined;
    if (known.subjects.has(shorter) && isAttribute(citation.slice(shorter.length), known)) return shorter;
    owner = shorter;
  }
  return undefined;
}

/** What follows an address is an attribute that the data speaks of. */
function isAttribute(rest: string, known: Known): boolean {
  return rest.startsWith("[") ? false : known.terms.has(/^\.([^.[]+)/u.exec(rest)?.[1] ?? "");
}

function isKnown(citation: string, { subjects, terms }: Known): boolean {
  return subjects.has(citation) || terms.has(citation);
}
