import { isObject, type Json, type JsonObject } from "@leeway/shared/json";

import { memberOf, valueAtPath } from "../live-path.ts";
import type { Row, ShapeWithin } from "../mapping.ts";
import { isEmptyScalar, mirrored } from "../mirrored.ts";
import { row } from "../shapes.ts";

/** Where AWS Config has a bucket's settings. */
export const SUPPLEMENT = "supplementaryConfiguration";

interface Setting {
  shape?: ShapeWithin;
  /** What it is where it isn't there. */
  otherwise: Json;
  /** Whether it would be there. */
  isTold?: (bucket: JsonObject) => boolean;
}

/**
 * A setting of a bucket as Cloud Control reads it and, where that is known, as AWS Config records it, which has the whole
 * bucket.
 */
export function setting(
  path: string,
  recorded: string | undefined,
  { shape = mirrored, otherwise, isTold = isRecorded }: Setting,
): Row {
  return row("", (_, declared, whole) => {
    const ways = recorded === undefined ? path : `${path} | ${SUPPLEMENT}.${recorded}`;
    const found = valueAtPath(whole.live, ways);
    const live = found ?? (isTold(whole.live) ? otherwise : undefined);
    if (live === null) return isEmptyScalar(declared) ? declared : null;
    return live === undefined ? undefined : shape(live, declared, whole);
  });
}

/** No bucket is without this list. */
function isRecorded({ [SUPPLEMENT]: supplement }: JsonObject): boolean {
  return isObject(supplement) && memberOf(supplement, ["AccessControlList"]) !== undefined;
}

/** What Cloud Control reads of a bucket, unlike what it lists, has its domain, and not what isn't set. */
export function isRead(bucket: JsonObject): boolean {
  return memberOf(bucket, ["RegionalDomainName"]) !== undefined;
}

/** Whether all of a bucket is there, however it was read. */
export function isWhole(bucket: JsonObject): boolean {
  return isRecorded(bucket) || isRead(bucket);
}
