import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { AZURE_CLASSES, AZURE_MODULES } from "./azure-classes.ts";
import type { Member, Resource } from "./schema.ts";
import { lateObject } from "./typescript-types.ts";
import { singular } from "./words.ts";

const NAMESPACE = /^export declare namespace (\w+) \{\n(.*?)^\}/gms;
const INTERFACE = /^ {4}interface (\w+) \{\n(.*?)^ {4}\}/gms;
const CLASS = /^export declare class (\w+) extends pulumi\.CustomResource \{\n(.*?)^\}/gms;
const FIELD = /^ {4}readonly (\w+): (pulumi\.Output<.*?>);$/gms;

/** Members that every resource has beside `properties` and that no attribute sets: `type` is the resource's own type. */
const OWN: ReadonlySet<string> = new Set(["id", "name", "type", "systemData", "etag"]);
/** Other members that Azure has beside `properties`. */
const ENVELOPE: ReadonlySet<string> = new Set(
  "location tags sku identity zones kind plan managedBy extendedLocation".split(" "),
);

/**
 * Reads the resource types of Azure Resource Manager. Paths of members beside `properties` start with a slash.
 * @param folder the unpacked package of Pulumi's provider that mirrors the API
 */
export function azureTypes(folder: string): (type: string) => Resource | undefined {
  const types = outputTypes(readFileSync(join(folder, "types", "output.d.ts"), "utf8"));
  const classes = new Map(
    readdirSync(folder, { withFileTypes: true })
      .filter((one) => one.isDirectory() && !["types", "node_modules"].includes(one.name))
      .flatMap(({ name }) => classesIn(folder, name))
      .map(([name, body]) => [
        name.toLowerCase(),
        lateObject(body, (one) => types.get(one.replace("outputs.", ""))),
      ]),
  );
  return (type) => {
    const found = namesOf(type).map((name) => classes.get(name.toLowerCase()));
    const own = found.find((one) => one !== undefined);
    return own && { kind: "object", members: () => withSlashes(own.members()) };
  };
}

function outputTypes(text: string): ReadonlyMap<string, Member> {
  const types = new Map<string, Member>();
  for (const [, space = "", body = ""] of text.matchAll(NAMESPACE)) {
    for (const [, name = "", inner = ""] of body.matchAll(INTERFACE)) {
      types.set(
        `${space}.${name}`,
        lateObject(inner, (one) => types.get(one.replace("outputs.", ""))),
      );
    }
  }
  return types;
}

function classesIn(folder: string, module: string): [string, string][] {
  return readdirSync(join(folder, module))
    .filter((name) => name.endsWith(".d.ts"))
    .flatMap((name) => [...readFileSync(join(folder, module, name), "utf8").matchAll(CLASS)])
    .map(([, name = "", body = ""]) => [
      `${module}:${name}`,
      [...body.matchAll(FIELD)].map(([, field = "", type = ""]) => `${field}: ${type};`).join("\n"),
    ]);
}

/** Returns the members as paths name them. Some classes have `properties` as a member, others its members. */
function withSlashes(members: ReadonlyMap<string, Member>): ReadonlyMap<string, Member> {
  const { properties, ...others } = Object.fromEntries(members);
  const own = Object.entries(others).filter(([name]) => !OWN.has(name));
  const all = [...own, ...(properties?.members?.() ?? [])];
  return new Map(
    all.map(([name, member]) => [name in others && ENVELOPE.has(name) ? `/${name}` : name, member]),
  );
}

/** Returns the possible names of a type's class: the namespace is the module, and the steps are in singular. */
function namesOf(type: string): string[] {
  const known = AZURE_CLASSES.get(type.toLowerCase());
  if (known) return [known];
  const [space = "", ...steps] = type.toLowerCase().split("/");
  const names = steps.map(singular);
  const last = names.at(-1) ?? "";
  const modules = [space.replace(/^[^.]*\./, ""), ...(AZURE_MODULES.get(space) ?? [])];
  return modules.flatMap((module) =>
    [last, names.join(""), names.slice(-2).join(""), steps.at(-1) ?? ""].map((name) => `${module}:${name}`),
  );
}
