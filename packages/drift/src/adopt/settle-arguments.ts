import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import { compareResource } from "../compare-resource.ts";
import type { Argument } from "./arguments.ts";
import type { LiveToAdopt } from "./live.ts";
import { unreadOf } from "./offered-types.ts";

/** An argument that isn't written, with the reason. */
export interface Omitted {
  attribute: string;
  reason: string;
}

/** The arguments to write. */
export interface SettledArguments {
  attributes: JsonObject;
  omitted: Omitted[];
  /** Required arguments that nothing shows. */
  missing: string[];
}

/**
 * Decides which arguments are written: only those that the comparison with the cloud confirms, one of several that can't
 * be set together, and only blocks whose required arguments are known.
 */
export function settleArguments(
  type: string,
  args: readonly Argument[],
  read: JsonObject,
  live: LiveToAdopt,
): SettledArguments {
  const omitted: Omitted[] = [];
  const confirmed = confirmedIn(type, read, live);
  for (const { name } of args) {
    if (read[name] === undefined || confirmed[name] !== undefined) continue;
    omitted.push({ attribute: name, reason: "the listing's value can't be converted with certainty" });
  }
  const attributes = completeBlock(args, confirmed, "", omitted);
  if (live.providerType !== type) omitted.push(...unseenIn(type, attributes));
  return { attributes, omitted, missing: missingIn(args, attributes, omitted) };
}

/** Returns attributes that no listing shows, at the top and inside written blocks. */
function unseenIn(type: string, attributes: JsonObject): Omitted[] {
  return unreadOf(type).flatMap((attribute) => {
    const [first = "", ...inner] = attribute.split(".");
    const isWritten = attributes[first] !== undefined;
    return (inner.length === 0) === isWritten ? [] : [{ attribute, reason: "listings don't show it" }];
  });
}

/** Returns the attributes that the comparison with the cloud calls equal. */
function confirmedIn(type: string, read: JsonObject, live: LiveToAdopt): JsonObject {
  const { properties = {}, tags } = live;
  // A listing with Terraform's attributes has the provider's own values.
  if (live.providerType === type) return read;
  const side = { properties, ...(tags && { tags }) };
  const { changes } = compareResource({ type, address: "adopted", declared: read, live: side });
  const wrong = new Set(changes.map(({ path }) => String(path[0])));
  return Object.fromEntries(Object.entries(read).filter(([name]) => !wrong.has(name) || TAGS.has(name)));
}

/** Tags, which are compared with all that the cloud shows. */
const TAGS: ReadonlySet<string> = new Set(["tags", "labels", "user_labels", "resource_labels"]);

/** Returns a block without arguments that conflict, and without inner blocks that lack a required argument. */
function completeBlock(
  args: readonly Argument[],
  block: JsonObject,
  path: string,
  omitted: Omitted[],
): JsonObject {
  const kept: JsonObject = {};
  for (const argument of args) {
    const value = block[argument.name];
    if (value === undefined) continue;
    const attribute = path + argument.name;
    const conflict = args.find((other) => kept[other.name] !== undefined && areOpposed(argument, other));
    if (conflict) omitted.push({ attribute, reason: `can't be set together with ${conflict.name}` });
    else {
      const whole = argument.inner.length > 0 ? completeBlocks(argument, value, attribute, omitted) : value;
      if (whole !== undefined) kept[argument.name] = whole;
    }
  }
  return kept;
}

function areOpposed(one: Argument, other: Argument): boolean {
  return one.conflicts.includes(other.name) || other.conflicts.includes(one.name);
}

function completeBlocks(
  { inner, isRequired }: Argument,
  value: Json,
  path: string,
  omitted: Omitted[],
): Json | undefined {
  const blocks = [value]
    .flat()
    .filter(isObject)
    .map((block) => completeBlock(inner, block, `${path}.`, omitted));
  const missing = inner.find(
    (one) => one.isRequired && blocks.some((block) => block[one.name] === undefined),
  );
  if (missing === undefined || isRequired) return blocks;
  omitted.push({ attribute: path, reason: `the listing doesn't show its ${missing.name}` });
  return undefined;
}

function missingIn(
  args: readonly Argument[],
  attributes: JsonObject,
  omitted: Omitted[],
  path = "",
): string[] {
  return args.flatMap((one) => {
    const attribute = path + one.name;
    const reason = whyMissing(one, attributes);
    if (reason !== undefined) {
      // Each of several alternatives has the same reason.
      if (omitted.some((other) => other.reason === reason && reason !== REQUIRED)) return [];
      omitted.push({ attribute, reason });
      return [attribute];
    }
    const blocks = one.inner.length === 0 ? [] : [attributes[one.name] ?? []].flat().filter(isObject);
    return blocks.flatMap((block) => missingIn(one.inner, block, omitted, `${attribute}.`));
  });
}

const REQUIRED = "required, but the listing doesn't show it";

/** Returns why an argument is missing that code needs; undefined if it isn't. */
function whyMissing(
  { name, choices, isRequired, isSecret }: Argument,
  attributes: JsonObject,
): string | undefined {
  const all = [name, ...choices];
  if (all.some((one) => attributes[one] !== undefined)) return undefined;
  // A secret becomes a variable.
  if (isRequired) return isSecret ? undefined : REQUIRED;
  if (choices.length === 0) return undefined;
  return `one of ${all.toSorted().join(", ")} is required, but the listing shows none`;
}
