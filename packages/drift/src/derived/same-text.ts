import { isObject, type Json, sameJson } from "@leeway/shared/values/json";

import { isEnd } from "../shapes.ts";

const WORD = /^[A-Z][A-Z\d_-]*$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/;
const DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const WINDOW = /^[A-Za-z]{3}:\d\d:\d\d-[A-Za-z]{3}:\d\d:\d\d$/;
const REFERENCE = /^(?:arn:|\/|https?:\/\/|projects\/)/;
const LONGEST_DOCUMENT = 200_000;

/** Reports whether two texts mean the same: a name and an ARN that ends with it, or the same JSON, time or duration. */
export function meansSame(live: string, declared: string): boolean {
  return (
    live === declared ||
    isSameWord(live, declared) ||
    isSameName(live, declared) ||
    isAliasOfKey(live, declared) ||
    isSameReference(live, declared) ||
    isSameTime(live, declared) ||
    isSameDocument(live, declared)
  );
}

/** Reports whether two enumeration values are equal; APIs and providers write them in different case. */
function isSameWord(live: string, declared: string): boolean {
  return (WORD.test(live) || WORD.test(declared)) && live.toLowerCase() === declared.toLowerCase();
}

/** Reports whether two names are equal. A domain can end with a dot, and a time window's days vary in case. */
function isSameName(live: string, declared: string): boolean {
  if (WINDOW.test(live)) return live.toLowerCase() === declared.toLowerCase();
  return live.replace(/\.$/, "") === declared.replace(/\.$/, "");
}

/** Reports whether one is a key and the other an alias, which can be the key's. */
function isAliasOfKey(live: string, declared: string): boolean {
  const [isAlias, isKnownAlias] = [live, declared].map((one) => /(?:^|:)alias\//.test(one));
  return isAlias !== isKnownAlias;
}

function isSameReference(live: string, declared: string): boolean {
  return (
    (REFERENCE.test(live) && isEnd(live, declared)) || (REFERENCE.test(declared) && isEnd(declared, live))
  );
}

function isSameTime(live: string, declared: string): boolean {
  if (MOMENT.test(live) && MOMENT.test(declared)) return Date.parse(live) === Date.parse(declared);
  const seconds = secondsOf(live);
  return seconds !== undefined && seconds === secondsOf(declared);
}

function secondsOf(text: string): number | undefined {
  const parts = DURATION.exec(text)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (parts === undefined) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}

function isSameDocument(live: string, declared: string): boolean {
  if (!/^\s*[{[]/.test(live) || live.length > LONGEST_DOCUMENT || declared.length > LONGEST_DOCUMENT)
    return false;
  const [one, other] = [parsed(live), parsed(declared)];
  return one !== undefined && other !== undefined && sameJson(one, other);
}

function parsed(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
