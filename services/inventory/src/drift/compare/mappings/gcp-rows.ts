import { isObject, text, type Json } from "@leeway/shared/json";

import {
  googleBlocks,
  googleBlocksBy,
  googleMember,
  googleValue,
  isGoogleSummary,
} from "../google-values.ts";
import { memberOf } from "../live-path.ts";
import type { Row, Shape, ShapeWithin } from "../mapping.ts";
import { namesOf } from "../names.ts";
import { anyCase, reference, row } from "../shapes.ts";

/** The API leaves out what is false, so that an absent switch is off. */
export const off = (live: string): Row => ({ live, shape: googleValue, absent: false });

/** What the API leaves out where there is none. */
export const unset = (live: string): Row => ({ live, shape: googleValue, absent: "" });

/** A list that the API leaves out when nothing is in it; what comes into it was asked for by nobody. */
export const listed = (live: string, shape: Shape = googleBlocks): Row => ({
  live,
  shape: (found, declared) => {
    const shaped = shape(found, declared ?? []);
    return declared === null && Array.isArray(shaped) && shaped.length === 0 ? null : shaped;
  },
  absent: [],
});

/** Blocks inside of which the API leaves out these where there are none, as a summary does in any case. */
export const leavingOut = (...names: readonly string[]): ShapeWithin => {
  const left = new Set(names);
  const blocks = googleBlocksBy(
    (live, name, declared) => googleMember(live, name, declared) ?? (left.has(name) ? [] : undefined),
  );
  return (live, declared, whole) =>
    isGoogleSummary(whole.live) ? googleBlocks(live, declared) : blocks(live, declared);
};

/** Something of an object that is there even where it has nothing to tell. */
export const inside = (live: string, name: string, absent: Json, shape: Shape = googleBlocks): Row =>
  row(live, (found, declared) =>
    isObject(found) ? shape(memberOf(found, namesOf(name)) ?? absent, declared) : undefined,
  );

/** A block that stays in the API, without these, when it goes in Terraform. */
export const whileOn = (live: string, ...names: readonly string[]): Row =>
  row(live, (found, declared) => {
    if (!isObject(found)) return undefined;
    return names.some((name) => found[name]) ? googleBlocks(found, declared ?? []) : [];
  });

/** An attribute of this name that isn't the API's member of that name, or that changes by itself. */
export function skip(): Row {
  return { live: "", shape: () => undefined };
}

/** What a state has by its name and the API by its URL. */
export const named: Shape = (live, declared) => {
  const found = reference(live, declared);
  const isName = typeof declared === "string" && !declared.includes("/");
  return isName && typeof found === "string" ? found.slice(found.lastIndexOf("/") + 1) : found;
};

/** Cloud Asset Inventory writes it in capitals. */
export const lowerCase: Shape = (live, declared) =>
  anyCase(typeof live === "string" ? live.toLowerCase() : live, declared);

/** A word of which none, or this one, means that nothing was asked for. */
export const word = (live: string, standard = ""): Row =>
  row(live, (value, declared) => {
    const isNothing =
      value === standard || (typeof value === "string" && /^(?:|NONE|\w+_UNSPECIFIED)$/.test(value));
    return isNothing && (declared === null || declared === "") ? declared : googleValue(value, declared);
  });

/** What a word means in Terraform. */
export const meaning = (word: Json | undefined, values: Readonly<Record<string, Json>>): Json | undefined =>
  typeof word === "object" ? undefined : values[String(word)];

/** Something that the API has other words for. */
export const words = (live: string, values: Readonly<Record<string, Json>>): Row =>
  row(live, (word) => meaning(word, values));

/** Of a map the keys that are declared; the others are Google's. */
export const ownKeys =
  (isOwn = (_key: string) => true): Shape =>
  (live, declared) => {
    if (!isObject(live) || !isObject(declared)) return undefined;
    const entries = Object.entries(declared).map(([key, value]) => [key, isOwn(key) ? live[key] : value]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  };

/** What Google sets where something else is declared. */
export const unless =
  (isGoogles: (declared: Json) => boolean): ShapeWithin =>
  (live, declared, whole) =>
    isGoogles(whole.declared) ? undefined : googleValue(live, declared);

/** What an item of `metadata` has, or of whatever else is listed as keys and values. */
export function itemsOf(list: Json): [key: string, value: Json][] {
  const items = Array.isArray(list) ? list.filter(isObject) : [];
  return items.map((item) => [text(item, "key") ?? "", item["value"] ?? null]);
}
