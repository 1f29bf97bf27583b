import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { snakeCase } from "../src/names.ts";
import type { Argument, ResourceType } from "./schema.ts";

const CLASS = /^class (\w+) extends cdktf\.TerraformResource \{\n(.*?)^\}/gms;
const FUNCTION = /^function (\w+)ToHclTerraform\(struct\) \{\n(.*?)^\}/gms;
const ENTRY =
  /^\s+"?(\w+)"?: \{\n\s+value: (.*),\n\s+isBlock: \w+,\n\s+type: "(\w+)",\n\s+storageClassType: "(.*?)",/gm;
const KINDS: Readonly<Record<string, Argument["kind"]>> = {
  string: "text",
  number: "number",
  boolean: "switch",
};

const INTERFACE = /^export interface (\w+)(?: extends [\w.]+)? \{\n(.*?)^\}/gms;
const REQUIRED = /#\w+ \w+#(\w+)\}(?:(?!\*\/).)*?\*\/\n\s+readonly \w+: /gs;

/** Source of a type. */
interface Source {
  /** Bodies of the functions that write a block, by the block's name. */
  blocks: ReadonlyMap<string, string>;
  /** Required arguments, by the name of their interface. */
  required: ReadonlyMap<string, ReadonlySet<string>>;
}
/** Max depth of blocks; deeper ones are never compared. */
const DEEPEST = 6;

/**
 * Reads the arguments of a provider's resource types from the code that CDK for Terraform generates of its schema.
 * @param folder `lib` of the unpacked package
 */
export function terraformTypes(folder: string): Map<string, readonly Argument[]> {
  return new Map([...resourceTypes(folder)].map(([type, { args }]) => [type, args]));
}

/**
 * Reads a provider's resource types with all of their attributes.
 * @param folder `lib` of the unpacked package
 */
export function resourceTypes(folder: string): Map<string, ResourceType> {
  const types = readdirSync(folder, { withFileTypes: true })
    .filter((one) => one.isDirectory() && !/^data-(?:aws|azurerm|google)-/.test(one.name))
    .flatMap(({ name }) =>
      typesIn(sourceOf(join(folder, name), ".js"), sourceOf(join(folder, name), ".d.ts")),
    );
  return new Map(types.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function sourceOf(folder: string, end: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(end))
    .toSorted()
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
}

function typesIn(text: string, declarations: string): [string, ResourceType][] {
  const source = {
    blocks: new Map([...text.matchAll(FUNCTION)].map(([, name = "", body = ""]) => [name, body])),
    required: new Map(
      [...declarations.matchAll(INTERFACE)].map(([, name = "", body = ""]) => [
        name,
        new Set([...body.matchAll(REQUIRED)].map(([, one = ""]) => one)),
      ]),
    ),
  };
  return [...text.matchAll(CLASS)].flatMap(([, name = "", body = ""]): [string, ResourceType][] => {
    const type = /terraformResourceType: '(\w+)'/.exec(body)?.[1];
    const start = body.indexOf("synthesizeHclAttributes");
    if (type === undefined || start < 0) return [];
    const getters = [...body.matchAll(/^    get (\w+)\(\)/gm)].map(([, one = ""]) => snakeCase(one));
    const args = argumentsIn(body.slice(start), source, [`${name}Config`]);
    return [[type, { args, attributes: new Set(getters) }]];
  });
}

/** @param around interface of the arguments, after those of the blocks around it */
function argumentsIn(body: string, source: Source, around: readonly string[]): Argument[] {
  const required = source.required.get(around.at(-1) ?? "");
  return [...body.matchAll(ENTRY)].map(([, name = "", value = "", type = "", storage = ""]) => {
    const isRequired = required?.has(name) === true;
    const nested = [...value.matchAll(/\b(\w+)ToHclTerraform\b/g)].map(([, one = ""]) => one);
    const block = nested.find((one) => source.blocks.has(one));
    if (block !== undefined) {
      const inner = innerOf(block, source, around);
      return { name, ...formOf(value), inner, isRequired, isStruct: type === "struct" };
    }
    const isOfNumbers = storage.startsWith("number");
    return { name, kind: kindOf(storage), isMany: false, inner: [], isRequired, isOfNumbers };
  });
}

/** Returns the arguments of a block; none of one that is around itself. */
function innerOf(block: string, source: Source, around: readonly string[]): Argument[] {
  const own = block.charAt(0).toUpperCase() + block.slice(1);
  const isKnown = around.includes(own) || around.length > DEEPEST + 1;
  return isKnown ? [] : argumentsIn(source.blocks.get(block) ?? "", source, [...around, own]);
}

function formOf(value: string): Pick<Argument, "kind" | "isMany"> {
  // A map of blocks has keys that no schema knows.
  return { kind: value.includes("hashMapper") ? "map" : "block", isMany: value.includes("listMapper") };
}

function kindOf(storage: string): Argument["kind"] {
  if (/^(?:string|number|boolean)(?:List|Set)$/.test(storage)) return "texts";
  if (storage.endsWith("Map")) return "map";
  return KINDS[storage] ?? "any";
}
