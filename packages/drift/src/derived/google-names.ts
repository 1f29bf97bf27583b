import { isObject, type Json } from "@leeway/shared/values/json";

import { googleBlocks, googleMember, googleScalar, pluralOf, unlessAbsent } from "../google-values.ts";
import { valueAtPath } from "../live-path.ts";
import type { Shape } from "../mapping.ts";
import { mirroredBy, type Inside, type Member } from "../mirrored.ts";
import { plainName } from "../names.ts";
import { document, switched } from "../shapes.ts";
import { nestedIn } from "./rows.ts";
import { entriesOf, type Entry, type Kind } from "./table.ts";
import { ifStated } from "./values.ts";

/** Where the attributes of a Google type are in the API, beyond those that mirror it. */
export interface GoogleNames {
  member: Member;
  inside: Inside;
}

const known = new Map<string, GoogleNames>();

/** Returns the names of a type from the table. */
export function googleNames(type: string): GoogleNames {
  let names = known.get(type);
  if (names === undefined) {
    const entries = entriesOf(type);
    names = namesOf(entries, unlessAbsent);
    if (entries.length > 0) known.set(type, names);
  }
  return names;
}

/** Returns the names in a type's block from the table. */
export function googleNamesIn(type: string, block: string): GoogleNames {
  return namesOf(entriesOf(type).find(({ name }) => name === block)?.inner ?? []);
}

/** Returns the names in a block. The table counts before an attribute's own name. */
function namesOf(entries: readonly Entry[], within: (shape: Shape) => Shape = (shape) => shape): GoogleNames {
  const paths = new Map<string, string>();
  const shapes = new Map<string, Shape>();
  for (const entry of nestedIn(entries)) {
    if (!isMirrored(entry)) paths.set(entry.name, entry.live);
    const shape = shapeOf(entry);
    if (shape) shapes.set(entry.name, within(shape));
  }
  return {
    member: (live, name, declared) => {
      const path = paths.get(name);
      if (path === "") return live;
      const found = path === undefined || live === undefined ? undefined : valueAtPath(live, path);
      return found ?? googleMember(live, name, declared);
    },
    inside: (name) => shapes.get(name),
  };
}

function isMirrored({ name, live }: Entry): boolean {
  return [name, pluralOf(name)].some((one) => plainName(one) === plainName(live));
}

/** Returns the shape of an attribute; undefined if it is compared like any other of Google's. */
function shapeOf(entry: Entry): Shape | undefined {
  const { kind, live, inner } = entry;
  if (inner.length === 0) return isMirrored(entry) ? SPECIAL[kind] : (SPECIAL[kind] ?? PLAIN);
  const names = namesOf(inner);
  const shape = mirroredBy({ scalar: googleScalar, ...(live === "" ? strictly(inner, names) : names) });
  return isMirrored(entry) ? shape : ifStated(shape);
}

/** Returns the names of a block without a counterpart: its attributes are among others, so that only the table counts. */
function strictly(entries: readonly Entry[], { member, inside }: GoogleNames): GoogleNames {
  const paths = new Map(nestedIn(entries).map(({ name, live }) => [name, live]));
  return {
    member: (live, name, declared) => {
      const path = paths.get(name);
      if (path === undefined || !isObject(live)) return undefined;
      return path === "" ? member(live, name, declared) : valueAtPath(live, path);
    },
    inside,
  };
}

/** A pair of different names never judges what the state lacks, because Google may fill in a default. */
const PLAIN = ifStated(googleBlocks);

const worded: Shape = (live, declared) =>
  typeof live === "string" && typeof declared === "boolean"
    ? switched(live, declared)
    : googleBlocks(live, declared);

const negated = (live: Json): Json | undefined => {
  const isOn = switched(live, null);
  return typeof isOn === "boolean" ? !isOn : undefined;
};

/** Kinds that Google writes in another form. */
const SPECIAL: Readonly<Partial<Record<Kind, Shape>>> = {
  switch: ifStated(worded),
  opposite: ifStated(negated),
  json: ifStated((live, declared) =>
    typeof declared === "string" && typeof live === "object"
      ? document(live, declared)
      : googleBlocks(live, declared),
  ),
};
