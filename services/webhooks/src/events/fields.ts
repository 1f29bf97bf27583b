import { CommitSha, Url } from "@leeway/shared/contracts/common";
import { LONGEST_NAME, LONGEST_PROSE } from "@leeway/shared/contracts/webhooks/events";
import { text, type JsonObject } from "@leeway/shared/json";
import { redactText } from "@leeway/shared/redaction/redact";
import { storable } from "@leeway/shared/storable";
import { Value } from "@sinclair/typebox/value";

/** Control characters and halves of surrogate pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** A name as it is given; undefined where it is too long or can't be one. */
export function name(object: JsonObject | undefined, key: string): string | undefined {
  const value = text(object, key);
  if (value === undefined || value.length > LONGEST_NAME || UNPRINTABLE.test(value)) return undefined;
  return value;
}

/** A name of letters, digits, `_`, `.` and `-`: one that can be shown anywhere. */
export function word(object: JsonObject | undefined, key: string): string | undefined {
  const value = text(object, key);
  return value !== undefined && /^[\w.-]{1,64}$/.test(value) ? value : undefined;
}

/** A text for people without secrets, cut where it is too long. */
export function prose(object: JsonObject | undefined, key: string): string | undefined {
  const value = text(object, key);
  // twice as much, so that a secret is seen whole where the cut goes through it
  const seen = value && redactText(storable(value.slice(0, 2 * LONGEST_PROSE)));
  return seen && storable(seen.slice(0, LONGEST_PROSE));
}

/** An address on the web; undefined where it is another one, such as `javascript:`. */
export function url(object: JsonObject | undefined, key: string): string | undefined {
  const value = name(object, key);
  return Value.Check(Url, value) ? value : undefined;
}

/** The hash of a commit, in lower case. */
export function commitSha(object: JsonObject | undefined, key: string): string | undefined {
  const value = text(object, key)?.toLowerCase();
  return Value.Check(CommitSha, value) ? value : undefined;
}

/** A number that counts or identifies: an integer from 0 on that is exact. */
export function natural(object: JsonObject | undefined, key: string): number | undefined {
  const value = object?.[key];
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
