import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, type Json, type JsonObject } from "@leeway/shared/json";

import type { ResourceChange } from "../plan/model.ts";
import { everybodyIn, networkOf, rangeOf, type Network } from "./internet.ts";
import type { InboundRules, PortBounds } from "./tables/table.ts";
import { numeric, textsOf } from "./turns.ts";
import { INBOUND } from "./types.ts";

/** Ports that a rule of a network policy lets be reached, and from where. */
interface Reached {
  from: number;
  to: number;
  /** `*` for all. */
  protocol: string;
  path: Path;
}

/** Ports that the whole internet is let reach. */
export interface Opening extends Reached {
  ip: Network["ip"];
}

/** Ports that a large part of the internet is let reach. */
export interface PartlyOpen extends Reached {
  network: Network;
}

const ALL_PORTS = { from: 0, to: 65_535 };

/**
 * What is open to large parts of the internet, which several rules may make the whole of. One by one: each of a rule's
 * sources goes with each of its ports. @param type as the tables name it
 */
export function* partlyOpen(type: string, side: Json): Generator<PartlyOpen> {
  for (const { sources, ports } of rowsOf(type).flatMap((row) => admitted(side, row))) {
    const parts = sources.flatMap(({ large, path }) => large.map((network) => ({ network, path })));
    for (const part of parts) {
      for (const range of ports) yield { ...range, ...part };
    }
  }
}

/** What is open to the whole internet after a change and wasn't before. @param type as the tables name it */
export function newOpenings(type: string, { before, after }: ResourceChange): Opening[] {
  const rows = rowsOf(type);
  const now = rows.flatMap((row) => openingsOf(after, row));
  if (now.length === 0) return [];
  const were = new Map(rows.flatMap((row) => openingsOf(before, row)).map((one) => [keyOf(one), one]));
  const widest = [...were.values()]
    .toSorted((one, other) => widthOf(other) - widthOf(one))
    .slice(0, MOST_COMPARED);
  return now.filter((one) => !were.has(keyOf(one)) && !widest.some((other) => covers(other, one)));
}

function rowsOf(type: string): readonly InboundRules[] {
  return INBOUND.filter(({ isFor }) => isFor(type));
}

/** So that no plan makes this slow: all with the same ports as before are known by their keys anyway. */
const MOST_COMPARED = 100;

function keyOf({ from, to, protocol, ip }: Opening): string {
  return [from, to, protocol, ip].join(" ");
}

function widthOf({ from, to }: Opening): number {
  return to - from;
}

function covers(wide: Opening, narrow: Opening): boolean {
  return (
    wide.from <= narrow.from &&
    wide.to >= narrow.to &&
    (wide.protocol === "*" || wide.protocol === narrow.protocol) &&
    (wide.ip === "*" || wide.ip === narrow.ip)
  );
}

/** A rule and the blocks around it, innermost first: what a rule doesn't say of who and whereto, they do. */
type Scope = readonly { block: JsonObject; path: Path }[];

/** What a rule lets in: from where, and to which ports. */
interface Admitted {
  sources: (Sources & { path: Path })[];
  ports: Omit<Reached, "path">[];
}

function openingsOf(side: Json, row: InboundRules): Opening[] {
  return admitted(side, row).flatMap(({ sources, ports }) =>
    sources.flatMap(({ whole, path }) =>
      whole.flatMap((ip) => ports.map((range) => ({ ...range, ip, path }))),
    ),
  );
}

function admitted(side: Json, row: InboundRules): Admitted[] {
  if (!isObject(side)) return [];
  const scopes = down([{ block: side, path: [] }], row.blocks);
  return scopes.filter((scope) => letsIn(scope, row)).map((scope) => admittedBy(scope, row));
}

/** Blocks within blocks. */
function down(scope: Scope, names: readonly string[]): Scope[] {
  let scopes = [scope];
  for (const name of names) scopes = scopes.flatMap((outer) => within(outer, name));
  return scopes;
}

function within(scope: Scope, name: string): Scope[] {
  const [innermost] = scope;
  const inner = innermost?.block[name];
  const path = [...(innermost?.path ?? []), name];
  if (isObject(inner)) return [[{ block: inner, path }, ...scope]];
  if (!Array.isArray(inner)) return [];
  return inner.flatMap((block, index) =>
    isObject(block) ? [[{ block, path: [...path, index] }, ...scope]] : [],
  );
}

/** An attribute of a rule, or of a block around it. */
function field(scope: Scope, name: string): { value: Json | undefined; path: Path } {
  const holder = scope.find(({ block }) => block[name] !== undefined && block[name] !== null);
  return { value: holder?.block[name], path: [...(holder?.path ?? []), name] };
}

