/** The change of an attribute that a rule looks for. */
export type Transition =
  /** True, `Enabled` or similar before, and no longer. */
  | "off"
  /** True, `Enabled` or similar now, and not before. */
  | "on"
  /** A number above zero that becomes zero. */
  | "zero"
  /** A number that decreases. */
  | "lower"
  /** A number or a length of time that falls to half or less, but not to zero. */
  | "halved"
  /** A number of days, or a length of time, that decreases; zero means unlimited. */
  | "sooner"
  /** Any difference, including a new value. */
  | "touched"
  /** A different value, even if it is masked. */
  | "changed"
  /** Like `changed`, except when one version is a prefix of the other. */
  | "version"
  /** Like `changed`, comparing only the major version. */
  | "major"
  /** A value before, none now. */
  | "emptied"
  /** A list that loses items. */
  | "fewer"
  /** A lower version of TLS, under any cloud's name. */
  | "older_tls"
  /** Networks that now include nearly everyone, and didn't before. */
  | "everybody"
  /** One of these texts now (ignoring case), and none of them before. */
  | readonly string[]
  /** From one of some texts to one of others. */
  | { from: readonly string[]; to: readonly string[] }
  /** One of these texts before, and none of them now. */
  | { leaves: readonly string[] };

/** Attributes (path joined by dots, without indices) whose change a rule looks for. */
export interface Sign {
  types: readonly string[];
  attributes: readonly string[];
  transition: Transition;
}

/** Attributes (named as in a sign; `*` matches any characters) that a rule ignores. */
export interface Beside {
  types: readonly string[];
  attributes: readonly string[];
}

/** Settings that a resource, or each of its blocks of a kind, has as a `name` and a `value`. */
export interface NamedSwitches {
  types: readonly string[];
  /** Path of nested blocks; empty if the resource itself is the setting. */
  blocks: readonly string[];
  /** Names in lower case. */
  names: readonly string[];
}

/** Attributes that make an existing resource public when they are set, or when they are removed. */
export interface Exposure {
  types: readonly string[];
  attributes: readonly string[];
  when: "there" | "gone";
}

/** Attributes that open nothing to the internet while another one keeps it out. */
export interface Closure {
  types: readonly string[];
  attributes: readonly string[];
  /** Closing attribute, as a path joined by dots. */
  by: string;
  /** Its value in lower case; `narrow` for a list of networks that doesn't include everyone. */
  is: boolean | "deny" | "narrow";
}

/** Location and attribute names of a network policy's rules in a resource. */
export interface InboundRules {
  types: readonly string[];
  /** Path of nested blocks to the rule; empty if the resource itself is the rule. */
  blocks: readonly string[];
  sources: readonly string[];
  /** Attributes with the last address of a range, if sources are its first address. */
  ends?: readonly string[];
  /** Attributes with the first and last port, or with port ranges as text. */
  ports: PortBounds | { ranges: readonly string[] };
  protocol: string;
  /** Attributes that, if present, must have one of these values for the rule to allow anything. */
  only: Readonly<Record<string, readonly string[]>>;
}

/** Attributes with a rule's first and last port. */
export interface PortBounds {
  from: string;
  to: string;
  /** Path of nested blocks to the ports, by protocol; if they are absent, all ports. */
  inside?: Readonly<Record<string, readonly string[]>>;
}

/** Attributes whose value makes its holder an administrator. */
export interface AdminGrant {
  types: readonly string[];
  attribute: string;
  /** Ends of the value, in lower case. */
  grants: readonly string[];
  /** Attributes that name the holder. */
  holders: readonly string[];
}

/** Custom roles that allow everything if all of a block's attributes contain `*`. */
export interface FullRole {
  types: readonly string[];
  /** Path of nested blocks to the role's permissions. */
  blocks: readonly string[];
  all: readonly string[];
  /**
   * Attributes that exclude rights. Without all of these rights (in lower case) holders can't grant themselves the
   * others.
   */
  but?: { attributes: readonly string[]; rights: readonly string[] };
}

/** Changes that rules look for in a resource. */
export interface CloudSigns {
  protections: readonly Sign[];
  keyDisabling: readonly Sign[];
  disruptions: readonly Sign[];
  publicAccess: readonly Sign[];
  exposures: readonly Exposure[];
  closures: readonly Closure[];
  /** Access settings on types that mainly concern something else. */
  access: readonly Sign[];
  /** Settings for firewalls and reachable networks, on types that mainly concern something else. */
  reach: readonly Sign[];
  encryption: readonly Sign[];
  encryptionSwitches: readonly NamedSwitches[];
  auditing: readonly Sign[];
  auditSwitches: readonly NamedSwitches[];
}

/** An attribute that decides whether a resource holds data or keys. */
export interface Holder {
  types: readonly string[];
  attribute: string;
  /** Values in lower case; with any other value it holds none. */
  only: readonly string[];
}

/** A cloud's resource types as the rules know them. The losses that a deletion causes are in the clouds' catalogs. A `*` in a type matches any characters. */
export interface CloudTable extends CloudSigns {
  /** Prefixes of its types, up to the first underscore. */
  providers: readonly string[];
  /** Types that hold data or keys only with some values of an attribute. */
  holders: readonly Holder[];
  /** Types that govern access to, or settings of, a separate stateful resource, or that carry data stored elsewhere. */
  besideStateful: readonly string[];
  /** Control planes: everything that runs in them waits while they restart. */
  clusters: readonly string[];
  nodePools: readonly string[];
  /** Immutable types: a new revision replaces the previous one, which keeps running where it is in use. */
  revisions: readonly string[];
  networkPolicy: readonly string[];
  iam: readonly string[];
  trafficPath: readonly string[];
  /** Attributes of traffic types that don't affect where traffic goes. */
  besidePath: readonly Beside[];
  /** Types without which nothing is logged or monitored. */
  audit: readonly string[];
  /** Types without which data is unprotected, public or unencrypted. */
  protectionSettings: readonly string[];
  publicAccessBlocks: readonly string[];
  encryptionSettings: readonly string[];
  /** Attributes, on any type, that set a capacity. */
  capacity: readonly string[];
  inbound: readonly InboundRules[];
  admin: readonly AdminGrant[];
  fullRoles: readonly FullRole[];
}

/** Splits a text into names. */
export function names(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Builds a sign for a transition of `attributes` on `types`. */
export function sign(types: readonly string[], attributes: readonly string[], transition: Transition): Sign {
  return { types, attributes, transition };
}

/** Splits each line of a text into two names. */
export function pairs(text: string): [string, string][] {
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [one = "", other = ""] = names(line);
      return [one, other];
    });
}
