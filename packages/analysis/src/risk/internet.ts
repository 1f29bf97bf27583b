/** A range of addresses, as fractions of the address space from 0 to 1. An `ip` of `*` means both versions. */
export interface Network {
  ip: "4" | "6" | "*";
  start: number;
  end: number;
}

/**
 * Share of the address space that counts as everyone. IPv4: a quarter, because other rules usually cover the rest.
 * IPv6: an eighth, because no more is in use.
 */
const AS_GOOD_AS_ALL = { "4": 1 / 4, "6": 1 / 8, "*": 1 };
const LONGEST = 100;
const ALL_OF_4 = 2 ** 32;

/** Returns the IP versions (`*` for both) whose networks, individually or together, include everyone. */
export function wholeInternet(texts: readonly string[]): string[] {
  return everybodyIn(texts.flatMap((text) => networkOf(text) ?? []));
}

/** Works like {@link wholeInternet} for parsed networks. */
export function everybodyIn(networks: readonly Network[]): Network["ip"][] {
  const versions = [...new Set(networks.map(({ ip }) => ip))];
  return versions.filter((ip) => shareOf(networks.filter((one) => one.ip === ip)) >= AS_GOOD_AS_ALL[ip]);
}

/** Returns the share of the address space that the networks cover together. */
function shareOf(networks: readonly Network[]): number {
  let [share, reached] = [0, 0];
  for (const { start, end } of networks.toSorted((one, other) => one.start - other.start)) {
    share += Math.max(0, end - Math.max(start, reached));
    reached = Math.max(reached, end);
  }
  return share;
}

/** Parses a traffic source; undefined if it isn't a network. */
export function networkOf(text: string): Network | undefined {
  if (text.length > LONGEST) return undefined;
  const network = text.trim().toLowerCase();
  if (/^(?:\*|any|internet)$/.test(network)) return { ip: "*", start: 0, end: 1 };
  const [, address = "", bits] = /^([0-9a-f:.]+)\/(\d{1,3})$/.exec(network) ?? [];
  if (bits === undefined) return undefined;
  const ip = address.includes(":") ? "6" : "4";
  const first = ip === "4" ? numberOf(address) : beginningOf(address);
  const size = 2 ** -Number(bits);
  const start = Math.floor(first / ALL_OF_4 / size) * size;
  return Number.isNaN(start) ? undefined : { ip, start, end: start + size };
}

/** Parses an IPv4 range from its first and last address; undefined if they are invalid. */
export function rangeOf(first: string, last: string): Network | undefined {
  const [start, end] = [numberOf(first), numberOf(last) + 1];
  return end > start ? { ip: "4", start: start / ALL_OF_4, end: end / ALL_OF_4 } : undefined;
}

/** Parses an IPv4 address as a number; NaN if it is invalid. */
function numberOf(address: string): number {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address.trim())?.slice(1) ?? [];
  return parts.length === 0 ? Number.NaN : parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}

/** Returns the first 32 bits of an IPv6 address, which are enough to compare large networks. */
function beginningOf(address: string): number {
  const [head = ""] = address.split("::", 1);
  const [one = "", other = ""] = head.split(":");
  return Number.parseInt(one || "0", 16) * 2 ** 16 + Number.parseInt(other || "0", 16);
}
