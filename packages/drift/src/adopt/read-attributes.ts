import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import { nestedIn } from "../derived/rows.ts";
import { entriesOf, type Entry } from "../derived/table.ts";
import { googleMember } from "../google-values.ts";
import { valueAtPath } from "../live-path.ts";
import type { Row, Whole } from "../mapping.ts";
import { mapperOf, type TypeMapper } from "../tables.ts";
import type { Argument } from "./arguments.ts";
import { googleText } from "./google-text.ts";
import { extraAttributes, extraEntry } from "./extra-places.ts";
import { isInitial, valueFor } from "./values.ts";

/** Reading of one live resource. */
interface Reading {
  type: string;
  mapper: TypeMapper;
  rows: TypeMapper["rows"];
  whole: Whole;
  isGoogle: boolean;
  /** Returns the member at a derived path of a block. */
  find: (block: JsonObject, path: string) => Json | undefined;
}

/** Place in the resource's attributes. */
interface Place {
  /** Names of the blocks around, with a dot at the end. */
  path: string;
  entries: readonly Entry[];
  /** Whether rows by hand apply, which address only the first of several blocks. */
  isFirst: boolean;
}

/**
 * Returns the attributes of a live resource, from the same tables by which it is compared with a state. It leaves
 * out the provider's defaults.
 */
export function readAttributes(type: string, args: readonly Argument[], live: JsonObject): JsonObject {
  const mapper = mapperOf(type);
  if (mapper === undefined) return {};
  const isGoogle = mapper.mirror !== undefined;
  const reading: Reading = {
    type,
    mapper,
    rows: withoutParts(type, mapper.byHand ?? mapper.rows),
    whole: { declared: {}, live, parts: [] },
    isGoogle,
    find: type.startsWith("azurerm_") ? (block, path) => azureMember(mapper, block, path) : valueAtPath,
  };
  const read = readBlock(reading, args, live, {
    path: "",
    entries: nestedIn(entriesOf(type)),
    isFirst: true,
  });
  return { ...read, ...settable(args, extraAttributes(type, live)) };
}

/** Returns rows without attributes of a bucket that newer providers declare separately. */
function withoutParts(type: string, rows: TypeMapper["rows"]): TypeMapper["rows"] {
  if (type !== "aws_s3_bucket") return rows;
  return Object.fromEntries(Object.entries(rows).filter(([, { part }]) => part === undefined));
}

