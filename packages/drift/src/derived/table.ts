import AWS from "./aws.tsv" with { type: "text" };
import AZURE from "./azure.tsv" with { type: "text" };
import GCP from "./gcp.tsv" with { type: "text" };

import { typeLines } from "../type-lines.ts";

/** Kinds of values, which decide how they are compared. */
export type Kind = "text" | "number" | "switch" | "opposite" | "list" | "map" | "json" | "block" | "blocks";

/** An attribute and its place in the cloud. */
export interface Entry {
  /** Name, or several joined by dots if blocks around it have no counterpart. */
  name: string;
  /** Path of the member, relative to the block around it; see `valueAtPath`. */
  live: string;
  kind: Kind;
  /** Attributes inside a block. */
  inner: readonly Entry[];
}

/** Tables by the prefix of their types. */
const TABLES = typeLines({ aws: AWS, azurerm: AZURE, google: GCP });
const SECRET = "secret";
const FIXED = "replace";
const known = new Map<string, readonly Entry[]>();

/** Returns the derived attributes of a type. Only types in use are parsed, because the tables have many thousand lines. */
export function entriesOf(type: string): readonly Entry[] {
  let entries = known.get(type);
  if (entries === undefined) {
    entries = treeOf(TABLES.of(type).filter(([, , , kind]) => kind !== SECRET));
    if (entries.length > 0) known.set(type, entries);
  }
  return entries;
}

/** Returns the attributes that the provider's schema marks as sensitive. */
export function secretsOf(type: string): readonly string[] {
  const known = secrets.get(type);
  if (known) return known;
  const lines = TABLES.of(type);
  const found = lines.flatMap(([, attribute = "", , kind]) => (kind === SECRET ? [attribute] : []));
  if (lines.length > 0) secrets.set(type, found);
  return found;
}

/** Secret attributes by type; only types in the tables are among them. */
const secrets = new Map<string, readonly string[]>();

/** Returns whether another value needs another resource, by the paths of a type's attributes. */
export function fixedOf(type: string): ReadonlyMap<string, boolean> {
  return new Map(TABLES.of(type).map(([, attribute = "", , , flags]) => [attribute, flags === FIXED]));
}

/** Returns the types in the tables. */
export function derivedTypes(): string[] {
  return TABLES.types();
}

/** Puts attributes into their blocks. A table is sorted, so that a block precedes what is inside. */
function treeOf(lines: readonly string[][]): Entry[] {
  const top: Entry[] = [];
  const blocks = new Map<string, Entry[]>();
  for (const [, attribute = "", live = "", kind = ""] of lines) {
    const steps = attribute.split(".");
    const around = steps
      .map((_, index) => steps.slice(0, index).join("."))
      .findLast((path) => blocks.has(path));
    const name = around === undefined ? attribute : attribute.slice(around.length + 1);
    const inner: Entry[] = [];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a test checks every line of the tables
    const entry = { name, live, kind: kind as Kind, inner };
    (blocks.get(around ?? "") ?? top).push(entry);
    if (kind.startsWith("block")) blocks.set(attribute, inner);
  }
  return top;
}
