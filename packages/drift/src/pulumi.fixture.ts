import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

const PACKAGES: Readonly<Record<string, string>> = {
  aws: "aws:x/x:",
  google: "gcp:/x:",
  azurerm: "azure:x/x:",
};

/** Returns a Pulumi type for a Terraform type; real ones also contain the module. */
export function pulumiType(type: string): string {
  const [prefix = "", ...name] = type.split("_");
  return `${PACKAGES[prefix] ?? `${prefix}:x/x:`}${name.join("")}`;
}

/**
 * Converts a state's attributes to Pulumi's outputs. Without a schema, it is unknown which lists have at most one
 * block. Either all lists of one are `flat`, or none is and their names are plural.
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
