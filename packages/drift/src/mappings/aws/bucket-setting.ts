import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import { memberOf, valueAtPath } from "../../live-path.ts";
import type { Row, ShapeWithin } from "../../mapping.ts";
import { isEmptyScalar, mirrored } from "../../mirrored.ts";
import { row } from "../../shapes.ts";

/** Member of AWS Config with a bucket's settings. */
export const SUPPLEMENT = "supplementaryConfiguration";

interface Setting {
  shape?: ShapeWithin;
  /** Value if the setting is missing. */
  otherwise: Json;
  /** Reports whether the answer would contain the setting if it were set. */
  isReported?: (bucket: JsonObject) => boolean;
}

/**
 * Returns a row for a bucket's setting, as Cloud Control reads it and, if
 * known, as AWS Config records it. AWS Config records the whole bucket.
 */
export function setting(
  path: string,
  recorded: string | undefined,
  { shape = mirrored, otherwise, isReported = isRecorded }: Setting,
): Row {
  const ways = recorded === undefined ? path : `${path} | ${SUPPLEMENT}.${recorded}`;
  const shaped: ShapeWithin = (_, declared, whole) => {
    const found = valueAtPath(whole.live, ways);
    const live = found ?? (isReported(whole.live) ? otherwise : undefined);
    if (live === null) return isEmptyScalar(declared) ? declared : null;
    return live === undefined ? undefined : shape(live, declared, whole);
  };
  return { ...row("", shaped), reads: path };
}

/** Reports whether AWS Config recorded the bucket: its records always contain this list. */
function isRecorded({ [SUPPLEMENT]: supplement }: JsonObject): boolean {
  return isObject(supplement) && memberOf(supplement, ["AccessControlList"]) !== undefined;
}

/**
 * Reports whether Cloud Control read the bucket. Unlike its lists, reads contain the domain and omit unset settings.
 */
export function isRead(bucket: JsonObject): boolean {
  return memberOf(bucket, ["RegionalDomainName"]) !== undefined;
}

/** Reports whether all of a bucket's settings are known, from either source. */
export function isWhole(bucket: JsonObject): boolean {
  return isRecorded(bucket) || isRead(bucket);
}
