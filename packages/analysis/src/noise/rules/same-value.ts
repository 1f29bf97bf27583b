import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import ipaddr from "ipaddr.js";

import { OWNED, PROVEN } from "../confidence.ts";
import type { LeafRule, Subject } from "../detector.ts";
import { attributeName, isKey } from "../path-pattern.ts";

const NETWORK =
  /cidr|(?:^|_)(?:ip_rules|ip_ranges?|source_ranges|destination_ranges|address_(?:prefix(?:es)?|space))$/;
const TIME =
  /timeout|duration|ttl|interval|period|(?:^|_)age$|delay|retention|window|expir|lifetime|frequency|cooldown|deadline|_time$/;
const ENCODED: ReadonlySet<string> = new Set([
  "certificate",
  "certificate_body",
  "ca_certificate",
  "public_key",
]);
const VERSIONED_TYPE =
  /^aws_(?:db_instance|rds_cluster|rds_cluster_instance|docdb_cluster|neptune_cluster|elasticache_\w+|mq_broker)$/;

export const sameValue: LeafRule = {
  class: "equivalent_value",
  judge({ path, before, after }, subject) {
    if (typeof before !== "string" || typeof after !== "string" || isKey(path)) return undefined;
    if (SPELLINGS.some((spelling) => isSameSpelled([before, after], spelling, { path, subject })))
      return PROVEN;
    if (ENCODED.has(attributeName(path)) && isEncoded(before, after)) return PROVEN;
    return isVersionAskedFor(before, after, { path, subject }) ? OWNED : undefined;
  },
};

interface Place {
  path: Path;
  subject: Subject;
}

/** A notation in which one value has several forms. */
interface Spelling {
  applies: (name: string, type: string) => boolean;
  /** Returns the canonical form of a value; undefined if it isn't in this notation. */
  normalize: (value: string, type: string) => string | undefined;
}

const SPELLINGS: readonly Spelling[] = [
  { applies: (name) => NETWORK.test(name), normalize: normalizeNetwork },
  { applies: (name) => TIME.test(name), normalize: (value) => seconds(value)?.toString() },
  {
    applies: (name, type) => /^(?:ip_)?protocol$/.test(name) && type.startsWith("aws_"),
    normalize: (value) => PROTOCOLS.get(value.toLowerCase()) ?? value,
  },
  { applies: (_, type) => type.startsWith("google_"), normalize: normalizeSelfLink },
  {
    applies: (name, type) => name === "location" && type.startsWith("azurerm_"),
    normalize: (value) => value.replaceAll(" ", "").toLowerCase(),
  },
];

/** IANA's protocol numbers; AWS adds its own for all protocols. */
const PROTOCOLS: ReadonlyMap<string, string> = new Map([
  ["all", "-1"],
  ["icmp", "1"],
  ["icmpv6", "58"],
  ["tcp", "6"],
  ["udp", "17"],
]);

function isSameSpelled(
  values: readonly string[],
  { applies, normalize }: Spelling,
  { path, subject }: Place,
): boolean {
  const { type } = subject.change;
  if (!applies(attributeName(path), type)) return false;
  const [before, after] = values.map((value) => normalize(value, type));
  return before !== undefined && before === after;
}

/** Maximum length of an address with its prefix length. */
const LONGEST_NETWORK = 50;

/** Providers whose APIs ignore the host bits of a network. Elsewhere they may be an interface's own address. */
const TAKES_NETWORKS = /^(?:aws|awscc|azurerm|google)_(?!compute_router_interface$)/;

/** Normalizes a network, or an address with its prefix length. An address without one is a network of one. */
function normalizeNetwork(value: string, type: string): string | undefined {
  if (value.length > LONGEST_NETWORK) return undefined;
  const [, address = "", , prefix] = /^([\d.]+|[\da-f:.]*:[\da-f:.]*)(\/(\d{1,3}))?$/i.exec(value) ?? [];
  const isV4 = ipaddr.IPv4.isValidFourPartDecimal(address);
  if (!isV4 && !ipaddr.IPv6.isValid(address)) return undefined;
  const [family, most] = isV4 ? ([ipaddr.IPv4, 32] as const) : ([ipaddr.IPv6, 128] as const);
  const bits = Number(prefix ?? most);
  if (bits > most) return undefined;
  const kept = TAKES_NETWORKS.test(type) ? bits : most;
  const network = family.networkAddressFromCIDR(`${address}/${kept}`);
  return `${network.toNormalizedString()}/${bits}`;
}

const SECONDS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
};

/** Parses a duration in Go's notation (`1h30m`, with days and weeks) or ISO 8601 (`PT1H30M`); no months. */
function seconds(value: string): number | undefined {
  const iso = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(value);
  if (iso && /\d/.test(value)) return sum(iso.slice(1), [SECONDS["w"], SECONDS["d"], 3600, 60, 1]);
  if (!/^(?:\d+(?:ns|us|µs|ms|s|m|h|d|w))+$/.test(value)) return undefined;
  const parts = [...value.matchAll(/(\d+)([a-zµ]+)/g)];
  return sum(
    parts.map(([, count]) => count),
    parts.map(([, , unit = ""]) => SECONDS[unit]),
  );
}

function sum(counts: readonly (string | undefined)[], units: readonly (number | undefined)[]): number {
  return counts.reduce((total, count, index) => total + Number(count ?? 0) * (units[index] ?? 0), 0);
}

/** Checks whether one text is the Base64 of the other; the provider accepts both. */
function isEncoded(one: string, other: string): boolean {
  return encode(one) === other || encode(other) === one;
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** Reduces Google resource URLs to their path. */
function normalizeSelfLink(value: string): string | undefined {
  const path = value.replace(/^(?:https:)?\/\/(?:www|compute)\.googleapis\.com\/compute\/(?:v1|beta)\//, "");
  return /^projects\/[^/]+\/(?:global|regions|zones)\/./.test(path) ? path : undefined;
}

/** Checks whether the running version (`5.7.33`) satisfies the declared one (`5.7`; for caches also `6.x`). */
function isVersionAskedFor(before: string, after: string, { path, subject }: Place): boolean {
  if (attributeName(path) !== "engine_version" || !VERSIONED_TYPE.test(subject.change.type)) return false;
  const [declared, running] = subject.source === "drift" ? [before, after] : [after, before];
  return running.startsWith(`${declared.replace(/\.x$/, "")}.`);
}
