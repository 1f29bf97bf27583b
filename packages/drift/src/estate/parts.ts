import type { MatchKey } from "@leeway/clouds/cloud";

import type { DeclaredRow } from "./declared.ts";
import type { LiveAccount, LiveResource } from "./live-account.ts";

/** Returns the declared parts of each live resource of an account that contains some, by the live resource's id. */
export function partsIn(
  account: LiveAccount,
  declared: readonly DeclaredRow[],
): ReadonlyMap<string, readonly DeclaredRow[]> {
  const rows = declared.filter((row) => isPartIn(row, account));
  const byKey = liveByKey(account.resources, new Set(rows.flatMap(({ wholeKeys }) => wholeKeys)));
  const parts = new Map<string, DeclaredRow[]>();
  for (const row of rows) {
    for (const id of wholesOf(row, byKey)) {
      if (!parts.get(id)?.push(row)) parts.set(id, [row]);
    }
  }
  return parts;
}

/** Returns the live resources with each of the keys. */
export function liveByKey(
  live: readonly LiveResource[],
  wanted: ReadonlySet<MatchKey>,
): ReadonlyMap<MatchKey, readonly LiveResource[]> {
  const byKey = new Map<MatchKey, LiveResource[]>();
  for (const resource of live) {
    for (const key of resource.keys) {
      if (wanted.has(key) && !byKey.get(key)?.push(resource)) byKey.set(key, [resource]);
    }
  }
  return byKey;
}

/** Returns the ids of the live resources that contain a part. A key of several live resources identifies none. */
function wholesOf(
  { wholeKeys, region }: DeclaredRow,
  byKey: ReadonlyMap<MatchKey, readonly LiveResource[]>,
): ReadonlySet<string> {
  const found = wholeKeys.flatMap((key) => {
    const wholes = (byKey.get(key) ?? []).filter((one) => areSame(one.region, region));
    return wholes.length === 1 ? wholes : [];
  });
  return new Set(found.map(({ id }) => id));
}

/** Role grants are in the account of their resource, and records in that of their zone, whatever they name. */
function isPartIn(row: DeclaredRow, { cloud, namedAs }: LiveAccount): boolean {
  if (row.wholeKeys.length === 0 || row.attributes === undefined || row.cloud !== cloud) return false;
  if (row.account === undefined || row.account === namedAs) return true;
  return (
    (cloud.provider === "gcp" && row.canonicalType.endsWith("_iam_member")) ||
    row.canonicalType === "aws_route53_record"
  );
}

function areSame(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}
