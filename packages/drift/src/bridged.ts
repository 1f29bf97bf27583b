import type { DeclaredResource } from "@leeway/clouds/cloud";
import { cloudOfType } from "@leeway/clouds/clouds";
import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import { memberOf } from "./live-path.ts";
import type { TypeMapping } from "./mapping.ts";
import { namesOf, snakeCase } from "./names.ts";
import { mapperOf } from "./tables.ts";
import { TAG_NAMES } from "./tags.ts";

type Declared = Pick<DeclaredResource, "type" | "attributes">;

/**
 * Converts a declared resource to Terraform's notation. For Pulumi, only outputs with a certain translation are kept.
 */
export function inTerraformWords({ type, attributes }: Declared): Declared {
  const terraformType = cloudOfType(type).bridgedType(type);
  return terraformType === undefined
    ? { type, attributes }
    : { type: terraformType, attributes: bridgedAttributes(terraformType, attributes) };
}

/**
 * Converts outputs, which have no schema: neither Terraform's name nor the kind of an object
 * is certain. An object may be a map or the only block of a list. Therefore outputs are
 * found by the names in the tables, and other outputs are kept only if they aren't nested.
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

/** Returns outputs that aren't nested, if the API and thus Pulumi use Terraform's names in camel case. */
function plainIn(outputs: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(outputs)
      .filter(([, output]) => ![output].flat().some(isObject))
      .map(([name, output]) => [snakeCase(name), output]),
  );
}

/** Returns the tags: maps, or texts if they are hidden. Lists are skipped: an autoscaling group's tags differ. */
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

/** Returns an output by name. Pulumi uses a list's plural, unless that is another attribute's name. */
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

/** Returns the only block of a list, which Pulumi writes without the list. */
function firstOf(value: Json | undefined): JsonObject | undefined {
  const [first] = [value].flat();
  return isObject(first) ? first : undefined;
}

/** Objects in the tables that are maps. */
const MAPS: ReadonlySet<string> = new Set(["labels", "metadata", "variables"]);
const BLOCKS: ReadonlySet<string> = new Set([
  "backup_configuration",
  "ip_configuration",
  "master_authorized_networks_config",
]);

/** Returns an output as Terraform writes it; undefined for an object that may be a map or a block. */
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
