import type { Shard } from "./connector.ts";

/** Orders shards so that consecutive ones are in different regions, because each region has its own rate limit. */
export function shardOrder(shards: readonly Shard[]): Shard[] {
  const places = new Map<string, number>();
  const placed = shards.map((shard) => {
    const region = shard.region ?? "";
    const place = places.get(region) ?? 0;
    places.set(region, place + 1);
    return { shard, place };
  });
  return placed.toSorted((one, other) => one.place - other.place).map(({ shard }) => shard);
}