function azureMember({ find }: TypeMapper, block: JsonObject, path: string): Json | undefined {
  return valueAtPath(block, path.replace(/^\//, "")) ?? find(block, path);
}

function readBlock(reading: Reading, args: readonly Argument[], block: JsonObject, place: Place): JsonObject {
  const found: JsonObject = {};
  for (const argument of args) {
    const value =
      argument.kind === "b" || argument.kind === "B"
        ? readBlocks(reading, argument, block, place)
        : readValue(reading, argument, block, place);
    if (value !== undefined && !isInitial(argument, value)) found[argument.name] = value;
  }
  return found;
}

function readValue(reading: Reading, argument: Argument, block: JsonObject, place: Place): Json | undefined {
  const row = place.isFirst ? reading.rows[place.path + argument.name] : undefined;
  if (row) return byHand(reading, row, argument);
  const entry =
    place.entries.find(({ name }) => name === argument.name) ??
    extraEntry(reading.type, place.path, argument);
  const live = memberFor(reading, entry, argument, block);
  if (live === undefined) return undefined;
  const value = valueFor(argument, live);
  if (entry?.kind === "opposite") return typeof value === "boolean" ? !value : undefined;
  return reading.isGoogle && value !== undefined ? googleText(argument, value) : value;
}

function memberFor(
  { isGoogle, find }: Reading,
  entry: Entry | undefined,
  { name, kind }: Argument,
  block: JsonObject,
): Json | undefined {
  const found = entry === undefined || entry.live === "" ? undefined : find(block, entry.live);
  if (found !== undefined || !isGoogle) return found;
  return googleMember(block, name, kind === "B" || kind === "b" ? [{}] : null);
}

/** Two declared values for each kind. A shape that returns either of them says nothing of the live value. */
const SEEDS: Readonly<Record<string, readonly [Json, Json]>> = {
  t: [" ", "\u0001"],
  n: [-7, -8],
  s: [false, true],
  l: [[], []],
  L: [[], []],
  m: [{}, {}],
};

/** Reads an attribute by a row that was written by hand, with a declared value that equals none. */
function byHand({ mapper, whole }: Reading, row: Row, argument: Argument): Json | undefined {
  const found = mapper.find(whole.live, row.live);
  const [seed, other] = SEEDS[argument.kind] ?? [];
  if (found === undefined || seed === undefined || other === undefined) return undefined;
  const shaped = row.shape(found, seed, whole);
  const isSeed = shaped === seed && row.shape(found, other, whole) === other;
  return shaped === undefined || isSeed ? undefined : valueFor(argument, shaped);
}

function readBlocks(reading: Reading, argument: Argument, block: JsonObject, place: Place): Json | undefined {
  const path = place.path + argument.name;
  const row = place.isFirst ? reading.rows[path] : undefined;
  const shaped = row && blocksByHand(reading, row, argument);
  // Google's attributes mirror the API, also where the comparison ignores them.
  if (row && (shaped !== undefined || !reading.isGoogle)) return shaped;
  return mirroredBlocks(reading, argument, block, place);
}

function mirroredBlocks(
  reading: Reading,
  argument: Argument,
  block: JsonObject,
  place: Place,
): Json | undefined {
  const path = place.path + argument.name;
  const entry = place.entries.find(({ name }) => name === argument.name);
  const items = itemsFor(reading, argument, block, { ...place, entry });
  if (argument.kind === "b" && items.length > 1) return undefined;
  const isFirst = place.isFirst && items.length === 1;
  const inner = { path: `${path}.`, entries: entry?.inner ?? [], isFirst };
  return written(items.map((item) => readBlock(reading, argument.inner, item, inner)));
}

/** Returns the live objects that blocks stand for. */
function itemsFor(
  reading: Reading,
  argument: Argument,
  block: JsonObject,
  { path, entry, isFirst }: Place & { entry: Entry | undefined },
): JsonObject[] {
  // A block without a counterpart stands for the object around it.
  if (entry?.live === "") return [block];
  const items = [memberFor(reading, entry, argument, block) ?? []].flat().filter(isObject);
  const start = `${path}${argument.name}.`;
  const hasRows = isFirst && Object.keys(reading.rows).some((name) => name.startsWith(start));
  return items.length === 0 && hasRows ? [{}] : items;
}

/** Returns the blocks with arguments; undefined if there is none. */
function written(blocks: readonly JsonObject[]): JsonObject[] | undefined {
  const whole = blocks.filter((one) => Object.keys(one).length > 0);
  return whole.length === 0 ? undefined : whole;
}

/** Reads blocks by a row that was written by hand, and keeps what the provider takes. */
function blocksByHand({ mapper, whole }: Reading, row: Row, argument: Argument): Json | undefined {
  const found = mapper.find(whole.live, row.live);
  const shaped = found === undefined ? undefined : row.shape(found, [], whole);
  if (!Array.isArray(shaped)) return undefined;
  const read = shaped.filter(isObject).map((item) => settable(argument.inner, item));
  return read.length === 0 ? undefined : read;
}

/** Returns the members of an object with Terraform's names that the arguments take. */
export function settable(args: readonly Argument[], object: JsonObject): JsonObject {
  const found: JsonObject = {};
  for (const argument of args) {
    const live = object[argument.name];
    const value = live === undefined || live === null ? undefined : settableValue(argument, live);
    if (value !== undefined && !isInitial(argument, value)) found[argument.name] = value;
  }
  return found;
}

function settableValue(argument: Argument, live: Json): Json | undefined {
  if (argument.kind !== "b" && argument.kind !== "B") return valueFor(argument, live);
  return written(
    [live]
      .flat()
      .filter(isObject)
      .map((item) => settable(argument.inner, item)),
  );
}
