import type { Reading } from "../events/reading.ts";

/**
 * What was read of deliveries as they came. Most are worked off a moment later by the process that stored
 * them, which then needn't fetch, decrypt and read their bodies once more; any other process, and this one
 * after a crash, finds all it needs in the database.
 */
export interface FreshReadings {
  /** Keeps a reading of a body of `size` bytes for a while; the oldest make room for it. */
  keep(deliveryId: string, size: number, reading: Reading): void;
  /** Gives a reading away, once. */
  take(deliveryId: string): Reading | undefined;
}

/** Parsed, a body takes several times its bytes. */
const MOST_BYTES = 4 << 20;
/** Larger bodies are worked off on a thread of their own. */
const MOST_BYTES_EACH = 128 * 1024;

export function createFreshReadings(): FreshReadings {
  const kept = new Map<string, { size: number; reading: Reading }>();
  let bytes = 0;

  function take(deliveryId: string): Reading | undefined {
    const found = kept.get(deliveryId);
    if (!found) return undefined;
    kept.delete(deliveryId);
    bytes -= found.size;
    return found.reading;
  }

  return {
    keep(deliveryId, size, reading) {
      if (size > MOST_BYTES_EACH) return;
      kept.set(deliveryId, { size, reading });
      bytes += size;
      for (const oldest of kept.keys()) {
        if (bytes <= MOST_BYTES) break;
        take(oldest);
      }
    },
    take,
  };
}
