import { detailsOf } from "@leeway/clouds/azure/details";
import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import { alignedBlocks } from "../aligned.ts";
import { valueAtPath } from "../live-path.ts";
import type { MappingTable, Row, Shape, TypeMapping } from "../mapping.ts";
import { translated } from "../mirrored.ts";
import { namesOf } from "../names.ts";
import { entriesOf, type Entry } from "./table.ts";
import { ANY_CASE, EXACT_CASE, isUnstated, itemsIn } from "./values.ts";

/** A cloud's way to write values. */
interface Notation {
  shapes: typeof EXACT_CASE;
  /** Returns the value at a path in a block. */
  find: (block: JsonObject, path: string) => Json | undefined;
  /** Path of the resource itself. */
  whole: string;
}

const AWS: Notation = { shapes: EXACT_CASE, find: valueAtPath, whole: "" };
const AZURE: Notation = { shapes: ANY_CASE, find: azureValue, whole: "/" };

/** An attribute with the shape of its values. */
interface Shaped extends Pick<Row, "live" | "compared"> {
  name: string;
  shape: Shape;
}

/**
 * Returns rows for a type's attributes from the tables made of the schemas.
 * @param byHand the type's other rows, which replace derived ones
 */
export function derivedRows(type: string, byHand: MappingTable[string]): TypeMapping {
  const notation = type.startsWith("azurerm_") ? AZURE : AWS;
  const entries = entriesOf(type).flatMap((entry) => without(entry, new Set(Object.keys(byHand)), ""));
  return Object.fromEntries(
    shapedOf(entries, notation).map(({ name, live, ...others }): [string, Row] => [
      name,
      { live: live === "" ? notation.whole : live, ...others },
    ]),
  );
}

/** Returns an entry without what has a row by hand; empty if nothing is left. */
function without(entry: Entry, byHand: ReadonlySet<string>, within: string): Entry[] {
  const path = within + entry.name;
  const isKnown = path.split(".").some((_, index, steps) => byHand.has(steps.slice(0, index + 1).join(".")));
  if (isKnown) return [];
  if (entry.inner.length === 0) return [entry];
  const inner = entry.inner.flatMap((one) => without(one, byHand, `${path}.`));
  return inner.length === 0 ? [] : [{ ...entry, inner }];
}

function shapedOf(entries: readonly Entry[], notation: Notation): Shaped[] {
  return nestedIn(entries).map(({ name, live, kind, inner }) => {
    if (kind !== "block" && kind !== "blocks") return { name, live, shape: notation.shapes[kind] };
    const members = shapedOf(inner, notation);
    const own = blocks(members, notation, kind === "blocks");
    const shape = name.startsWith("enabled_") ? enabledOnly(own) : own;
    return { name, live, shape, compared: (declared: Json) => comparedIn(declared, members) };
  });
}

/** Returns a block, or each of a list, with only the known members. */
function comparedIn(declared: Json, members: readonly Shaped[]): Json {
  if (Array.isArray(declared)) return declared.map((block) => comparedIn(block, members));
  if (!isObject(declared)) return null;
  return Object.fromEntries(
    members.flatMap(({ name, compared }) =>
      namesOf(name).flatMap((own): [string, Json][] => {
        const value = declared[own];
        return value === undefined ? [] : [[own, compared ? compared(value) : value]];
      }),
    ),
  );
}

/** Returns entries with blocks for the parts of their names. Such a block stands for the object around it. */
export function nestedIn(entries: readonly Entry[]): Entry[] {
  const groups = Map.groupBy(entries, ({ name }) => name.split(".", 1)[0] ?? "");
  return [...groups].flatMap(([name, group]) => {
    const [only] = group;
    if (only?.name === name) return group;
    const inner = group.map((entry) => ({ ...entry, name: entry.name.slice(name.length + 1) }));
    return [{ name, live: "", kind: "block" as const, inner }];
  });
}

/** Returns a shape for a block, or a list of them, that compares the known members. */
function blocks(members: readonly Shaped[], notation: Notation, areMany: boolean): Shape {
  const known = new Map(members.map((one) => [one.name, one]));
  const shape = (item: Json, block: Json): Json => withLive(item, block, known);
  return (live, declared) => {
    if (typeof live !== "object" || isUnstated(declared)) return undefined;
    const items = [itemsIn(live)]
      .flat()
      .filter(isObject)
      .map((item) => named(item, members, notation));
    const [only = {}] = items;
    const isOne = items.length === 1 && Object.keys(only).length > 0;
    if (Array.isArray(declared)) return isOne || areMany ? alignedBlocks(items, declared, shape) : undefined;
    return isOne && isObject(declared) ? shape(only, declared) : undefined;
  };
}

/** Leaves out disabled items: `enabled_log` has only enabled categories, and Azure lists all of them. */
function enabledOnly(shape: Shape): Shape {
  return (live, declared) => {
    const items = Array.isArray(live)
      ? live.filter((item) => !isObject(item) || item["enabled"] !== false)
      : live;
    return shape(items, declared);
  };
}

/** Returns the known members of an object under Terraform's names. */
function named(item: JsonObject, members: readonly Shaped[], { find }: Notation): JsonObject {
  return Object.fromEntries(
    members.flatMap(({ name, live }): [string, Json][] => {
      const value = live === "" ? item : find(item, live);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function withLive(item: Json, block: Json, known: ReadonlyMap<string, Shaped>): Json {
  if (!isObject(item) || !isObject(block)) return translated(item);
  return Object.fromEntries(
    Object.entries(block).map(([name, declared]): [string, Json] => {
      const live = item[name];
      const shaped = live === undefined ? undefined : known.get(name)?.shape(live, declared);
      return [name, shaped ?? declared];
    }),
  );
}

/** Returns a member of an object or of its `properties`, in which Azure keeps a child's details. */
function azureValue(object: JsonObject, path: string): Json | undefined {
  if (path.startsWith("/")) return valueAtPath(object, path.slice(1));
  return valueAtPath(object, path) ?? valueAtPath(detailsOf(object), path);
}
