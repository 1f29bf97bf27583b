import type { ScanError } from "@leeway/shared/contracts/inventory/scans";

import type { ShardFailure } from "../../connectors/connector.ts";

/** Failures in a row of one type in one region, after which its others aren't asked for. */
const MOST_FAILURES = 3;
/** Whoever asks to slow down, or says nothing, does so to all that is asked there. */
const OF_REGIONS: ReadonlySet<ShardFailure["code"]> = new Set(["throttled", "timeout"]);

/** A type of resources in a region. */
interface Place {
  type: string;
  region: string | undefined;
}

/** What goes wrong where resources are read one by one, and where it is of no use to go on. */
export interface Troubles {
  /** Whether others of its kind have failed so often that it isn't worth asking; it counts as failed by the same. */
  isHopeless(place: Place): boolean;
  note(place: Place, failure: ShardFailure): void;
  /** One of them was read. */
  clear(place: Place): void;
  /** One for each type, region and code, with how many weren't read. What the cloud can't read at all isn't told. */
  errors(): ScanError[];
}

const key = ({ type, region }: Place): string => `${type} ${region ?? ""}`;

export function createTroubles(): Troubles {
  const inARow = new Map<string, { times: number; failure: ShardFailure }>();
  const regions = new Map<string | undefined, ShardFailure>();
  const told = new Map<string, ScanError>();

  function tell({ type, region }: Place, { code, message }: ShardFailure): void {
    if (code === "unsupported") return;
    const id = `${key({ type, region })} ${code}`;
    const error = told.get(id) ?? {
      service: type,
      ...(region !== undefined && { region }),
      code,
      message: `properties weren't read: ${message}`,
      count: 0,
    };
    told.set(id, { ...error, count: error.count + 1 });
  }

  return {
    isHopeless(place) {
      const row = inARow.get(key(place));
      const isOver = row !== undefined && (row.failure.code === "unsupported" || row.times >= MOST_FAILURES);
      const failure = regions.get(place.region) ?? (isOver ? row.failure : undefined);
      if (failure) tell(place, failure);
      return failure !== undefined;
    },
    note(place, failure) {
      tell(place, failure);
      inARow.set(key(place), { times: (inARow.get(key(place))?.times ?? 0) + 1, failure });
      if (OF_REGIONS.has(failure.code)) regions.set(place.region, failure);
    },
    clear: (place) => void inARow.delete(key(place)),
    errors: () => [...told.values()],
  };
}
