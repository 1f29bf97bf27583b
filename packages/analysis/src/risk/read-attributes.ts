import type { AdminGrant, InboundRules, NamedSwitches } from "./tables/table.ts";
import {
  ADMIN,
  AUDIT_SWITCHES,
  AUDITING,
  CAPACITY,
  CLOSURES,
  DISRUPTIONS,
  ENCRYPTION,
  ENCRYPTION_SWITCHES,
  INBOUND,
  KEY_DISABLING,
  PROTECTIONS,
  PUBLIC_ACCESS,
} from "./types.ts";

const SIGNS = [PROTECTIONS, KEY_DISABLING, DISRUPTIONS, PUBLIC_ACCESS, ENCRYPTION, AUDITING];

/** All that a resource is made of, to some providers, and to others a document of any size. */
const ANYTHING = new Set(["body", "manifest"]);

/** The attributes of a resource that the tables name, or that hold what they name, but for those that may hold anything. */
export const READ_ATTRIBUTES: ReadonlySet<string> = new Set(
  [
    ...SIGNS.flat().flatMap(({ attributes }) => attributes.map(firstStep)),
    ...CLOSURES.map(({ by }) => firstStep(by)),
    ...CAPACITY.map(firstStep),
    ...INBOUND.flatMap(ofInbound),
    ...ADMIN.flatMap(ofAdmin),
    ...[...ENCRYPTION_SWITCHES, ...AUDIT_SWITCHES].flatMap(ofSwitches),
  ].filter((name) => !ANYTHING.has(name)),
);

function firstStep(attribute: string): string {
  return attribute.split(".", 1).join("");
}

/** What a rule doesn't say, the resource around it does. */
function ofInbound({ blocks, sources, ends = [], ports, protocol, only }: InboundRules): string[] {
  const named = "ranges" in ports ? ports.ranges : [ports.from, ports.to];
  return [...blocks.slice(0, 1), ...sources, ...ends, ...named, protocol, ...Object.keys(only)];
}

function ofSwitches({ blocks }: NamedSwitches): readonly string[] {
  return blocks.length > 0 ? blocks.slice(0, 1) : ["name", "value"];
}

function ofAdmin({ attribute, holders }: AdminGrant): string[] {
  return [firstStep(attribute), ...holders];
}
