import type { NoiseClass } from "@leeway/shared/contracts/analyzer/analysis";
import { sha256 } from "@leeway/shared/values/digest";

import { canonicalJson } from "../plan/canonical-json.ts";

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
const LENGTH = 26;

/** Properties shared by noise of one kind, across projects, accounts and resources. */
export interface Kind {
  provider: string;
  type: string;
  class: NoiseClass;
  /** Path patterns. */
  paths: readonly string[];
  /** Types of the values before and after. */
  shape: readonly [string, string];
}

/** Returns the fingerprint of a kind of noise. It contains no attribute values. */
export function noiseFingerprint({ provider, type, class: noiseClass, paths, shape }: Kind): string {
  const kind = { v: 1, provider, type, class: noiseClass, paths: paths.toSorted(), shape: [...shape] };
  return `pn1_${base32(sha256(canonicalJson(kind))).slice(0, LENGTH)}`;
}

/** Returns a value's type for the fingerprint's shape. */
export function shapeOf(value: unknown): string {
  if (value === null || value === undefined) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}

/** Encodes as in RFC 4648, in lower case and without padding. */
function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => BASE32[Number.parseInt(group.padEnd(5, "0"), 2)]).join("");
}
