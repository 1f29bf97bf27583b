import { isObject, type Json, type JsonObject, sameJson } from "@leeway/shared/values/json";

import { alignedValues, meant } from "../aligned.ts";
import { memberOf } from "../live-path.ts";
import type { Shape } from "../mapping.ts";
import { coerced } from "../mirrored.ts";
import { namesOf } from "../names.ts";
import { document, switched } from "../shapes.ts";
import { meansSame } from "./same-text.ts";
import type { Kind } from "./table.ts";

/** Reports whether two texts mean the same. */
type Equal = (live: string, declared: string) => boolean;

/**
 * Returns the shapes of values by kind. A derived pair never judges an attribute that the state lacks or has empty,
 * because the cloud may fill in a default.
 */
function shapesFor(equal: Equal): Readonly<Record<Exclude<Kind, "block" | "blocks">, Shape>> {
  const scalar = (live: Json, declared: Json): Json => {
    const value = coerced(live, declared);
    const isEqual = typeof value === "string" && typeof declared === "string" && equal(value, declared);
    return isEqual ? declared : value;
  };
  return {
    text: ifStated((live, declared) =>
      isScalar(live) ? scalar(live, declared) : parsedText(live, declared),
    ),
    number: ifStated(number),
    switch: ifStated((live, declared) =>
      typeof declared === "boolean" ? switched(live, declared) : undefined,
    ),
    opposite: ifStated((live, declared) => {
      const isOn = switched(live, declared);
      return typeof isOn === "boolean" && typeof declared === "boolean" ? !isOn : undefined;
    }),
    list: ifStated((live, declared) => listOf(live, declared, scalar)),
    map: ifStated((live, declared) => mapOf(live, declared, scalar)),
    json: ifStated((live, declared) =>
      typeof declared === "string" ? document(live, declared) : mapOf(live, declared, scalar),
    ),
  };
}

/** Shapes for AWS. */
export const EXACT_CASE = shapesFor(meansSame);
/** Shapes for Azure, where the case of words and ids doesn't count. */
export const ANY_CASE = shapesFor((live, declared) => meansSame(live.toLowerCase(), declared.toLowerCase()));

/** Returns a shape that skips what the state doesn't say. */
export function ifStated(shape: Shape): Shape {
  return (live, declared) => (live === null || isUnstated(declared) ? undefined : shape(live, declared));
}

/** Reports whether a state doesn't say what an attribute is. */
export function isUnstated(declared: Json): boolean {
  if (declared === null || declared === "") return true;
  return typeof declared === "object" && Object.keys(declared).length === 0;
}

function isScalar(value: Json): boolean {
  return typeof value !== "object";
}

function number(live: Json, declared: Json): Json | undefined {
  if (typeof live === "number" || typeof declared !== "number")
    return isScalar(live) ? coerced(live, declared) : undefined;
  const amount = typeof live === "string" ? /^(-?\d+(?:\.\d+)?)s?$/.exec(live)?.[1] : undefined;
  return amount === undefined ? undefined : Number(amount);
}

/** Compares an object with a text that holds JSON. Some schemas call both text. */
function parsedText(live: Json, declared: Json): Json | undefined {
  return typeof declared === "string" && /^\s*[{[]/.test(declared) ? document(live, declared) : undefined;
}

type Scalar = (live: Json, declared: Json) => Json;

function listOf(live: Json, declared: Json, scalar: Scalar): Json | undefined {
  const items = typeof live === "string" ? live.split(/,\s*/) : itemsIn(live);
  if (!Array.isArray(items) || !Array.isArray(declared) || !items.every(isScalar)) return undefined;
  const known = meant(items, declared, (item, value) => sameJson(scalar(item, value), value));
  return alignedValues(known, declared);
}

/** Returns the items of a list that is an object with their number, as CloudFront's API and AWS Config write lists. */
export function itemsIn(live: Json): Json {
  const isList = isObject(live) && typeof memberOf(live, QUANTITY) === "number";
  return isList ? (memberOf(live, ITEMS) ?? []) : live;
}

const [QUANTITY, ITEMS] = [namesOf("quantity"), namesOf("items")];

const KEYS = ["key", "name", "parameterKey", "parameterName", "optionName", "variable"].map(namesOf);
const VALUES = ["value", "parameterValue", "optionValue"].map(namesOf);

/** Compares the keys in the state. Others may be the cloud's own. */
function mapOf(live: Json, declared: Json, scalar: Scalar): Json | undefined {
  const found = Array.isArray(live) ? pairsOf(live) : live;
  if (!isObject(found) || !isObject(declared)) return undefined;
  return Object.fromEntries(
    Object.entries(declared).flatMap(([key, value]): [string, Json][] => {
      const other = found[key];
      return other === undefined ? [] : [[key, isScalar(other) ? scalar(other, value) : value]];
    }),
  );
}

/** Returns a list of names and values as a map. */
function pairsOf(items: readonly Json[]): JsonObject | undefined {
  const pairs = items.map((item) => [firstOf(item, KEYS), firstOf(item, VALUES)]);
  const named = pairs.flatMap(([key, value]): [string, Json][] =>
    typeof key === "string" && value !== undefined ? [[key, value]] : [],
  );
  return named.length === items.length ? Object.fromEntries(named) : undefined;
}

function firstOf(item: Json, spellings: readonly (readonly string[])[]): Json | undefined {
  return spellings.map((names) => memberOf(item, names)).find((value) => value !== undefined);
}
