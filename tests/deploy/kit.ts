import { isObject, type JsonObject } from "@leeway/shared/values/json";
import { type Variable } from "@leeway/shared/platform/config";
import { Glob } from "bun";
import { join } from "node:path";

import { read, ROOT } from "../docs/repository.ts";

export const SERVICES = [...new Glob("services/*/src/config.ts").scanSync(ROOT)]
  .map((path) => path.split("/")[1] ?? "")
  .toSorted();

/** Returns the environment variables that a service reads. */
export async function variablesOf(service: string): Promise<Record<string, Variable<unknown>>> {
  const { VARIABLES } = await import(join(ROOT, `services/${service}/src/config.ts`));
  return VARIABLES;
}

/** Returns the objects of a YAML text, one per document. */
export function yamlObjects(text: string): JsonObject[] {
  const parsed: unknown = Bun.YAML.parse(text);
  return (Array.isArray(parsed) ? parsed : [parsed]).filter(isObject);
}

/** Returns the first object of a YAML file. */
export async function yamlFile(path: string): Promise<JsonObject> {
  const [first = {}] = yamlObjects(await read(path));
  return first;
}

/** Returns the value at a path of names and indexes, or undefined. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (Array.isArray(inner)) return inner[Number(key)];
    return isObject(inner) ? inner[key] : undefined;
  }, value);
}

/** Returns the object at a path, or an empty one. */
export function objectAt(value: unknown, ...path: (string | number)[]): JsonObject {
  const found = at(value, ...path);
  return isObject(found) ? found : {};
}

/** Returns the scalar members of an object as texts, by name. */
export function textsOf(object: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}

/** Parses the `NAME=value` lines of an environment file. */
export function environment(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
}

/** Runs a script with `sh` at the repository's root and returns its output. */
export async function shell(script: string, args: string[] = [], env = {}): Promise<string> {
  const child = Bun.spawn(["sh", script, ...args], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"], ...env },
    stdout: "pipe",
    stderr: "ignore",
  });
  const said = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${script} failed`);
  return said;
}
