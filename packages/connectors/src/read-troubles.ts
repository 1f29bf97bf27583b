import type { ScanError } from "@leeway/shared/contracts/inventory/scans";

import type { ShardFailure } from "./connector.ts";

/** Consecutive failures of a type in a region, after which its other resources are skipped. */
const MAX_FAILURES = 3;
/** Failures that affect all requests to a region. */
const OF_REGIONS: ReadonlySet<ShardFailure["code"]> = new Set(["throttled", "timeout"]);

/** A type of resources in a region. */
interface Place {
  type: string;
  region: string | undefined;
}

/** Failures of reading resources one by one, and the places where reading is pointless. */
export interface Troubles {
  /**
   * Returns whether a resource isn't worth reading, because others of its kind failed. It then counts as failed, too.
   */
  isHopeless(place: Place): boolean;
  note(place: Place, failure: ShardFailure): void;
  /** Resets the failures of a place after a successful read. */
  clear(place: Place): void;
  /**
   * Returns an error for each type, region and code, with the number of resources that weren't read. Types that the
   * cloud can't read at all aren't reported.
   */
  errors(): ScanError[];
}

const key = ({ type, region }: Place): string => `${type} ${region ?? ""}`;

export function createTroubles(): Troubles {
  const inARow = new Map<string, { times: number; failure: ShardFailure }>();
  const regions = new Map<string | undefined, ShardFailure>();
  const errors = new Map<string, ScanError>();

  function noteError({ type, region }: Place, { code, message }: ShardFailure): void {
    if (code === "unsupported") return;
    const id = `${key({ type, region })} ${code}`;
    const error = errors.get(id) ?? {
      service: type,
      ...(region !== undefined && { region }),
      code,
      message: `couldn't read properties: ${message}`,
      count: 0,
    };
    errors.set(id, { ...error, count: error.count + 1 });
  }

  return {
    isHopeless(place) {
      const row = inARow.get(key(place));
      const isOver = row !== undefined && (row.failure.code === "unsupported" || row.times >= MAX_FAILURES);
      const failure = regions.get(place.region) ?? (isOver ? row.failure : undefined);
      if (failure) noteError(place, failure);
      return failure !== undefined;
    },
    note(place, failure) {
      noteError(place, failure);
      inARow.set(key(place), { times: (inARow.get(key(place))?.times ?? 0) + 1, failure });
      if (OF_REGIONS.has(failure.code)) regions.set(place.region, failure);
    },
    clear: (place) => void inARow.delete(key(place)),
    errors: () => [...errors.values()],
  };
}
