import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

/** Returns a state's attribute by its Terraform name; Pulumi writes it in camel case. */
export function attribute(attributes: JsonObject, name: string): Json | undefined {
  return attributes[name] ?? attributes[camelCase(name)];
}

/** Returns the attribute as text; undefined if it is absent, empty or not a scalar. */
export function attributeText(attributes: JsonObject, name: string): string | undefined {
  const value = attribute(attributes, name);
  if (typeof value === "string") return value === "" ? undefined : value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

/** Returns the strings of a list attribute, with their paths. */
export function attributeTexts(attributes: JsonObject, name: string): { path: string; value: string }[] {
  const value = attribute(attributes, name);
  if (!Array.isArray(value)) return [];
  return value.flatMap((item, index) =>
    typeof item === "string" && item !== "" ? { path: `${name}[${index}]`, value: item } : [],
  );
}

/** Returns the blocks with a name, with their paths. Pulumi uses the plural, or an object for a single block. */
export function blocks(attributes: JsonObject, name: string): { path: string; block: JsonObject }[] {
  const value = attribute(attributes, name) ?? attribute(attributes, name.replace(/y$/, "ie").concat("s"));
  if (isObject(value)) return [{ path: name, block: value }];
  if (!Array.isArray(value)) return [];
  return value.flatMap((block, index) => (isObject(block) ? { path: `${name}[${index}]`, block } : []));
}

const camelNames = new Map<string, string>();

function camelCase(name: string): string {
  let camel = camelNames.get(name);
  if (camel === undefined) {
    camel = name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    camelNames.set(name, camel);
  }
  return camel;
}
