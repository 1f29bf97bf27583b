import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, type Json, type JsonObject } from "@leeway/shared/json";

import type { ResourceChange } from "../plan/model.ts";
import { isWholeRange, wholeInternet } from "./internet.ts";
import type { InboundRules } from "./tables/table.ts";
import { numeric, textsOf } from "./turns.ts";
import { INBOUND } from "./types.ts";

/** Ports that a rule of a network policy lets the whole internet reach. */
export interface Opening {
  from: number;
  to: number;
  /** `*` for all. */
  protocol: string;
  /** 4 or 6. */
  ip: string;
  path: Path;
}

const ALL_PORTS = { from: 0, to: 65_535 };

/** What is open to the whole internet after a change and wasn't before. @param type as the tables name it */
export function newOpenings(type: string, { before, after }: ResourceChange): Opening[] {
  const rows = INBOUND.filter(({ isFor }) => isFor(type));
  const now = rows.flatMap((row) => openingsOf(after, row));
  if (now.length === 0) return [];
  const were = new Map(rows.flatMap((row) => openingsOf(before, row)).map((one) => [keyOf(one), one]));
  const widest = [...were.values()]
    .toSorted((one, other) => widthOf(other) - widthOf(one))
    .slice(0, MOST_COMPARED);
  return now.filter((one) => !were.has(keyOf(one)) && !widest.some((other) => covers(other, one)));
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

function openingsOf(side: Json, row: InboundRules): Opening[] {
  if (!isObject(side)) return [];
  let scopes: Scope[] = [[{ block: side, path: [] }]];
  for (const name of row.blocks) scopes = scopes.flatMap((scope) => within(scope, name));
  return scopes.filter((scope) => letsIn(scope, row)).flatMap((scope) => openingsIn(scope, row));
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

function openingsIn(scope: Scope, row: InboundRules): Opening[] {
  const last = row.ends?.flatMap((name) => textsOf(field(scope, name).value)).join("");
  const sources = row.sources.flatMap((name) => {
    const { value, path } = field(scope, name);
    return wholeInternetIn(value, last).map((ip) => ({ ip, path }));
  });
  const rule = scope[0]?.block;
  if (sources.length === 0 || rule === undefined) return [];
  const protocols = protocolsOf(rule[row.protocol]);
  return sources.flatMap((source) =>
    protocols.flatMap((protocol) =>
      rangesOf(rule, row, protocol).map((range) => ({ ...range, ...source, protocol })),
    ),
  );
}

/** The sources of a block are those of all rules in it. */
const known = new WeakMap<Json[], readonly string[]>();

/** @param last the address with which a range ends, where a source is the first of one */
function wholeInternetIn(sources: Json | undefined, last?: string): readonly string[] {
  if (last !== undefined) return textsOf(sources).some((first) => isWholeRange(first, last)) ? ["4"] : [];
  if (!Array.isArray(sources)) return textsOf(sources).flatMap(sourceOf);
  const whole = known.get(sources) ?? [...new Set(textsOf(sources).flatMap(sourceOf))];
  known.set(sources, whole);
  return whole;
}

/** Without a mask, the address of none stands for all. */
function sourceOf(text: string): string[] {
  return text.trim() === "0.0.0.0" ? ["4"] : wholeInternet(text);
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
    return texts.length === 0 ? [ALL_PORTS] : texts.flatMap(rangeOf);
  }
  const [from, to] = [numeric(rule[ports.from]), numeric(rule[ports.to])];
  // Providers write 0 to 0, -1 or nothing for all ports.
  const isAll = protocol === "*" || Number.isNaN(from) || from < 0;
  return [isAll ? ALL_PORTS : { from, to: Number.isNaN(to) ? from : to }];
}

function rangeOf(text: string): { from: number; to: number }[] {
  if (/^(?:\*|any|all|-1\/-1)$/i.test(text.trim())) return [ALL_PORTS];
  const [, from, to] = /^\s*(\d{1,5})(?:\s*[-/]\s*(\d{1,5}))?\s*$/.exec(text) ?? [];
  return from === undefined ? [] : [{ from: Number(from), to: Number(to ?? from) }];
}