function letsIn(scope: Scope, { only }: InboundRules): boolean {
  return Object.entries(only).every(([name, wanted]) => {
    const { value } = field(scope, name);
    return typeof value === "object" || value === undefined || wanted.includes(String(value).toLowerCase());
  });
}

function admittedBy(scope: Scope, row: InboundRules): Admitted {
  const last = row.ends?.flatMap((name) => textsOf(field(scope, name).value)).join("");
  const sources = row.sources.flatMap((name) => {
    const { value, path } = field(scope, name);
    const { whole, large } = sourcesIn(value, last);
    return large.length > 0 ? [{ whole, large, path }] : [];
  });
  const rule = scope[0]?.block;
  if (sources.length === 0 || rule === undefined) return { sources: [], ports: [] };
  const ports = protocolsOf(rule[row.protocol]).flatMap((protocol) =>
    rangesOf(rule, row, protocol).map((range) => ({ ...range, protocol })),
  );
  return { sources, ports };
}

/** Where a rule lets in from. */
interface Sources {
  /** Versions of IP of which they are everybody. */
  whole: readonly Network["ip"][];
  large: readonly Network[];
}

/** Smaller networks don't make up the internet within as many rules as clouds allow: so no plan makes this slow. */
const LARGE = 1 / 1024;

/** The sources of a block are those of all rules in it. */
const known = new WeakMap<Json[], Sources>();

/** @param last the address with which a range ends, where a source is the first of one */
function sourcesIn(given: Json | undefined, last?: string): Sources {
  if (!Array.isArray(given)) return sourcesOf(textsOf(given), last);
  const sources = known.get(given) ?? sourcesOf(textsOf(given), last);
  known.set(given, sources);
  return sources;
}

function sourcesOf(texts: readonly string[], last?: string): Sources {
  const large = texts
    .flatMap((text) => (last === undefined ? sourceOf(text) : rangeOf(text, last)) ?? [])
    .filter(({ start, end }) => end - start >= LARGE);
  return { whole: everybodyIn(large), large };
}

/** Without a mask, the address of none stands for all. */
function sourceOf(text: string): Network | undefined {
  return networkOf(text.trim() === "0.0.0.0" ? "0.0.0.0/0" : text);
}

const EVERY_PROTOCOL = /^(?:-1|all|any|\*|)$/;
const NUMBERS: Readonly<Record<string, string>> = { "6": "tcp", "17": "udp", "1": "icmp", "58": "icmpv6" };

/** More of them count as all, so that no plan makes this slow: a rule has each port with each of them. */
const MOST_PROTOCOLS = 10;

/** Those that have ports, by their names. */
function protocolsOf(value: Json | undefined): string[] {
  const given = textsOf(value).map((text) => text.toLowerCase());
  const isAny = given.length === 0 || given.length > MOST_PROTOCOLS;
  if (isAny || given.some((text) => EVERY_PROTOCOL.test(text))) return ["*"];
  return given
    .map((text) => NUMBERS[text] ?? text)
    .filter((name) => !/^(?:icmp|icmpv6|ipv6-icmp|esp|ah)$/.test(name));
}

function rangesOf(
  rule: JsonObject,
  { ports }: InboundRules,
  protocol: string,
): { from: number; to: number }[] {
  if ("ranges" in ports) {
    const texts = ports.ranges.flatMap((name) => textsOf(rule[name]));
    return texts.length === 0 ? [ALL_PORTS] : texts.flatMap(portsOf);
  }
  const [scope] = down([{ block: rule, path: [] }], ports.inside?.[protocol] ?? []);
  return [rangeBetween(scope?.[0]?.block ?? {}, ports, protocol)];
}

function rangeBetween(block: JsonObject, ports: PortBounds, protocol: string): { from: number; to: number } {
  const [from, to] = [numeric(block[ports.from]), numeric(block[ports.to])];
  // Providers write 0 to 0, -1 or nothing for all ports.
  const isAll = protocol === "*" || Number.isNaN(from) || from < 0;
  return isAll ? ALL_PORTS : { from, to: Number.isNaN(to) ? from : to };
}

function portsOf(text: string): { from: number; to: number }[] {
  if (/^(?:\*|any|all|-1\/-1)$/i.test(text.trim())) return [ALL_PORTS];
  const [, from, to] = /^\s*(\d{1,5})(?:\s*[-/]\s*(\d{1,5}))?\s*$/.exec(text) ?? [];
  return from === undefined ? [] : [{ from: Number(from), to: Number(to ?? from) }];
}
