/** How an attribute changes, for a rule to go by it. */
export type Turn =
  /** True, `Enabled` or the like before, and no longer. */
  | "off"
  /** True, `Enabled` or the like now, and not before. */
  | "on"
  /** A number above zero that becomes zero. */
  | "zero"
  /** A number that becomes lower. */
  | "lower"
  /** A number of days that becomes lower; zero is without end. */
  | "sooner"
  /** Whatever differs in it, also that it is new. */
  | "touched"
  /** Another value than it had, whether it can be seen or not. */
  | "changed"
  /** As `changed`, by the first number in a version. */
  | "major"
  /** Something before, nothing now. */
  | "emptied"
  /** A list that loses items. */
  | "fewer"
  /** A lower version of TLS, by whatever name a cloud gives it. */
  | "older_tls"
  /** Networks that are nearly everybody now, and were not before. */
  | "everybody"
  /** One of these texts now (in any case), and none of them before. */
  | readonly string[]
  /** From one of some texts to one of others. */
  | { from: readonly string[]; to: readonly string[] }
  /** One of these texts before, and none of them now. */
  | { leaves: readonly string[] };

/** Attributes (their steps joined by dots, indices left out) whose change a rule goes by. */
export interface Sign {
  types: readonly string[];
  attributes: readonly string[];
  turn: Turn;
}

/** Attributes (as in a sign; `*` stands for any characters) that a rule isn't about. */
export interface Beside {
  types: readonly string[];
  attributes: readonly string[];
}

/** Settings that a resource, or each block of a kind in it, has as a `name` and a `value`. */
export interface NamedSwitches {
  types: readonly string[];
  /** Blocks within blocks; none when the resource is one itself. */
  blocks: readonly string[];
  /** In lower case. */
  names: readonly string[];
}

/** Attributes by which something that exists becomes public: once there is any, or none any more. */
export interface Exposure {
  types: readonly string[];
  attributes: readonly string[];
  when: "there" | "gone";
}

/** Attributes that let nobody in from the internet as long as another says that it doesn't get there at all. */
export interface Closure {
  types: readonly string[];
  attributes: readonly string[];
  /** Its steps joined by dots. */
  by: string;
  is: boolean;
}

/** Where the rules of a network policy stand in a resource, and what their attributes are called. */
export interface InboundRules {
  types: readonly string[];
  /** Blocks within blocks down to the rule; none when the resource is one itself. */
  blocks: readonly string[];
  sources: readonly string[];
  /** Of the last addresses, where sources are the first ones of ranges. */
  ends?: readonly string[];
  /** Names of the first and last port, or of port ranges as text. */
  ports: PortBounds | { ranges: readonly string[] };
  protocol: string;
  /** Attributes that must have one of these values, if they are there, for the rule to let anything in. */
  only: Readonly<Record<string, readonly string[]>>;
}

/** Where a rule's first and last port are. */
export interface PortBounds {
  from: string;
  to: string;
  /** By protocol, blocks within blocks of the rule down to its ports; where they aren't there, it is all of them. */
  inside?: Readonly<Record<string, readonly string[]>>;
}

/** Attributes whose value makes whoever it is given to an administrator. */
export interface AdminGrant {
  types: readonly string[];
  attribute: string;
  /** The end of the value, in lower case. */
  grants: readonly string[];
  /** Attributes that name who gets it. */
  holders: readonly string[];
}

/** Roles of one's own that may do all, once all of a block's attributes have a `*`. */
export interface FullRole {
  types: readonly string[];
  /** Blocks within blocks down to what the role may do. */
  blocks: readonly string[];
  all: readonly string[];
  /** What one of these attributes takes away again; without all of these rights, in lower case, nobody can give oneself the others. */
  but?: { attributes: readonly string[]; rights: readonly string[] };
}

/** By what change of a resource rules go. */
export interface CloudSigns {
  protections: readonly Sign[];
  keyDisabling: readonly Sign[];
  disruptions: readonly Sign[];
  publicAccess: readonly Sign[];
  exposures: readonly Exposure[];
  closures: readonly Closure[];
  /** Who may do what, where the resource is about something else. */
  access: readonly Sign[];
  /** Behind which firewalls it is, and which networks reach it, where the resource is about something else. */
  reach: readonly Sign[];
  encryption: readonly Sign[];
  encryptionSwitches: readonly NamedSwitches[];
  auditing: readonly Sign[];
  auditSwitches: readonly NamedSwitches[];
}

/** What the rules know of a cloud's resource types. A `*` in a type stands for any characters. */
export interface CloudTable extends CloudSigns {
  /** What its types begin with, up to the first underscore. */
  providers: readonly string[];
  /** Hold data that is gone with them. */
  stateful: readonly string[];
  /** Govern access to, or settings of, a stateful resource that they are no part of. */
  besideStateful: readonly string[];
  keyMaterial: readonly string[];
  /** Hold other resources: accounts, projects, networks, zones. */
  containers: readonly string[];
  /** Answer requests, or are on their way. */
  serving: readonly string[];
  /** Control planes: all that runs in them waits while they restart. */
  clusters: readonly string[];
  nodePools: readonly string[];
  /** What never changes: a new one takes the place of one before, which goes on as it is where it is in use. */
  revisions: readonly string[];
  networkPolicy: readonly string[];
  iam: readonly string[];
  trafficPath: readonly string[];
  /** Attributes of those that don't say where traffic goes. */
  besidePath: readonly Beside[];
  /** Whose absence means that nothing is logged or watched. */
  audit: readonly string[];
  /** Whose absence means that data isn't protected any more, is public, or not encrypted. */
  protectionSettings: readonly string[];
  publicAccessBlocks: readonly string[];
  encryptionSettings: readonly string[];
  /** Attributes, on whatever type, that say how many there are. */
  capacity: readonly string[];
  inbound: readonly InboundRules[];
  admin: readonly AdminGrant[];
  fullRoles: readonly FullRole[];
}

/** The names in a text. */
export function names(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** That `attributes` of `types` take a turn. */
export function sign(types: readonly string[], attributes: readonly string[], turn: Turn): Sign {
  return { types, attributes, turn };
}

/** Two names on each line of a text. */
export function pairs(text: string): [string, string][] {
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [one = "", other = ""] = names(line);
      return [one, other];
    });
}
