import { CommitSha, Url } from "@leeway/shared/contracts/common";
import { LONGEST_NAME, LONGEST_PROSE } from "@leeway/shared/contracts/webhooks/events";
import { isObject, present, text, type Json, type JsonObject } from "@leeway/shared/values/json";
import { redactText } from "@leeway/shared/security/redaction/redact";
import { storable } from "@leeway/shared/values/storable";
import { Value } from "@sinclair/typebox/value";

/** Control characters and unpaired surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** Returns a name; undefined if it is too long or contains unprintable characters. */
export function name(object: JsonObject | undefined, key: string): string | undefined {
  const value = text(object, key);
  if (value === undefined || value.length > LONGEST_NAME || UNPRINTABLE.test(value)) return undefined;
  return value;
}

/** Returns a name of letters, digits, `_`, `.` and `-`, which can be shown anywhere. */
export function word(object: JsonObject | undefined, key: string): string | undefined {
  const value = text(object, key);
  return value !== undefined && /^[\w.-]{1,64}$/.test(value) ? value : undefined;
}

/** Returns a text for people, with secrets masked and cut to the limit. */
export function prose(object: JsonObject | undefined, key: string): string | undefined {
  const value = text(object, key);
  // twice the limit, so that a secret at the cut is detected
  const seen = value && redactText(storable(value.slice(0, 2 * LONGEST_PROSE)));
  return seen && storable(seen.slice(0, LONGEST_PROSE));
}

/** Returns a web URL; undefined for other URLs, such as `javascript:`. */
export function url(object: JsonObject | undefined, key: string): string | undefined {
  const value = name(object, key);
  return Value.Check(Url, value) ? value : undefined;
}

/** Returns the hash of a commit, in lower case. */
export function commitSha(object: JsonObject | undefined, key: string): string | undefined {
  const value = text(object, key)?.toLowerCase();
  return Value.Check(CommitSha, value) ? value : undefined;
}

/** Returns a count or an id: a safe integer that isn't negative. */
export function natural(object: JsonObject | undefined, key: string): number | undefined {
  const value = object?.[key];
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Returns the pull request; undefined for number 0, which planners use for none. */
export function changeRequest(given: {
  number: number | false | undefined;
  [more: string]: unknown;
}): object | undefined {
  return given.number === 0 || given.number === undefined ? undefined : present(given);
}

/**
 * Returns `false`, invalid for every field, for a value that was given but can't be read. Returns undefined for a
 * missing one.
 */
export function unreadable(given: Json | undefined): false | undefined {
  const isGiven = isObject(given) ? Object.keys(given).length > 0 : Boolean(given);
  return isGiven ? false : undefined;
}

/** Returns an object without its undefined members; undefined if it has no others. */
export function someOf(given: object): object | undefined {
  const some = present(given);
  return Object.keys(some).length === 0 ? undefined : some;
}
