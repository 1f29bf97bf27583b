import { isObject, type JsonObject } from "@leeway/shared/json";
import { type Variable } from "@leeway/shared/config";
import { Glob } from "bun";
import { join } from "node:path";

import { read, ROOT } from "../docs/repository.ts";

export const SERVICES = [...new Glob("services/*/src/config.ts").scanSync(ROOT)]
  .map((path) => path.split("/")[1] ?? "")
  .toSorted();

/** What a service reads from its environment. */
export async function variablesOf(service: string): Promise<Record<string, Variable<unknown>>> {
  const { VARIABLES } = await import(join(ROOT, `services/${service}/src/config.ts`));
  return VARIABLES;
}

/** The objects of a YAML text, one a document. */
export function yamlObjects(text: string): JsonObject[] {
  const parsed: unknown = Bun.YAML.parse(text);
  return (Array.isArray(parsed) ? parsed : [parsed]).filter(isObject);
}

/** The one object of a YAML file. */
export async function yamlFile(path: string): Promise<JsonObject> {
  const [first = {}] = yamlObjects(await read(path));
  return first;
}

/** What lies at the end of a path of names and indexes; undefined where there is nothing. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (Array.isArray(inner)) return inner[Number(key)];
    return isObject(inner) ? inner[key] : undefined;
  }, value);
}

/** The object at the end of a path; empty where there is none. */
export function objectAt(value: unknown, ...path: (string | number)[]): JsonObject {
  const found = at(value, ...path);
  return isObject(found) ? found : {};
}

/** The scalars of an object as text, by name. */
export function textsOf(object: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}

/** `NAME=value` lines of an environment file. */
export function environment(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
}

/** Runs a script with `sh` at the repository's root and gives what it said. */
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
