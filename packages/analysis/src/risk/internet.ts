const LONGEST = 100;

/**
 * `4`, `6` or `*` when a network is everybody. A quarter of all addresses of IPv4 is as good, and mostly stands beside the
 * others; of IPv6 only an eighth is in use.
 */
export function wholeInternet(network: string): string[] {
  if (network.length > LONGEST) return [];
  const text = network.trim().toLowerCase();
  if (/^(?:\*|any|internet)$/.test(text)) return ["*"];
  if (/^\d+(?:\.\d+){3}\/[0-2]$/.test(text)) return ["4"];
  return /^[0-9a-f:.]*:[0-9a-f:.]*\/[0-3]$/.test(text) ? ["6"] : [];
}

const QUARTER = 2 ** 30;

/** Whether a range of IPv4, by its first and last address, is as good as everybody. */
export function isWholeRange(first: string, last: string): boolean {
  return numberOf(last) - numberOf(first) >= QUARTER - 1;
}

/** NaN for what is no address. */
function numberOf(address: string): number {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address.trim())?.slice(1) ?? [];
  return parts.length === 0 ? Number.NaN : parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}
