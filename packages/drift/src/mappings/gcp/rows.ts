import { isObject, text, type Json } from "@leeway/shared/values/json";

import {
  googleBlocks,
  googleBlocksBy,
  googleMember,
  googleValue,
  isGoogleSummary,
} from "../../google-values.ts";
import { memberOf } from "../../live-path.ts";
import { notCompared, type Row, type Shape, type ShapeWithin } from "../../mapping.ts";
import { namesOf } from "../../names.ts";
import { anyCase, reference, row } from "../../shapes.ts";

/** Returns a row for a switch. The API omits it if it is off. */
export const off = (live: string): Row => ({ live, shape: googleValue, absent: false });

/** Returns a row for a member that the API omits if it is unset. */
export const unset = (live: string): Row => ({ live, shape: googleValue, absent: "" });

/** Returns a row for a list that the API omits if it is empty. Items added to an empty list count as changes. */
export const listed = (live: string, shape: Shape = googleBlocks): Row => ({
  live,
  shape: (found, declared) => {
    const shaped = shape(found, declared ?? []);
    return declared === null && Array.isArray(shaped) && shaped.length === 0 ? null : shaped;
  },
  absent: [],
});

/**
 * Returns a shape for blocks in which the API omits these members if they are empty. In a summary, a missing member
 * means nothing.
 */
export const leavingOut = (...names: readonly string[]): ShapeWithin => {
  const left = new Set(names);
  const blocks = googleBlocksBy(
    (live, name, declared) => googleMember(live, name, declared) ?? (left.has(name) ? [] : undefined),
  );
  return (live, declared, whole) =>
    isGoogleSummary(whole.live) ? googleBlocks(live, declared) : blocks(live, declared);
};

/** Returns a row for a member of an object that exists even if the member is omitted. */
export const inside = (live: string, name: string, absent: Json, shape: Shape = googleBlocks): Row =>
  row(live, (found, declared) =>
    isObject(found) ? shape(memberOf(found, namesOf(name)) ?? absent, declared) : undefined,
  );

/** Returns a row for a block that the API keeps without these members when Terraform removes it. */
export const whileOn = (live: string, ...names: readonly string[]): Row =>
  row(live, (found, declared) => {
    if (!isObject(found)) return undefined;
    return names.some((name) => found[name]) ? googleBlocks(found, declared ?? []) : [];
  });

/** Returns a row that compares nothing. */
export function skip(): Row {
  return { live: "", shape: notCompared };
}

/** Compares a name in the state with a URL in the API. */
export const named: Shape = (live, declared) => {
  const found = reference(live, declared);
  const isName = typeof declared === "string" && !declared.includes("/");
  return isName && typeof found === "string" ? found.slice(found.lastIndexOf("/") + 1) : found;
};

/** Compares a word that Cloud Asset Inventory capitalizes. */
export const lowerCase: Shape = (live, declared) =>
  anyCase(typeof live === "string" ? live.toLowerCase() : live, declared);

/** Returns a row for a word whose absence, or value `standard`, means the default. */
export const word = (live: string, standard = ""): Row =>
  row(live, (value, declared) => {
    const isNothing =
      value === standard || (typeof value === "string" && /^(?:|NONE|\w+_UNSPECIFIED)$/.test(value));
    return isNothing && (declared === null || declared === "") ? declared : googleValue(value, declared);
  });

/** Returns Terraform's value of a word. */
export const meaning = (word: Json | undefined, values: Readonly<Record<string, Json>>): Json | undefined =>
  typeof word === "object" ? undefined : values[String(word)];

/** Returns a row for a value that the API writes with other words. */
export const words = (live: string, values: Readonly<Record<string, Json>>): Row =>
  row(live, (word) => meaning(word, values));

/** Returns a shape for a map's declared keys; other keys belong to Google. */
export const ownKeys =
  (isOwn = (_key: string) => true): Shape =>
  (live, declared) => {
    if (!isObject(live) || !isObject(declared)) return undefined;
    const entries = Object.entries(declared).map(([key, value]) => [key, isOwn(key) ? live[key] : value]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  };

/** Returns a shape that ignores a value if Google sets it, which depends on other declared attributes. */
export const unless =
  (isGoogles: (declared: Json) => boolean): ShapeWithin =>
  (live, declared, whole) =>
    isGoogles(whole.declared) ? undefined : googleValue(live, declared);

/** Returns items that are listed as key and value, such as `metadata`. */
export function itemsOf(list: Json): [key: string, value: Json][] {
  const items = Array.isArray(list) ? list.filter(isObject) : [];
  return items.map((item) => [text(item, "key") ?? "", item["value"] ?? null]);
}
