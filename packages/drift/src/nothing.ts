import { isObject, type Json } from "@leeway/shared/values/json";

import { isEmptyScalar, isNothing } from "./mirrored.ts";

/** Reports whether a live value says no more than the declared one: neither has a value. */
export function sayNothing(live: Json, declared: Json | undefined): declared is Json {
  if (declared === null) return isNothing(live);
  if (live === null) return isBlank(declared);
  return isEmptyList(live) && Array.isArray(declared) && declared.every(isBlank);
}

function isEmptyList(value: Json): boolean {
  return Array.isArray(value) && value.length === 0;
}

/**
 * Reports whether a block consists of empty values, of which one is a text or number. The presence of a block with
 * only switches or other blocks can mean something: a firewall's action is an empty block.
 */
function isBlank(block: Json | undefined): boolean {
  return isObject(block) && isEmptyThroughout(block) && hasValue(block);
}

/** Reports whether a value is empty at any depth. */
export function isEmptyThroughout(value: Json): boolean {
  if (value === null || typeof value !== "object") return isEmptyScalar(value);
  return Object.values(value).every((inner) => isEmptyThroughout(inner ?? null));
}

function hasValue(value: Json): boolean {
  if (value === null || typeof value !== "object") return value === "" || value === 0;
  return Object.values(value).some((inner) => hasValue(inner ?? null));
}
