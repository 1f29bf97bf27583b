import { plainName } from "../names.ts";
import type { Argument } from "./arguments.ts";

/**
 * Returns the arguments that name the resources around an Azure resource: `server_id` and `server_name` of a database in
 * `servers`. An argument counts only if its name is that of one kind of resource around.
 */
export function parentArguments(id: string, args: readonly Argument[]): [string, string][] {
  const steps = id.split("/");
  const provider = steps.lastIndexOf("providers");
  if (provider < 0) return [];
  const parents = new Map<string, { id: string; name: string }>();
  for (let index = provider + 2; index + 3 < steps.length; index += 2) {
    parents.set(plainName(singular(steps[index] ?? "")), {
      id: steps.slice(0, index + 2).join("/"),
      name: steps[index + 1] ?? "",
    });
  }
  return args.flatMap(({ name, kind }): [string, string][] => {
    const [, base = "", member = ""] = /^(\w+)_(id|name)$/.exec(name) ?? [];
    const plain = plainName(base);
    const found = [...parents].filter(([parent]) => plain === parent || plain.endsWith(parent));
    const [only] = found;
    if (kind !== "t" || plain === "" || found.length !== 1 || only === undefined) return [];
    return [[name, member === "id" ? only[1].id : only[1].name]];
  });
}

function singular(name: string): string {
  return name
    .replace(/ies$/, "y")
    .replace(/(s|x|ch)es$/, "$1")
    .replace(/([^s])s$/, "$1");
}
