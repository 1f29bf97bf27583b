import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json } from "@leeway/shared/json";
import { REDACTED } from "@leeway/shared/redaction/redact";

import { wholeInternet } from "./internet.ts";
import type { Leaf } from "./leaves.ts";
import type { Turn } from "./tables/table.ts";
import type { SignTest } from "./types.ts";

/** The attributes that change as one of the signs says, for a resource of this type. */
export function signsIn(signs: readonly SignTest[], type: string, leaves: readonly Leaf[]): Leaf[] {
  if (leaves.length === 0) return [];
  const meant = signs.filter(({ isFor }) => isFor(type));
  const together = new Set(meant.flatMap((one) => makingEverybody(one, leaves)));
  return leaves.filter(
    (leaf) => together.has(leaf) || meant.some(({ names, turn }) => names(leaf.name) && takes(leaf, turn)),
  );
}

/** Networks in blocks of their own that are nearly everybody together. */
function makingEverybody({ names, turn }: SignTest, leaves: readonly Leaf[]): Leaf[] {
  const named = turn === "everybody" ? leaves.filter(({ name }) => names(name)) : [];
  const [were, are] = [named.map(({ before = null }) => before), named.map(({ after = null }) => after)];
  return named.length > 1 && hasEverybody(are) && !hasEverybody(were) ? named : [];
}

type NamedTurn = Extract<Turn, string>;

const TURNS: Readonly<Record<NamedTurn, (leaf: Leaf) => boolean>> = {
  off: ({ before, after, unknown }) => isOn(before) && !isOn(after) && !unknown && !isMasked(after),
  on: ({ before, after }) => isOn(after) && !isOn(before),
  zero: ({ before, after }) => numeric(before) > 0 && numeric(after) === 0,
  lower: ({ before, after }) => numeric(after) < numeric(before),
  sooner: ({ before, after }) =>
    numeric(after) > 0 && (numeric(before) === 0 || numeric(after) < numeric(before)),
  changed: ({ before, after, unknown, hidden }) =>
    before !== undefined && (unknown || hidden || before !== after),
  major: ({ before, after, unknown, hidden }) =>
    before !== undefined && (unknown || hidden || isMajor(textsOf(before).join(), textsOf(after).join())),
  emptied: ({ before, after, unknown }) => !isEmpty(before) && isEmpty(after) && !unknown,
  touched: () => true,
  fewer: ({ before, after, unknown }) => {
    const kept = new Set(textsOf(after));
    return !unknown && !isMasked(after) && textsOf(before).some((item) => !kept.has(item));
  },
  everybody: ({ before, after }) => hasEverybody(after) && !hasEverybody(before),
  older_tls: ({ before, after }) => tlsVersion(after) < tlsVersion(before),
};

function takes({ before, after, ...marks }: Leaf, turn: Turn): boolean {
  if (typeof turn === "string") return TURNS[turn]({ before, after, ...marks });
  if ("leaves" in turn) {
    const { leaves } = turn;
    return isAmong(leaves, before) && !isAmong(leaves, after) && !marks.unknown && !isMasked(after);
  }
  if ("from" in turn) return isAmong(turn.from, before) && isAmong(turn.to, after);
  return isAmong(turn, after) && !isAmong(turn, before);
}

function hasEverybody(value: Json | undefined): boolean {
  return wholeInternet(textsOf(value)).length > 0;
}

function isMasked(value: Json | undefined): boolean {
  return value === REDACTED;
}

function isAmong(texts: readonly string[], value: Json | undefined): boolean {
  const wanted = new Set(texts.map((text) => text.toLowerCase()));
  return textsOf(value).some((text) => wanted.has(text.toLowerCase()));
}

function isOn(value: Json | undefined): boolean {
  return (
    value === true || (typeof value === "string" && /^(?:true|on|enabled|active|protected)$/i.test(value))
  );
}

/** NaN, which compares as nothing, for what is no number. */
export function numeric(value: Json | undefined): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
}

/**
 * Whether what stands before the first dot differs: `14` of `14.3`, `POSTGRES_14` of itself. Below ten (MySQL 8.0 and 8.4,
 * PostgreSQL 9.5 and 9.6), and of three numbers (MariaDB 10.4.13 and 10.11.3), the second number is of the major version.
 */
function isMajor(before: string, after: string): boolean {
  const both = [before, after];
  const numbers = both.some((version) => /^\d(?:\.|$)|^\d+\.\d+\.\d/.test(version)) ? 2 : 1;
  const [were, are] = both.map((version) => version.split(".").slice(0, numbers));
  if (were === undefined || are === undefined) return false;
  const length = Math.min(were.length, are.length);
  return were.slice(0, length).join(".") !== are.slice(0, length).join(".");
}

/** Nothing, null, or an empty text, list or block. */
export function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** A value, or the values of a list, as texts. */
export function textsOf(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item));
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? [String(value)]
    : [];
}

/**
 * The lowest version that a setting lets in: `TLS1_2`, `1.2`, `Tls12`, `TLSv1.2_2021`, `ELBSecurityPolicy-TLS13-1-2-2021-06`.
 * NaN when it names none.
 */
function tlsVersion(value: Json | undefined): number {
  if (typeof value !== "string") return Number.NaN;
  if (/disabled|^ssl/i.test(value)) return 0;
  const minor = /(?:^|[^\d])1[._-]([0-3])(?!\d)|^tls1([0-3])$/i.exec(value)?.slice(1).find(Boolean);
  if (minor !== undefined) return Number(minor);
  if (/^tls$|tlsv?[_-]?1(?:_20\d\d)?$/i.test(value) || /^ELBSecurityPolicy-(?:FS-)?20/.test(value)) return 0;
  return /tls13/i.test(value) ? 3 : Number.NaN;
}

/** Paths of leaves, each once. */
export function pathsOf(leaves: readonly { path: Path }[]): Path[] {
  return [...new Map(leaves.map(({ path }) => [JSON.stringify(path), path])).values()];
}
