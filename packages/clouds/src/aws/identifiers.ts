import type { JsonObject } from "@leeway/shared/values/json";
import { oncePer } from "@leeway/shared/values/once";

import type { CatalogEntry } from "../catalog.ts";
import { canonicalId, parseArn } from "./arn.ts";
import { idSegments } from "./arn-forms.ts";
import { attributeText } from "./attributes.ts";
import { forms } from "./types.ts";

/**
 * Returns the values in a state that identify its resource, most reliable first: the ARN, the id, the joined segments
 * of the native id, and the attributes in the catalog's `ids`.
 */
export function identifiers(entry: CatalogEntry | undefined, attributes: JsonObject): string[] {
  const specs = entry && shapeOf(entry).specs;
  return (specs ?? UNKNOWN).flatMap((spec) => {
    const value = together(entry, attributes, spec);
    if (value === undefined) return [];
    return spec === ID ? idForms(entry, value) : [value];
  });
}

/**
 * Returns the native id, if it can be derived, and the identifier itself. The identifier may contain the segments in
 * another order, among others, or joined by slashes.
 */
export function idForms(entry: CatalogEntry | undefined, id: string): string[] {
  const shape = entry && shapeOf(entry);
  const native = shape && (id.includes("|") ? inOrder(shape, id) : unslashed(shape, id));
  return native === undefined ? [id] : [native, id];
}

/**
 * Returns the native id from a Cloud Control identifier with the same segments in another order; otherwise undefined.
 */
export function reordered(entry: CatalogEntry, id: string): string | undefined {
  const shape = shapeOf(entry);
  const isSame = shape.segments.length === id.split("|").length;
  return isSame ? inOrder(shape, id) : undefined;
}

/** Returns Cloud Control's identifier if its segments have another order than the native id. */
export function cloudControlId(entry: CatalogEntry, native: string): string | undefined {
  const { segments, orders } = shapeOf(entry);
  const parts = native.split("|");
  const order = orders.find(({ length }) => length === parts.length && length === segments.length);
  return order?.map((name) => parts[segments.indexOf(name)]).join("|");
}

/** Composition of a type's identifiers. */
interface Shape {
  /** Attributes with the segments of the native id, in the ARN's order. */
  segments: readonly string[];
  /** Attributes of identifiers that contain all segments in another order or among others, such as Cloud Control's. */
  orders: readonly (readonly string[])[];
  /** Attributes whose joined values identify the resource, most reliable first. */
  specs: readonly (readonly string[])[];
}

const ID = ["id"];
const UNKNOWN = [["arn"], ID];

const shapeOf = oncePer((entry: CatalogEntry): Shape => {
  const segments = idSegments(entry);
  const ids = entry.ids.map((spec) => spec.split("|"));
  const further = [segments, ...ids].filter((spec) => spec.length > 1 || (spec[0] ?? "id") !== "id");
  const orders = ids.filter(
    (spec) => spec.length > 1 && segments.length > 0 && segments.every((name) => spec.includes(name)),
  );
  return { segments, orders, specs: [...UNKNOWN, ...further] };
});

function inOrder({ segments, orders }: Shape, id: string): string | undefined {
  const parts = id.split("|");
  const order = orders.find(({ length }) => length === parts.length);
  if (order) return segments.map((name) => parts[order.indexOf(name)]).join("|");
  // Slashes in one segment of an ARN may be bars in CloudFormation: an event bus and the name of its rule.
  return segments.length === 1 && parseArn(id) === undefined ? parts.join("/") : undefined;
}

/** Returns the native id of segments joined by slashes, as CloudFormation and some services write them. */
function unslashed({ segments }: Shape, id: string): string | undefined {
  if (segments.length < 2 || parseArn(id) !== undefined) return undefined;
  const parts = id.split("/");
  return parts.length === segments.length && !parts.includes("") ? parts.join("|") : undefined;
}

/** Joins the values of attributes. Missing ones are taken from the ARN. */
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
  const place = (entry && shapeOf(entry).segments.indexOf(name)) ?? -1;
  const arn = place === -1 ? undefined : parseArn(canonicalId(attributeText(attributes, "arn") ?? ""));
  return entry && arn && forms.idOf(entry, arn)?.split("|")[place];
}
