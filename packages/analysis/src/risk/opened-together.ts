import type { ResourceChange } from "../plan/model.ts";
import { familiarType } from "./familiar-type.ts";
import { everybodyIn, type Network } from "./internet.ts";
import { partlyOpen, type Opening, type PartlyOpen } from "./openings.ts";

/** Ports that several rules of a plan, each open to a part of the internet, together open to all of it. */
export type OpenedTogether = ReadonlyMap<ResourceChange, readonly Opening[]>;

interface OpenPart extends PartlyOpen {
  change: ResourceChange;
}

/** Limit on partial openings, which bounds the time for any plan. */
const MAX_PARTS = 2_000;
const MAX_PORTS = 100;

export function openedTogether(changes: readonly ResourceChange[]): OpenedTogether {
  const now = partsOf(changes, "after");
  if (now.length < 2) return new Map();
  const before = partsOf(changes, "before");
  const known = new Set(before.map(keyOf));
  const fresh = now.filter((part) => !known.has(keyOf(part)));
  const found = new Map<ResourceChange, Opening[]>();
  for (const { from: port, protocol } of distinctPorts(fresh)) {
    const atPort = (part: OpenPart): boolean => holds(part, port, protocol);
    const open = now.filter(atPort);
    const ports = portsOf(open);
    for (const ip of newlyWhole(open, before.filter(atPort))) {
      for (const { change, path } of fresh.filter((part) => atPort(part) && part.network.ip === ip)) {
        const all = found.get(change) ?? [];
        all.push({ ...ports, protocol, ip, path, source: "the internet" });
        found.set(change, all);
      }
    }
  }
  return found;
}

function partsOf(changes: readonly ResourceChange[], side: "before" | "after"): OpenPart[] {
  const parts: OpenPart[] = [];
  for (const change of changes) {
    if (change.mode !== "managed") continue;
    for (const part of partlyOpen(familiarType(change), change[side])) {
      if (parts.length === MAX_PARTS) return parts;
      parts.push({ ...part, change });
    }
  }
  return parts;
}

function keyOf({ from, to, protocol, network: { ip, start, end } }: PartlyOpen): string {
  return [from, to, protocol, ip, start, end].join(" ");
}

/** Returns the start ports: wherever ranges overlap, one of them starts. */
function distinctPorts(parts: readonly OpenPart[]): OpenPart[] {
  const byPort = new Map(parts.map((part) => [`${part.from} ${part.protocol}`, part]));
  return [...byPort.values()].slice(0, MAX_PORTS);
}

function holds({ from, to, protocol }: PartlyOpen, port: number, wanted: string): boolean {
  return from <= port && port <= to && (protocol === "*" || protocol === wanted);
}

/**
 * Returns IP versions for which the networks together include everyone, although none does so individually, and they
 * didn't before.
 */
function newlyWhole(open: readonly PartlyOpen[], before: readonly PartlyOpen[]): Network["ip"][] {
  const networks = open
    .map(({ network }) => network)
    .filter((network) => everybodyIn([network]).length === 0);
  const were = new Set(everybodyIn(before.map(({ network }) => network)));
  return everybodyIn(networks).filter((ip) => !were.has(ip));
}

/** Returns the ports that all of them open. */
function portsOf(open: readonly PartlyOpen[]): { from: number; to: number } {
  return {
    from: Math.max(...open.map(({ from }) => from)),
    to: Math.min(...open.map(({ to }) => to)),
  };
}
