import type { Json, JsonObject } from "@leeway/shared/json";

import type { Catalog } from "./catalog.ts";

const PULUMI = /^([\w-]+):([\w.-]+)\/\w+:(\w+)$/;

/**
 * Finds the Terraform type behind a type of those Pulumi packages that are Terraform providers under other
 * names: `azure:keyvault/secret:Secret` is `azurerm_key_vault_secret`. Any other type is given back as it is.
 * @param packages the provider's Terraform prefix by Pulumi's package, where they differ
 * @param modules the part of a Terraform type by Pulumi's module, where they differ; underscores left out
 */
export function terraformTypeFinder(
  catalog: Catalog,
  packages: ReadonlyMap<string, string> = new Map(),
  modules: ReadonlyMap<string, string> = new Map(),
): (type: string) => string {
  const bySquashedName = new Map(
    catalog.entries.flatMap(({ terraform }) => terraform).map((type) => [type.replaceAll("_", ""), type]),
  );
  return (type) => {
    const [, source = "", module = "", written = ""] = PULUMI.exec(type) ?? [];
    const prefix = packages.get(source) ?? source;
    const name = written.toLowerCase();
    const candidates = [module.toLowerCase() + name, (modules.get(module) ?? "") + name, name];
    return (
      candidates
        .map((candidate) => bySquashedName.get(prefix + candidate))
        .find((found) => found !== undefined) ??
      bySquashedName.get(name) ??
      type
    );
  };
}

/** The attribute of that Terraform name; Pulumi writes the same one in camel case. */
export function attribute(attributes: JsonObject, name: string): Json | undefined {
  return (
    attributes[name] ?? attributes[name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())]
  );
}
