import { isObject, type Json, type JsonObject } from "@leeway/shared/json";

/** An attribute of a state under its Terraform name; Pulumi spells it in camel case. */
export function attribute(attributes: JsonObject, name: string): Json | undefined {
  return attributes[name] ?? attributes[camelCase(name)];
}

/** The attribute as text; undefined when it is absent, empty or not a scalar. */
export function attributeText(attributes: JsonObject, name: string): string | undefined {
  const value = attribute(attributes, name);
  if (typeof value === "string") return value === "" ? undefined : value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

/** The strings of a list attribute, with their path. */
export function attributeTexts(attributes: JsonObject, name: string): { path: string; value: string }[] {
  const value = attribute(attributes, name);
  if (!Array.isArray(value)) return [];
  return value.flatMap((item, index) =>
    typeof item === "string" && item !== "" ? { path: `${name}[${index}]`, value: item } : [],
  );
}

/** The blocks of one name, with their path. Pulumi puts the name in the plural, or has one block as an object. */
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
