import { importIdOf, type ImportId } from "@leeway/clouds/imports/import-id";
import { put, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import { mirroredMember } from "../live-path.ts";
import { argumentsOf, type Argument } from "./arguments.ts";
import type { LiveToAdopt } from "./live.ts";
import { parentArguments } from "./parents.ts";
import { readAttributes, settable } from "./read-attributes.ts";

/** A live resource under Terraform's names. */
export interface ReadResource {
  type: string;
  importId: ImportId;
  attributes: JsonObject;
}

/** Reads a live resource as one of a Terraform type; undefined if its import id isn't known. */
export function readResource(live: LiveToAdopt, type: string): ReadResource | undefined {
  const args = argumentsOf(type);
  const { properties = {} } = live;
  const isOwn = live.providerType === type;
  const attributes = isOwn ? settable(args, properties) : readAttributes(type, args, properties);
  const known = isOwn ? properties : attributes;
  const importId = importIdOf({
    ...live,
    type,
    attribute: (name) => text(known, name) ?? mirroredText(live, name),
  });
  if (importId === undefined) return undefined;
  for (const [name, value] of isOwn ? [] : placesOf(live, args, importId)) {
    if (attributes[name] === undefined || name === "name") put(attributes, name, value);
  }
  return { type, importId, attributes };
}

function mirroredText({ properties = {}, cloud }: LiveToAdopt, name: string): string | undefined {
  const value = cloud.provider === "azure" ? undefined : mirroredMember(properties, name);
  return typeof value === "string" ? value : undefined;
}

/** Returns the arguments that say where a resource is and how it is called. */
function placesOf(live: LiveToAdopt, args: readonly Argument[], { parts }: ImportId): [string, Json][] {
  const names = new Map(args.map((one) => [one.name, one]));
  const { provider } = live.cloud;
  const found: [string, Json | undefined][] = [
    ...(provider === "aws" ? [["name", live.name] as [string, Json | undefined]] : []),
    ...[...parts].filter(([name]) => name !== "region" || provider !== "aws"),
    ["project", provider === "gcp" ? (parts.get("project") ?? live.account) : undefined],
    ["account_id", provider === "gcp" ? parts.get("email")?.split("@", 1)[0] : undefined],
    ...tagsOf(live),
    ...(provider === "azure" ? azurePlaces(live, args) : []),
  ];
  return found.flatMap(([name, value]) => {
    const argument = names.get(name);
    if (argument === undefined || value === undefined || value === "") return [];
    // A name in a listing can be a tag.
    return name === "name" && provider === "aws" && !parts.has("name") && !isNamed(live, value)
      ? []
      : [[name, value] as [string, Json]];
  });
}

function isNamed(live: LiveToAdopt, value: Json): boolean {
  return mirroredText(live, "name") === value;
}

/** Tags that clouds and their services set. */
const FOREIGN = /^(?:aws:|goog-|hidden-)|^[\w.-]*\.googleapis\.com\//;
const TAG_ARGUMENTS = ["tags", "labels", "user_labels", "resource_labels"];

function tagsOf({ tags = {}, cloud }: LiveToAdopt): [string, Json][] {
  const own = Object.entries(tags).filter(([key]) => cloud.provider === "azure" || !FOREIGN.test(key));
  if (own.length === 0) return [];
  const names = cloud.provider === "gcp" ? TAG_ARGUMENTS.slice(1) : ["tags"];
  return names.map((name) => [name, Object.fromEntries(own)]);
}

function azurePlaces(live: LiveToAdopt, args: readonly Argument[]): [string, Json | undefined][] {
  const location = text(live.properties, "location") ?? live.region;
  return [
    ["location", location?.toLowerCase().replaceAll(" ", "")],
    ...parentArguments(live.providerResourceId, args),
  ];
}
