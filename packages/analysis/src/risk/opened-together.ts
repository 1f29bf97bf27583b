import type { ResourceChange } from "../plan/model.ts";
import { familiarType } from "./familiar-type.ts";
import { everybodyIn, type Network } from "./internet.ts";
import { partlyOpen, type Opening, type PartlyOpen } from "./openings.ts";

/** What rules of a plan open each in part, and all of them together to the whole internet, which was not so before. */
export type OpenedTogether = ReadonlyMap<ResourceChange, readonly Opening[]>;

interface OpenPart extends PartlyOpen {
  change: ResourceChange;
}

/** More aren't looked at, so that no plan makes this slow. */
const MOST_PARTS = 2_000;
const MOST_PORTS = 100;

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
        all.push({ ...ports, protocol, ip, path });
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
      if (parts.length === MOST_PARTS) return parts;
      parts.push({ ...part, change });
    }
  }
  return parts;
}

function keyOf({ from, to, protocol, network: { ip, start, end } }: PartlyOpen): string {
  return [from, to, protocol, ip, start, end].join(" ");
}

/** Wherever several ranges overlap, one of them begins. */
function distinctPorts(parts: readonly OpenPart[]): OpenPart[] {
  const byPort = new Map(parts.map((part) => [`${part.from} ${part.protocol}`, part]));
  return [...byPort.values()].slice(0, MOST_PORTS);
}

function holds({ from, to, protocol }: PartlyOpen, port: number, wanted: string): boolean {
  return from <= port && port <= to && (protocol === "*" || protocol === wanted);
}

/** Of which versions of IP networks are everybody, though no one of them is, and those before weren't. */
function newlyWhole(open: readonly PartlyOpen[], before: readonly PartlyOpen[]): Network["ip"][] {
  const networks = open
    .map(({ network }) => network)
    .filter((network) => everybodyIn([network]).length === 0);
  const were = new Set(everybodyIn(before.map(({ network }) => network)));
  return everybodyIn(networks).filter((ip) => !were.has(ip));
}

/** The ports that all of them open. */
function portsOf(open: readonly PartlyOpen[]): { from: number; to: number } {
  return {
    from: Math.max(...open.map(({ from }) => from)),
    to: Math.min(...open.map(({ to }) => to)),
  };
}
