import { isObject, member, members, text, type JsonObject } from "@leeway/shared/values/json";

import { tagsOf } from "./drift-subject.ts";
import type { DeclaredFacts, ResourceFacts } from "./subject.ts";

/** A resource according to a plan. */
export interface PlannedFacts {
  resource: Partial<ResourceFacts>;
  declared: Partial<DeclaredFacts>;
}

/** Returns what a masked plan says about its resources, by address. */
export function planFacts(plan: JsonObject): Map<string, PlannedFacts> {
  const facts = new Map<string, PlannedFacts>();
  for (const change of members(plan, "resource_changes")) {
    const address = text(change, "address");
    if (address !== undefined) facts.set(address, factsOf(change, address));
  }
  return facts;
}

function factsOf(change: JsonObject, address: string): PlannedFacts {
  const sides = member(change, "change");
  const attributes = [sides?.["after"], sides?.["before"]].find(isObject);
  return {
    resource: {
      provider: providerOf(text(change, "provider_name") ?? ""),
      region: text(attributes, "region") ?? text(attributes, "location") ?? "",
      name: text(attributes, "name") ?? text(change, "name") ?? "",
      id: text(attributes, "id") ?? "",
      tags: tagsOf(attributes),
    },
    declared: { address, module: text(change, "module_address") ?? "" },
  };
}

/** Clouds of providers whose names differ from the cloud's. */
const CLOUDS: ReadonlyMap<string, string> = new Map([
  ["google", "gcp"],
  ["google-beta", "gcp"],
  ["azurerm", "azure"],
  ["azuread", "azure"],
  ["azapi", "azure"],
]);

/** Returns the name of a provider's cloud, such as `gcp` for `registry.terraform.io/hashicorp/google`. */
export function providerOf(source: string): string {
  const name = source.split("/").at(-1) ?? "";
  return CLOUDS.get(name) ?? name;
}
