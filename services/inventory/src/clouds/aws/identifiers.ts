import type { JsonObject } from "@leeway/shared/json";

import type { CatalogEntry } from "../catalog.ts";
import { canonicalId, parseArn } from "./arn.ts";
import { idSegments } from "./arn-forms.ts";
import { attributeText } from "./attributes.ts";
import { catalog, forms } from "./types.ts";

/**
 * The values of a state that identify its resource, surest first: the ARN, the id, the segments of its native
 * id together, and what the catalog's `ids` name.
 */
export function identifiers(entry: CatalogEntry | undefined, attributes: JsonObject): string[] {
  const specs = entry && SHAPES.get(entry)?.specs;
  return (specs ?? UNKNOWN).flatMap((spec) => {
    const value = together(entry, attributes, spec);
    if (value === undefined) return [];
    return spec === ID ? idForms(entry, value) : [value];
  });
}

/** An identifier, and before it the native id that it holds in another order, beside more, or joined by slashes. */
export function idForms(entry: CatalogEntry | undefined, id: string): string[] {
  const shape = entry && SHAPES.get(entry);
  const native = shape && (id.includes("|") ? inOrder(shape, id) : unslashed(shape, id));
  return native === undefined ? [id] : [native, id];
}

/** The native id in one of Cloud Control's that has the same segments in another order; undefined for every other. */
export function reordered(entry: CatalogEntry, id: string): string | undefined {
  const shape = SHAPES.get(entry);
  const isSame = shape?.segments.length === id.split("|").length;
  return isSame ? inOrder(shape, id) : undefined;
}

/** The native id as Cloud Control has it, where that is in another order. */
export function cloudControlId(entry: CatalogEntry, native: string): string | undefined {
  const { segments = [], orders = [] } = SHAPES.get(entry) ?? {};
  const parts = native.split("|");
  const order = orders.find(({ length }) => length === parts.length && length === segments.length);
  return order?.map((name) => parts[segments.indexOf(name)]).join("|");
}

/** How a type's identifiers are put together. */
interface Shape {
  /** The attributes with the segments of the native id, as the ARN has them. */
  segments: readonly string[];
  /** Those of identifiers that have all segments in another order or beside more, Cloud Control's among them. */
  orders: readonly (readonly string[])[];
  /** The attributes whose values together identify, surest first. */
  specs: readonly (readonly string[])[];
}

const ID = ["id"];
const UNKNOWN = [["arn"], ID];

const SHAPES = new Map(
  catalog.entries.map((entry): [CatalogEntry, Shape] => {
    const segments = idSegments(entry);
    const ids = entry.ids.map((spec) => spec.split("|"));
    const further = [segments, ...ids].filter((spec) => spec.length > 1 || (spec[0] ?? "id") !== "id");
    const orders = ids.filter(
      (spec) => spec.length > 1 && segments.length > 0 && segments.every((name) => spec.includes(name)),
    );
    return [entry, { segments, orders, specs: [...UNKNOWN, ...further] }];
  }),
);

function inOrder({ segments, orders }: Shape, id: string): string | undefined {
  const parts = id.split("|");
  const order = orders.find(({ length }) => length === parts.length);
  if (order) return segments.map((name) => parts[order.indexOf(name)]).join("|");
  // What is one segment of an ARN may have slashes where CloudFormation has bars: a bus and the name of its rule.
  return segments.length === 1 && parseArn(id) === undefined ? parts.join("/") : undefined;
}

/** As CloudFormation or a service join it. */
function unslashed({ segments }: Shape, id: string): string | undefined {
  if (segments.length < 2 || parseArn(id) !== undefined) return undefined;
  const parts = id.split("/");
  return parts.length === segments.length && !parts.includes("") ? parts.join("|") : undefined;
}

/** What the state has no attribute for may be in its ARN. */
function together(
  entry: CatalogEntry | undefined,
  attributes: JsonObject,
  names: readonly string[],
): string | undefined {
  const values = names.map(
    (name) =>
      attributeText(attributes, name) ?? (names.length > 1 ? inArn(entry, attributes, name) : undefined),
  );
  return values.includes(undefined) ? undefined : values.join("|");
}

function inArn(entry: CatalogEntry | undefined, attributes: JsonObject, name: string): string | undefined {
  const place = (entry && SHAPES.get(entry)?.segments.indexOf(name)) ?? -1;
  const arn = place === -1 ? undefined : parseArn(canonicalId(attributeText(attributes, "arn") ?? ""));
  return entry && arn && forms.idOf(entry, arn)?.split("|")[place];
}
