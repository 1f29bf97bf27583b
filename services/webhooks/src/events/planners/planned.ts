import { isObject, present, type Json } from "@leeway/shared/values/json";

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

export function someOf(given: object): object | undefined {
  const some = present(given);
  return Object.keys(some).length === 0 ? undefined : some;
}
