import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import type { CatalogEntry } from "../catalog.ts";
import { isPath, lastSegment, parseName } from "./resource-name.ts";

/** A parsed catalog path: literal texts, and between them the attributes whose values belong there. */
interface Template {
  literals: readonly string[];
  attributes: readonly string[];
}

const CHILD_OF_PROJECT =
  /^projects\/\{\w+\}\/(?:global\/|(?:zones|regions|locations)\/[\w{}]+\/)?\w+\/\{\w+\}$/;

/**
 * Returns a function that builds the path of a resource from its
 * attributes or identity object; undefined if one is missing.
 */
export function pathBuilder({ path }: CatalogEntry): (attributes: JsonObject) => string | undefined {
  const templates = path?.split(",").map(parseTemplate) ?? [];
  return (attributes) => {
    for (const template of templates) {
      const filled = fill(template, attributes);
      if (filled !== undefined) return filled;
    }
    return undefined;
  };
}

/**
 * Reports whether resources of this type are direct children of a project or location, so that their names are unique.
 */
export function isChildOfProject({ path }: CatalogEntry): boolean {
  return path !== undefined && path.split(",").every((one) => CHILD_OF_PROJECT.test(one));
}

/** Returns the attribute as text, by its Terraform or Pulumi name. */
export function attribute(attributes: JsonObject, name: string): string | undefined {
  return textOf(attributes[name]) ?? textOf(attributes[camelCased(name)]);
}

/** Returns the blocks with this name. Pulumi uses the plural for lists, and writes single blocks without a list. */
export function blocks(attributes: JsonObject, name: string): JsonObject[] {
  const camel = camelCased(name);
  const value = attributes[name] ?? attributes[camel] ?? attributes[`${camel}s`];
  return (Array.isArray(value) ? value : [value]).filter(isObject);
}

function textOf(value: Json | undefined): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  return typeof value === "number" ? String(value) : undefined;
}

function camelCased(name: string): string {
  return name.includes("_") ? name.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase()) : name;
}

function parseTemplate(path: string): Template {
  const parts = path.split(/[{}]/);
  return {
    literals: parts.filter((_, index) => index % 2 === 0),
    attributes: parts.filter((_, index) => index % 2 === 1),
  };
}

function fill({ literals, attributes: names }: Template, attributes: JsonObject): string | undefined {
  let path = literals[0] ?? "";
  for (const [index, name] of names.entries()) {
    const value = attribute(attributes, name);
    if (value === undefined) return undefined;
    path += (path === "" ? wholePath(value) : ownName(value)) + (literals[index + 1] ?? "");
  }
  return path;
}

/** Returns the path of a parent, which may be given as a URL. */
function wholePath(value: string): string {
  return parseName(value)?.path ?? value;
}

/** Returns the last segment. Old states contain URLs instead of names. */
function ownName(value: string): string {
  return value.startsWith("https://") || isPath(value) ? lastSegment(value) : value;
}
