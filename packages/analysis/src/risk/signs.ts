import type { Json } from "@leeway/shared/values/json";
import { REDACTED } from "@leeway/shared/security/redaction/redact";

import { hasEverybody, isEmpty, lengthOf, numeric, textsOf } from "./attribute-values.ts";
import type { Leaf } from "../plan/leaves.ts";
import type { Transition } from "./tables/table.ts";
import type { SignTest } from "./types.ts";

/** Returns the attributes that match one of the signs, for a resource of this type. */
export function signsIn(signs: readonly SignTest[], type: string, leaves: readonly Leaf[]): Leaf[] {
  if (leaves.length === 0) return [];
  const meant = signs.filter(({ isFor }) => isFor(type));
  const together = new Set(meant.flatMap((one) => makingEverybody(one, leaves)));
  return leaves.filter(
    (leaf) =>
      together.has(leaf) ||
      meant.some(({ names, transition }) => names(leaf.name) && isTransition(leaf, transition)),
  );
}

/** Returns networks in separate blocks that together include nearly everyone. */
function makingEverybody({ names, transition }: SignTest, leaves: readonly Leaf[]): Leaf[] {
  const named = transition === "everybody" ? leaves.filter(({ name }) => names(name)) : [];
  const [were, are] = [named.map(({ before = null }) => before), named.map(({ after = null }) => after)];
  return named.length > 1 && hasEverybody(are) && !hasEverybody(were) ? named : [];
}

type NamedTransition = Extract<Transition, string>;

const TRANSITIONS: Readonly<Record<NamedTransition, (leaf: Leaf) => boolean>> = {
  off: ({ before, after, unknown }) => isOn(before) && !isOn(after) && !unknown && !isMasked(after),
  on: ({ before, after }) => isOn(after) && !isOn(before),
  zero: ({ before, after }) => numeric(before) > 0 && numeric(after) === 0,
  lower: ({ before, after }) => numeric(after) < numeric(before),
  halved: ({ before, after }) => lengthOf(after) > 0 && lengthOf(after) <= lengthOf(before) / 2,
  sooner: ({ before, after }) =>
    lengthOf(after) > 0 && (lengthOf(before) === 0 || lengthOf(after) < lengthOf(before)),
  changed: ({ before, after, unknown, hidden }) =>
    before !== undefined && (unknown || hidden || before !== after),
  version: ({ before, after, unknown, hidden }) =>
    before !== undefined &&
    (unknown || hidden || !isSameVersion(textsOf(before).join(), textsOf(after).join())),
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

export function isTransition({ before, after, ...marks }: Leaf, transition: Transition): boolean {
  if (typeof transition === "string") return TRANSITIONS[transition]({ before, after, ...marks });
  if ("leaves" in transition) {
    const { leaves } = transition;
    return isAmong(leaves, before) && !isAmong(leaves, after) && !marks.unknown && !isMasked(after);
  }
  if ("from" in transition) return isAmong(transition.from, before) && isAmong(transition.to, after);
  return isAmong(transition, after) && !isAmong(transition, before);
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

/** Checks whether one version is a prefix of the other: `8.0` and `8.0.35`. */
function isSameVersion(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return `${long}.`.startsWith(`${short}.`);
}

/**
 * Checks whether the major version differs: `14` of `14.3`, or the whole of `POSTGRES_14`. The second number belongs
 * to the major version below ten (MySQL 8.0 and 8.4, PostgreSQL 9.5 and 9.6). The same holds for three numbers
 * (MariaDB 10.4.13 and 10.11.3).
 */
function isMajor(before: string, after: string): boolean {
  const both = [before, after];
  const numbers = both.some((version) => /^\d(?:\.|$)|^\d+\.\d+\.\d/.test(version)) ? 2 : 1;
  const [were, are] = both.map((version) => version.split(".").slice(0, numbers));
  if (were === undefined || are === undefined) return false;
  const length = Math.min(were.length, are.length);
  return were.slice(0, length).join(".") !== are.slice(0, length).join(".");
}

/**
 * Parses the lowest TLS version that a setting allows: `TLS1_2`, `1.2`, `Tls12`, `TLSv1.2_2021`,
 * `ELBSecurityPolicy-TLS13-1-2-2021-06`. NaN if it names none.
 */
function tlsVersion(value: Json | undefined): number {
  if (typeof value !== "string") return Number.NaN;
  if (/disabled|^ssl/i.test(value)) return 0;
  const minor = /(?:^|[^\d])1[._-]([0-3])(?!\d)|^tls1([0-3])$/i.exec(value)?.slice(1).find(Boolean);
  if (minor !== undefined) return Number(minor);
  if (/^tls$|tlsv?[_-]?1(?:_20\d\d)?$/i.test(value) || /^ELBSecurityPolicy-(?:FS-)?20/.test(value)) return 0;
  return /tls13/i.test(value) ? 3 : Number.NaN;
}
