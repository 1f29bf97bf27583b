import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json } from "@leeway/shared/values/json";

import type { ResourceChange } from "../plan/model.ts";
import { textsOf } from "./attribute-values.ts";
import { field, inboundRules, portsOf, type InboundRule, type PortRange } from "./inbound.ts";
import { everybodyIn, networkOf, rangeOf, type Network } from "./internet.ts";
import { listed, shown } from "./values.ts";

/** Ports that a network policy rule opens, and their sources. */
interface Reached extends PortRange {
  /** Protocol; `*` for all. */
  protocol: string;
  path: Path;
}

/** Ports open to the whole internet. */
export interface Opening extends Reached {
  ip: Network["ip"];
  /** Sources as written in the rule, such as `0.0.0.0/0`. */
  source: string;
  /** Whether only machines in the same cloud are allowed, including those of other customers. */
  isCloudOnly?: boolean;
}

/** Ports that a large part of the internet can reach. */
export interface PartlyOpen extends Reached {
  network: Network;
}

/**
 * Yields ports open to large parts of the internet, because several rules may cover all of it. Lazy, because each
 * source of a rule is combined with each of its ports.
 * @param type as the tables name it
 */
export function* partlyOpen(type: string, side: Json): Generator<PartlyOpen> {
  for (const { sources, ports } of inboundRules(type, side).map(admittedBy)) {
    const parts = sources.flatMap(({ large, path }) => large.map((network) => ({ network, path })));
    for (const part of parts) {
      for (const range of ports) yield { ...range, ...part };
    }
  }
}

/**
 * Returns ports that a change newly opens to the whole internet.
 * @param type as the tables name it
 */
export function newOpenings(type: string, { before, after }: ResourceChange): Opening[] {
  const now = openingsOf(type, after);
  if (now.length === 0) return [];
  const were = new Map(openingsOf(type, before).map((one) => [keyOf(one), one]));
  const widest = [...were.values()]
    .toSorted((one, other) => widthOf(other) - widthOf(one))
    .slice(0, MAX_COMPARED);
  return now.filter((one) => !were.has(keyOf(one)) && !widest.some((other) => covers(other, one)));
}

/** Limit on comparisons, which bounds the time; openings with unchanged ports are recognized by key. */
const MAX_COMPARED = 100;

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

/** Large sources of a rule, and the ports that they reach. */
interface Admitted {
  sources: (Sources & { path: Path })[];
  ports: Omit<Reached, "path">[];
}

function openingsOf(type: string, side: Json): Opening[] {
  return inboundRules(type, side)
    .map(admittedBy)
    .flatMap(({ sources, ports }) =>
      sources.flatMap(({ whole, source, path, isCloudOnly }) =>
        whole.flatMap((ip) => ports.map((range) => ({ ...range, ip, path, source, isCloudOnly }))),
      ),
    );
}

function admittedBy(rule: InboundRule): Admitted {
  const { scope, row } = rule;
  const last = row.ends?.flatMap((name) => textsOf(field(scope, name).value)).join("");
  const sources = row.sources.flatMap((name) => {
    const { value, path } = field(scope, name);
    const found = sourcesIn(value, last);
    return found.large.length > 0 ? [{ ...found, path }] : [];
  });
  return { sources, ports: sources.length === 0 ? [] : portsOf(rule) };
}

/** Sources of a rule that are large parts of the internet. */
interface Sources {
  /** IP versions for which the sources include everyone. */
  whole: readonly Network["ip"][];
  large: readonly Network[];
  /** Sources that include everyone, as shown in messages. */
  source: string;
  isCloudOnly: boolean;
}

/**
 * Smaller networks are skipped: clouds don't allow enough rules to cover the internet with them. This bounds the
 * time.
 */
const LARGE = 1 / 1024;

/** Sources by list, cached because all rules in a block share one. */
const known = new WeakMap<Json[], Sources>();

/**
 * Parses the sources of a rule.
 * @param last end of the range, if a source is its first address
 */
function sourcesIn(given: Json | undefined, last?: string): Sources {
  if (!Array.isArray(given)) return sourcesOf(textsOf(given), last);
  const sources = known.get(given) ?? sourcesOf(textsOf(given), last);
  known.set(given, sources);
  return sources;
}

/** Azure treats the range 0.0.0.0 to 0.0.0.0 as all of its own services, including other customers'. */
const ALL_OF_AZURE: Sources = {
  whole: ["4"],
  large: [{ ip: "4", start: 0, end: 1 }],
  source: "all of Azure (0.0.0.0)",
  isCloudOnly: true,
};

/** Azure service tag for all Azure addresses, or those of one region. */
const AZURE_CLOUD = /^azurecloud(?:\.\w+)?$/i;

function sourcesOf(texts: readonly string[], last?: string): Sources {
  if (last === "0.0.0.0" && texts.join("") === last) return ALL_OF_AZURE;
  const tag = texts.length === 1 ? texts.find((text) => AZURE_CLOUD.test(text)) : undefined;
  if (tag !== undefined) return { ...ALL_OF_AZURE, source: `all of Azure (${tag})` };
  const named = texts.flatMap((text) => {
    const network = last === undefined ? sourceOf(text) : rangeOf(text, last);
    const isLarge = network !== undefined && network.end - network.start >= LARGE;
    return isLarge ? [{ network, text: last === undefined ? text : `${text}–${last}` }] : [];
  });
  const large = named.map(({ network }) => network);
  const alone = named.filter(({ network }) => everybodyIn([network]).length > 0);
  const source = listed((alone.length > 0 ? alone : named).map(({ text }) => sourceText(text)));
  return { whole: everybodyIn(large), large, source, isCloudOnly: false };
}

/** Returns a source as shown in messages; `*` needs an explanation. */
export function sourceText(text: string): string {
  return /^(?:\*|any|internet)$/i.test(text) ? `any source (${text})` : shown(text);
}

/** Parses a source. The address 0.0.0.0 without a mask means everyone. */
function sourceOf(text: string): Network | undefined {
  return networkOf(text.trim() === "0.0.0.0" ? "0.0.0.0/0" : text);
}
