import { isObject, type Json, type JsonObject } from "@leeway/shared/json";

const PACKAGES: Readonly<Record<string, string>> = {
  aws: "aws:x/x:",
  google: "gcp:/x:",
  azurerm: "azure:x/x:",
};

/** A Pulumi type for a Terraform type; in earnest it would name its module too. */
export function pulumiType(type: string): string {
  const [prefix = "", ...name] = type.split("_");
  return `${PACKAGES[prefix] ?? `${prefix}:x/x:`}${name.join("")}`;
}

/**
 * A state's attributes as Pulumi's outputs. Without a schema nobody can say which lists hold at most one block, so
 * either all lists of one are `flat`, or none is, and their names are in the plural.
 */
export function pulumiOutputs(attributes: JsonObject, { flat }: { flat: boolean }): JsonObject {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => {
      const isFlat = flat && Array.isArray(value) && value.length < 2 && !name.endsWith("s");
      const camel = name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
      if (isFlat) return [camel, outputOf(value[0] ?? null, flat)];
      const plural =
        Array.isArray(value) && !name.endsWith("s") ? camel.replace(/y$/, "ie").concat("s") : camel;
      return [plural, Array.isArray(value) ? value.map((item) => outputOf(item, flat)) : value];
    }),
  );
}

function outputOf(item: Json, flat: boolean): Json {
  return isObject(item) ? pulumiOutputs(item, { flat }) : item;
}
