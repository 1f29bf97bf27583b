import { isObject, type Json, type JsonObject } from "@leeway/shared/json";

import type { DeclaredResource } from "../../clouds/cloud.ts";
import { cloudOfType } from "../../clouds/clouds.ts";
import { memberOf } from "./live-path.ts";
import type { TypeMapping } from "./mapping.ts";
import { namesOf, snakeCase } from "./names.ts";
import { mapperOf } from "./tables.ts";
import { TAG_NAMES } from "./tags.ts";

type Declared = Pick<DeclaredResource, "type" | "attributes">;

/** A declared resource in the words of Terraform: of Pulumi's outputs those whose translation is sure. */
export function inTerraformWords({ type, attributes }: Declared): Declared {
  const terraformType = cloudOfType(type).bridgedType(type);
  return terraformType === undefined
    ? { type, attributes }
    : { type: terraformType, attributes: bridgedAttributes(terraformType, attributes) };
}

/**
 * Outputs have no schema: neither does a name tell how Terraform writes it, nor an object whether it is a map or the
 * only block of a list. So outputs are found by the names that the tables have, and of others only what is plain.
 */
function bridgedAttributes(type: string, outputs: JsonObject): JsonObject {
  const mapper = mapperOf(type);
  if (mapper === undefined) return {};
  return {
    ...(mapper.mirror && plainIn(outputs)),
    ...tagsIn(outputs),
    ...namedIn(outputs, mapper.rows),
  };
}

/** What isn't nested, where the API and so Pulumi has Terraform's names in camel case. */
function plainIn(outputs: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(outputs)
      .filter(([, output]) => ![output].flat().some(isObject))
      .map(([name, output]) => [snakeCase(name), output]),
  );
}

/** Maps, or texts in place of hidden ones; an autoscaling group's tags, a list, are others. */
function tagsIn(outputs: JsonObject): JsonObject {
  return Object.fromEntries(
    TAG_NAMES.flatMap((name) => {
      const output = memberOf(outputs, namesOf(name));
      return output === undefined || Array.isArray(output) ? [] : [[name, output]];
    }),
  );
}

function namedIn(outputs: JsonObject, rows: TypeMapping): JsonObject {
  const attributes: JsonObject = {};
  for (const row of Object.keys(rows)) {
    const [name = "", inner] = row.split(".");
    const output = outputOf(outputs, name, rows);
    const value = inner === undefined ? attributeOf(name, output) : innerOf(output, inner);
    if (value === undefined) continue;
    attributes[name] = inner === undefined ? value : [{ ...firstOf(attributes[name]), [inner]: value }];
  }
  return attributes;
}

/** Pulumi has a list's name in the plural, unless that is the name of something else. */
function outputOf(outputs: JsonObject, name: string, rows: TypeMapping): Json | undefined {
  const output = memberOf(outputs, namesOf(name));
  if (output !== undefined) return output;
  const plural = name.replace(/y$/, "ie").concat("s");
  const list = Object.hasOwn(rows, plural) ? undefined : memberOf(outputs, namesOf(plural));
  return Array.isArray(list) ? list : undefined;
}

function innerOf(output: Json | undefined, name: string): Json | undefined {
  return attributeOf(name, memberOf(firstOf(output), namesOf(name)));
}

/** The block that is the only one of its list, which Pulumi has without the list. */
function firstOf(value: Json | undefined): JsonObject | undefined {
  const [first] = [value].flat();
  return isObject(first) ? first : undefined;
}

/** What the objects are that tables name. */
const MAPS: ReadonlySet<string> = new Set(["labels", "metadata", "variables"]);
const BLOCKS: ReadonlySet<string> = new Set([
  "backup_configuration",
  "ip_configuration",
  "master_authorized_networks_config",
]);

/** An output as Terraform writes it; undefined for an object that may be a map as well as a block. */
function attributeOf(name: string, output: Json | undefined): Json | undefined {
  if (Array.isArray(output)) return output.map((item) => (isObject(item) ? blockOf(item) : item));
  if (!isObject(output) || MAPS.has(name)) return output;
  return BLOCKS.has(name) ? [blockOf(output)] : undefined;
}

function blockOf(output: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(output).flatMap(([key, inner]) => {
      const name = snakeCase(key);
      const value = attributeOf(name, inner);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
