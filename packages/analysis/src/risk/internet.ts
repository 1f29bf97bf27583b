/** Some of all addresses, as shares of them from 0 to 1; an `ip` of `*` stands for those of both versions. */
export interface Network {
  ip: "4" | "6" | "*";
  start: number;
  end: number;
}

/**
 * How much is as good as everybody: of IPv4 a quarter, since the others mostly stand beside it; of IPv6 only an eighth is
 * in use.
 */
const AS_GOOD_AS_ALL = { "4": 1 / 4, "6": 1 / 8, "*": 1 };
const LONGEST = 100;
const ALL_OF_4 = 2 ** 32;

/** Versions of IP, or `*` for both, of which networks are everybody, by themselves or taken together. */
export function wholeInternet(texts: readonly string[]): string[] {
  return everybodyIn(texts.flatMap((text) => networkOf(text) ?? []));
}

/** As {@link wholeInternet}. */
export function everybodyIn(networks: readonly Network[]): Network["ip"][] {
  const byVersion = Map.groupBy(networks, ({ ip }) => ip);
  return [...byVersion].flatMap(([ip, own]) => (shareOf(own) >= AS_GOOD_AS_ALL[ip] ? [ip] : []));
}

/** How many addresses there are in any of these. */
function shareOf(networks: readonly Network[]): number {
  let [share, reached] = [0, 0];
  for (const { start, end } of networks.toSorted((one, other) => one.start - other.start)) {
    share += Math.max(0, end - Math.max(start, reached));
    reached = Math.max(reached, end);
  }
  return share;
}

/** What a text stands for as a source of traffic; undefined for what is no network. */
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

/** A range of IPv4, by its first and last address; undefined for what is none. */
export function rangeOf(first: string, last: string): Network | undefined {
  const [start, end] = [numberOf(first), numberOf(last) + 1];
  return end > start ? { ip: "4", start: start / ALL_OF_4, end: end / ALL_OF_4 } : undefined;
}

/** NaN for what is no address. */
function numberOf(address: string): number {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address.trim())?.slice(1) ?? [];
  return parts.length === 0 ? Number.NaN : parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}

/** The first 32 bits of an address of IPv6, all that large networks differ in. */
function beginningOf(address: string): number {
  const [head = ""] = address.split("::", 1);
  const [one = "", other = ""] = head.split(":");
  return Number.parseInt(one || "0", 16) * 2 ** 16 + Number.parseInt(other || "0", 16);
}
