import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import { numeric, textsOf } from "./attribute-values.ts";
import type { InboundRules, PortBounds } from "./tables/table.ts";
import { INBOUND } from "./types.ts";

/** Reads rules of security groups, firewalls and similar resources, wherever they are declared. */

/** A rule and its enclosing blocks, innermost first: an enclosing block may name its source or port. */
export type Scope = readonly { block: JsonObject; path: Path }[];

/** First and last port. */
export interface PortRange {
  from: number;
  to: number;
}

export const ALL_PORTS: PortRange = { from: 0, to: 65_535 };

/** A rule that allows inbound traffic, and the table row that describes its attributes. */
export interface InboundRule {
  scope: Scope;
  row: InboundRules;
}

/**
 * Returns the rules of a resource that allow inbound traffic.
 * @param type as the tables name it
 */
export function inboundRules(type: string, side: Json): InboundRule[] {
  if (!isObject(side)) return [];
  return INBOUND.filter(({ isFor }) => isFor(type)).flatMap((row) =>
    blocksWithin([{ block: side, path: [] }], row.blocks)
      .filter((scope) => letsIn(scope, row))
      .map((scope) => ({ scope, row })),
  );
}

/** Returns nested blocks. */
function blocksWithin(scope: Scope, names: readonly string[]): Scope[] {
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

/** Returns an attribute of a rule or of an enclosing block. */
export function field(scope: Scope, name: string): { value: Json | undefined; path: Path } {
  const holder = scope.find(({ block }) => block[name] !== undefined && block[name] !== null);
  return { value: holder?.block[name], path: [...(holder?.path ?? []), name] };
}

function letsIn(scope: Scope, { only }: InboundRules): boolean {
  return Object.entries(only).every(([name, wanted]) => {
    const { value } = field(scope, name);
    return typeof value === "object" || value === undefined || wanted.includes(String(value).toLowerCase());
  });
}

/** Returns the ports that a rule opens, by protocol; `*` is any protocol. */
export function portsOf({ scope, row }: InboundRule): (PortRange & { protocol: string })[] {
  const rule = scope[0]?.block ?? {};
  return protocolsOf(rule[row.protocol]).flatMap((protocol) =>
    rangesOf(rule, row, protocol).map((range) => ({ ...range, protocol })),
  );
}

const EVERY_PROTOCOL = /^(?:-1|all|any|\*|)$/;
const NUMBERS: Readonly<Record<string, string>> = { "6": "tcp", "17": "udp", "1": "icmp", "58": "icmpv6" };
const WITHOUT_PORTS = /^(?:icmp|icmpv6|ipv6-icmp|esp|ah)$/;

/** More protocols count as all, which bounds the time: each is combined with each port. */
const MAX_PROTOCOLS = 10;

/** Returns the protocols that have ports, by name. */
function protocolsOf(value: Json | undefined): string[] {
  const given = textsOf(value).map((text) => text.toLowerCase());
  const isAny = given.length === 0 || given.length > MAX_PROTOCOLS;
  if (isAny || given.some((text) => EVERY_PROTOCOL.test(text))) return ["*"];
  return given.map((text) => NUMBERS[text] ?? text).filter((name) => !WITHOUT_PORTS.test(name));
}

function rangesOf(rule: JsonObject, { ports }: InboundRules, protocol: string): PortRange[] {
  if ("ranges" in ports) {
    const texts = ports.ranges.flatMap((name) => textsOf(rule[name]));
    return texts.length === 0 ? [ALL_PORTS] : texts.flatMap(rangeIn);
  }
  const [scope] = blocksWithin([{ block: rule, path: [] }], ports.inside?.[protocol] ?? []);
  return [rangeBetween(scope?.[0]?.block ?? {}, ports, protocol)];
}

function rangeBetween(block: JsonObject, ports: PortBounds, protocol: string): PortRange {
  const [from, to] = [numeric(block[ports.from]), numeric(block[ports.to])];
  // Providers write 0 to 0, -1 or nothing for all ports.
  const isAll = protocol === "*" || Number.isNaN(from) || from < 0;
  return isAll ? ALL_PORTS : { from, to: Number.isNaN(to) ? from : to };
}

function rangeIn(text: string): PortRange[] {
  if (/^(?:\*|any|all|-1\/-1)$/i.test(text.trim())) return [ALL_PORTS];
  const [, from, to] = /^\s*(\d{1,5})(?:\s*[-/]\s*(\d{1,5}))?\s*$/.exec(text) ?? [];
  return from === undefined ? [] : [{ from: Number(from), to: Number(to ?? from) }];
}

/** Describes ports, such as `port 22`, `UDP ports 5000 to 5010` or `all ports`. */
export function portText({ from, to, protocol }: PortRange & { protocol: string }): string {
  const prefix = protocol === "*" || protocol === "tcp" ? "" : `${protocol.toUpperCase()} `;
  if (from <= 0 && to >= ALL_PORTS.to) return `all ${prefix}ports`;
  return from === to ? `${prefix}port ${from}` : `${prefix}ports ${from} to ${to}`;
}
