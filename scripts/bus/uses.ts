import type { BroadcastContract, EventContract, RequestContract } from "@leeway/shared/contracts/contract";
import { Glob } from "bun";
import { join } from "node:path";

import { isBroadcast, isEvent, isRequest, loadContracts, ownerOf } from "../docs/contracts.ts";

const ROOT = join(import.meta.dir, "../..");
const CONTRACTS = "@leeway/shared/contracts/";
const IMPORT = /^import (?:\{([^}]*)\}|\* as (\w+)) from "([^"]+)";$/gm;

/** Contracts that the code of a service uses on the bus. */
export interface Uses {
  requests: ReadonlySet<RequestContract>;
  events: ReadonlySet<EventContract>;
  broadcasts: ReadonlySet<BroadcastContract>;
}

/** Returns the contracts that the code of `service` imports as values, not only as types. */
export async function usesOf(service: string): Promise<Uses> {
  const uses = {
    requests: new Set<RequestContract>(),
    events: new Set<EventContract>(),
    broadcasts: new Set<BroadcastContract>(),
  };
  const transpiler = new Bun.Transpiler({ loader: "ts" }); // drops imports that are only used as types
  for (const path of new Glob(`services/${service}/src/**/*.ts`).scanSync(ROOT)) {
    if (/\.(test|fixture)\.ts$/.test(path)) continue;
    const code = transpiler.transformSync(await Bun.file(join(ROOT, path)).text());
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

/**
 * Returns the health checks that a service uses: it answers its own, or calls all others if it has none, as the
 * gateway does.
 */
async function healthChecks(service: string): Promise<RequestContract[]> {
  const { requests } = await loadContracts();
  const all = requests.filter(({ name }) => name === "healthOf").map(({ contract }) => contract);
  const own = all.filter(({ subject }) => ownerOf(subject) === service);
  return own.length > 0 ? own : all;
}
