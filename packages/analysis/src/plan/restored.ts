import { sameJson } from "@leeway/shared/values/json";

import { valueOf } from "./leaves.ts";
import { creates, deletes, type Plan, type ResourceChange } from "./model.ts";

/** Returns a test of whether the plan reverts drift: it recreates the resource, or reverts the change. */
export function restoredIn({ changes }: Plan): (drift: ResourceChange) => boolean {
  const own = new Map(
    changes.filter(({ deposed }) => deposed === undefined).map((change) => [change.address, change]),
  );
  return (drift) => {
    const change = own.get(drift.address);
    if (change === undefined) return false;
    return deletes(drift) ? creates(change) : takesBack(change, drift);
  };
}

function takesBack(change: ResourceChange, drift: ResourceChange): boolean {
  const unknown = new Set(change.differences.filter((one) => one.unknown).map(({ path }) => String(path[0])));
  const known = drift.differences.filter(({ path }) => !unknown.has(String(path[0])));
  return (
    known.length > 0 &&
    known.every(
      ({ path, before_sensitive, after_sensitive }) =>
        !before_sensitive &&
        !after_sensitive &&
        sameJson(valueOf(change.after, path), valueOf(drift.before, path)),
    )
  );
}
