import type { AdminGrant, InboundRules, NamedSwitches } from "./tables/table.ts";
import {
  ADMIN,
  AUDIT_SWITCHES,
  AUDITING,
  CAPACITY,
  CLOSURES,
  CREATED_OPEN,
  CREATED_PLAIN,
  CREATED_UNENCRYPTED,
  DISRUPTIONS,
  ENCRYPTION,
  ENCRYPTION_SWITCHES,
  INBOUND,
  GUARD_SIGNS,
  KEY_DISABLING,
  KEY_MANAGEMENT,
  PROTECTIONS,
  PUBLIC_ACCESS,
  PUBLIC_GUARDS,
  REDUCTIONS,
  RESTARTS,
  STOPS,
} from "./types.ts";

const SIGNS = [
  PROTECTIONS,
  KEY_DISABLING,
  DISRUPTIONS,
  PUBLIC_ACCESS,
  PUBLIC_GUARDS,
  CREATED_OPEN,
  CREATED_PLAIN,
  CREATED_UNENCRYPTED,
  KEY_MANAGEMENT,
  GUARD_SIGNS,
  STOPS,
  RESTARTS,
  REDUCTIONS,
  ENCRYPTION,
  AUDITING,
];

/** Attributes that hold the whole resource for some providers, and an arbitrary document for others. */
const ANYTHING = new Set(["body", "manifest"]);

/** Attributes that the tables name, and their parents, except those with arbitrary content. */
const READ_ATTRIBUTES: ReadonlySet<string> = new Set(
  [
    ...SIGNS.flat().flatMap(({ attributes }) => attributes.map(firstStep)),
    ...CLOSURES.map(({ by }) => firstStep(by)),
    ...CAPACITY.map(firstStep),
    ...INBOUND.flatMap(ofInbound),
    ...ADMIN.flatMap(ofAdmin),
    ...[...ENCRYPTION_SWITCHES, ...AUDIT_SWITCHES].flatMap(ofSwitches),
  ].filter((name) => !ANYTHING.has(name)),
);

/** Attributes that identify a resource. */
const IDENTIFIER =
  /^(?:id|arn|name|self_link|urn|region|location|zone|project|namespace)$|_(?:id|ids|arn|name)$/;
/** Attributes that risk rules read besides those in their tables, including on types without a table. */
const READ_BY_RULES = new RegExp(
  [
    "protect|prevent|destroy|deletion|final_snapshot|backup|retention|point_in_time|versioning",
    "engine|class|_type$|_tier$|sku|storage|size|capacity|count|replicas|desired|^min|^max|apply_immediately|_group",
    "ingress|egress|cidr|port|protocol|direction|source|destination|security_rule|firewall|acl|public|access|internet",
    "policy|statement|principal|role|member|entity|permission|assume|action|effect|condition",
    "encrypt|kms|tls|ssl|certificate|log|audit|monitor|trail",
    "route|record|target|peer|gateway|subnet|vpc|network|enabled?$|tags|labels|description|local_account",
    "^(?:key|metadata)$",
  ].join("|"),
);

/** Reports whether rules read an attribute of this name, or it identifies a resource. */
export function isRead(name: string): boolean {
  return IDENTIFIER.test(name) || READ_ATTRIBUTES.has(name) || READ_BY_RULES.test(name);
}

function firstStep(attribute: string): string {
  return attribute.split(".", 1).join("");
}

/** Returns the attributes of an inbound rule. A rule inherits missing attributes from its resource. */
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
