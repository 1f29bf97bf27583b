import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { cloudOfType } from "@leeway/clouds/clouds";

import { snakeCase } from "../src/names.ts";

const TYPE = /__pulumiType = '([^']+)'/;
const SECRETS = /additionalSecretOutputs: \[([^\]]*)\]/;

/**
 * Reads the attributes that a provider's schema marks as sensitive, by Terraform type.
 * @param folder the unpacked package of Pulumi's bridge to the provider, which carries the marks
 */
export function secretAttributes(folder: string): ReadonlyMap<string, ReadonlySet<string>> {
  const marked = filesIn(folder).flatMap((file): [string, ReadonlySet<string>][] => {
    const text = readFileSync(file, "utf8");
    const type = TYPE.exec(text)?.[1];
    const names = [...(SECRETS.exec(text)?.[1] ?? "").matchAll(/"(\w+)"/g)].map(([, name = ""]) =>
      snakeCase(name),
    );
    const terraform = type === undefined ? undefined : cloudOfType(type).bridgedType(type);
    return terraform === undefined || names.length === 0 ? [] : [[terraform, new Set(names)]];
  });
  return new Map(marked);
}

/** Returns the files of a provider package with one class each. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((one) => one.isDirectory() && !["types", "node_modules"].includes(one.name))
    .flatMap(({ name }) => readdirSync(join(folder, name)).map((file) => join(folder, name, file)))
    .filter((file) => file.endsWith(".js"));
}
