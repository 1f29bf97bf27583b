import type { JsonObject } from "@leeway/shared/json";

import type { CatalogEntry } from "../catalog.ts";
import { idSegments } from "./arn-forms.ts";
import { attributeText } from "./attributes.ts";
import { catalog } from "./types.ts";

/**
 * The values of a state that identify its resource, surest first: the ARN, the id, the segments of its native
 * id together, and what the catalog's `ids` name.
 */
export function identifiers(entry: CatalogEntry | undefined, attributes: JsonObject): string[] {
  const specs = (entry && SPECS.get(entry)) ?? UNKNOWN;
  return specs.map((spec) => together(attributes, spec)).filter((value) => value !== undefined);
}

const UNKNOWN = [["arn"], ["id"]];

const SPECS = new Map(
  catalog.entries.map((entry) => {
    const further = [idSegments(entry), ...entry.ids.map((spec) => spec.split("|"))];
    return [entry, [...UNKNOWN, ...further.filter((spec) => spec.length > 1 || (spec[0] ?? "id") !== "id")]];
  }),
);

/**
 * An identifier of several segments as Cloud Control writes it, of one that CloudFormation or a service joined by
 * slashes; undefined for every other identifier.
 */
export function compositeId(entry: CatalogEntry | undefined, id: string): string | undefined {
  const segments = entry && SEGMENTS.get(entry);
  if (segments === undefined || !id.includes("/")) return undefined;
  const parts = id.split("/");
  return parts.length === segments && !parts.includes("") ? parts.join("|") : undefined;
}

/** How many segments the native id has, where there are several. */
const SEGMENTS = new Map(
  catalog.entries.flatMap((entry) => {
    const { length } = idSegments(entry);
    return length > 1 ? [[entry, length]] : [];
  }),
);

function together(attributes: JsonObject, names: readonly string[]): string | undefined {
  const values = names.map((name) => attributeText(attributes, name));
  return values.includes(undefined) ? undefined : values.join("|");
}
