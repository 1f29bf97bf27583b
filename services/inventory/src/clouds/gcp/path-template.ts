import { isObject, type Json, type JsonObject } from "@leeway/shared/json";

import type { CatalogEntry } from "../catalog.ts";
import { isPath, lastSegment, parseName } from "./resource-name.ts";

/** A path of the catalog taken apart: literal texts, and between them the attributes whose values go there. */
interface Template {
  literals: readonly string[];
  attributes: readonly string[];
}

const CHILD_OF_PROJECT =
  /^projects\/\{\w+\}\/(?:global\/|(?:zones|regions|locations)\/[\w{}]+\/)?\w+\/\{\w+\}$/;

/**
 * A function that gives the path of a resource of this type from its attributes (or from an identity object,
 * which holds the same ones); undefined when it lacks one of them.
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

/** Whether things of this type lie right in a project or one of its locations, so that a name tells them apart. */
export function isChildOfProject({ path }: CatalogEntry): boolean {
  return path !== undefined && path.split(",").every((one) => CHILD_OF_PROJECT.test(one));
}

/** The attribute's value as text, under Terraform's name for it or under Pulumi's. */
export function attribute(attributes: JsonObject, name: string): string | undefined {
  return textOf(attributes[name]) ?? textOf(attributes[camelCased(name)]);
}

/** The blocks with this name; Pulumi puts lists in the plural, and writes what there can be one of without a list. */
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

/** A parent is given by its path or by a URL. */
function wholePath(value: string): string {
  return parseName(value)?.path ?? value;
}

/** Old states hold URLs where today's hold names. */
function ownName(value: string): string {
  return value.startsWith("https://") || isPath(value) ? lastSegment(value) : value;
}
