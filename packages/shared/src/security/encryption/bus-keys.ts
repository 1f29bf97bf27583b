import { deriveKeys, parseKeyRing, ringOf, type KeyRing } from "./keyring.ts";

/** Keys for secrets on the bus. Each pair of services has a ring of its own, by {@link pairOf}. */
export type BusKeys = ReadonlyMap<string, KeyRing>;

/** Returns the name of two services, the same in either order: `gateway-inventory`. */
export function pairOf(one: string, other: string): string {
  return [one, other].toSorted().join("-");
}

/**
 * Derives the keys of `service` with each of the `others`: one from each key of the operator's ring, in order, named
 * `<id>.<pair>`. A leak of one service's keys doesn't expose what other services send each other.
 * `deploy/service-keys.sh` derives the same keys.
 * @returns `id:base64,…`, as the service's `LEEWAY_BUS_KEYS`
 */
export function busKeys(ring: KeyRing, service: string, others: readonly string[]): string {
  const names = others.filter((other) => other !== service).map((other) => pairOf(service, other));
  const pairs = names.toSorted().map((pair) => ({ pair, keys: deriveKeys(ring, `bus:${pair}`).all }));
  const texts = ring.all.flatMap(({ id }, index) =>
    pairs.map(({ pair, keys }) => `${id}.${pair}:${keys[index]?.toString("base64")}`),
  );
  return texts.join(",");
}

/**
 * Parses the text of {@link busKeys}.
 * @throws {Error} naming the invalid key by position, never by content
 */
export function parseBusKeys(raw: string): BusKeys {
  const pairs = Map.groupBy(parseKeyRing(raw).all, ({ id }) => id.slice(id.lastIndexOf(".") + 1));
  return new Map(Array.from(pairs, ([pair, keys]) => [pair, ringOf(keys)]));
}

/** @throws {Error} if a key belongs to services other than `service` */
export function checkBusKeys(keys: BusKeys, service: string): void {
  const alien = [...keys.keys()].find((pair) => !pair.split("-").includes(service));
  if (alien === undefined) return;
  throw new Error(
    `LEEWAY_BUS_KEYS has a key of ${alien}, not of ${service}: use the keys of the ${service} service`,
  );
}
