import type { Json, JsonObject } from "@leeway/shared/values/json";
import { once } from "@leeway/shared/values/once";

import type { Catalog } from "./catalog.ts";

const PULUMI = /^([\w-]+):([\w.-]+)\/\w+:(\w+)$/;

/**
 * Returns a function that finds the Terraform type of a type in Pulumi packages bridged from Terraform providers.
 * `azure:keyvault/secret:Secret` is `azurerm_key_vault_secret`. Other types are returned unchanged.
 * @param packages the provider's Terraform prefix by Pulumi package, if they differ
 * @param modules the part of a Terraform type by Pulumi module, without underscores, if they differ
 */
export function terraformTypeFinder(
  catalog: Catalog,
  packages: ReadonlyMap<string, string> = new Map(),
  modules: ReadonlyMap<string, string> = new Map(),
): (type: string) => string {
  const bySquashedName = once(
    () =>
      new Map(
        catalog.entries.flatMap(({ terraform }) => terraform).map((type) => [type.replaceAll("_", ""), type]),
      ),
  );
  return (type) => {
    const [, source = "", module = "", written = ""] = PULUMI.exec(type) ?? [];
    const prefix = packages.get(source) ?? source;
    const name = written.toLowerCase();
    const candidates = [module.toLowerCase() + name, (modules.get(module) ?? "") + name, name];
    return (
      candidates
        .map((candidate) => bySquashedName().get(prefix + candidate))
        .find((found) => found !== undefined) ??
      bySquashedName().get(name) ??
      type
    );
  };
}

/** Returns an attribute by its Terraform name; Pulumi writes it in camel case. */
export function attribute(attributes: JsonObject, name: string): Json | undefined {
  return (
    attributes[name] ?? attributes[name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())]
  );
}
