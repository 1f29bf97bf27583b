import type { BroadcastContract, EventContract, RequestContract } from "@leeway/shared/contract";
import { Glob } from "bun";
import { join } from "node:path";

import { isBroadcast, isEvent, isRequest, loadContracts, ownerOf } from "../docs/contracts.ts";

const ROOT = join(import.meta.dir, "../..");
const CONTRACTS = "@leeway/shared/contracts/";
const IMPORT = /^import (?:\{([^}]*)\}|\* as (\w+)) from "([^"]+)";$/gm;
const BODIES_USE = /\bbodies\.(put|open|delete)\(/g;

/** What a service does with the large bodies on their way. */
export type BodiesUse = "put" | "open" | "delete";

/** What the code of a service says on the bus. */
export interface Uses {
  requests: ReadonlySet<RequestContract>;
  events: ReadonlySet<EventContract>;
  broadcasts: ReadonlySet<BroadcastContract>;
  bodies: ReadonlySet<BodiesUse>;
}

/** The services of the repository, by name. */
export const SERVICES: readonly string[] = [...new Glob("services/*/src/main.ts").scanSync(ROOT)]
  .map((path) => path.split("/")[1] ?? "")
  .toSorted();

/** The contracts that the code of `service` works with: those that it imports for more than their types. */
export async function usesOf(service: string): Promise<Uses> {
  const uses = {
    requests: new Set<RequestContract>(),
    events: new Set<EventContract>(),
    broadcasts: new Set<BroadcastContract>(),
    bodies: new Set<BodiesUse>(),
  };
  const transpiler = new Bun.Transpiler({ loader: "ts" }); // leaves out what only types are imported for
  for (const path of new Glob(`services/${service}/src/**/*.ts`).scanSync(ROOT)) {
    if (/\.(test|fixture)\.ts$/.test(path)) continue;
    const code = transpiler.transformSync(await Bun.file(join(ROOT, path)).text());
    for (const [, use] of code.matchAll(BODIES_USE)) if (isBodiesUse(use)) uses.bodies.add(use);
    for (const value of await importedContracts(service, code)) {
      if (isRequest(value)) uses.requests.add(value);
      else if (isEvent(value)) uses.events.add(value);
      else if (isBroadcast(value)) uses.broadcasts.add(value);
    }
  }
  return uses;
}

async function importedContracts(service: string, code: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const [, list, namespace, from = ""] of code.matchAll(IMPORT)) {
    if (!from.startsWith(CONTRACTS)) continue;
    const exported: Record<string, unknown> = await import(from);
    for (const name of list === undefined ? membersOf(code, namespace ?? "") : namesIn(list)) {
      if (name === "healthOf") found.push(...(await healthChecks(service)));
      else found.push(exported[name]);
    }
  }
  return found;
}

function namesIn(list: string): string[] {
  return list.split(",").map((part) => part.trim().split(" as ")[0] ?? "");
}

function membersOf(code: string, namespace: string): string[] {
  return [...code.matchAll(new RegExp(`\\b${namespace}\\.(\\w+)`, "g"))].map(([, name = ""]) => name);
}

/** A service that answers anything answers for its own health; one that doesn't asks for everybody's. */
async function healthChecks(service: string): Promise<RequestContract[]> {
  const { requests } = await loadContracts();
  const all = requests.filter(({ name }) => name === "healthOf").map(({ contract }) => contract);
  const own = all.filter(({ subject }) => ownerOf(subject) === service);
  return own.length > 0 ? own : all;
}

function isBodiesUse(word: string | undefined): word is BodiesUse {
  return word === "put" || word === "open" || word === "delete";
}
