import type { Answer } from "../../api/client.ts";
import type { Level } from "../../ui/badge.tsx";

export type PlanChange = Answer<"GET /orgs/{id}/llm-jobs/{job_id}/changes">["data"][number];

/** A resource of the tree. */
export interface PlanLeaf {
  /** Address within its module. */
  name: string;
  change: PlanChange;
  action: PlanAction;
  /** Highest level of its findings. */
  level: Level;
}

/** A module of the tree, with everything below it counted. */
export interface PlanModule {
  /** Address within its parent; empty for the root module. */
  name: string;
  address: string;
  modules: PlanModule[];
  leaves: PlanLeaf[];
  count: number;
  actions: Partial<Record<PlanAction, number>>;
  level: Level;
}

const PLAN_ACTIONS = ["create", "update", "replace", "delete", "forget", "import", "move"] as const;
export type PlanAction = (typeof PLAN_ACTIONS)[number];

const LEVELS: readonly Level[] = ["critical", "high", "medium", "low", "none"];

/** Builds the tree of modules and resources. @param levelOf the highest level of an address's findings */
export function planTree(
  changes: readonly PlanChange[],
  levelOf: (address: string) => Level | undefined,
): PlanModule {
  const root = emptyModule("", "");
  const modules = new Map<string, PlanModule>([["", root]]);
  for (const change of changes) {
    const within = change.module_address ?? "";
    const path = pathTo(modules, within);
    const level = levelOf(change.address) ?? "none";
    const action = actionOf(change);
    const name = within === "" ? change.address : change.address.slice(within.length + 1);
    path.at(-1)?.leaves.push({ name, change, action, level });
    for (const module of path) {
      module.count += 1;
      module.actions[action] = (module.actions[action] ?? 0) + 1;
      if (LEVELS.indexOf(level) < LEVELS.indexOf(module.level)) module.level = level;
    }
  }
  return root;
}

/** Returns the modules from the root to an address, and creates those that are missing. */
function pathTo(modules: Map<string, PlanModule>, address: string): PlanModule[] {
  const path: PlanModule[] = [];
  for (const part of ["", ...partsOf(address)]) {
    const parent = path.at(-1);
    const own = parent && parent.address !== "" ? `${parent.address}.${part}` : part;
    let module = modules.get(own);
    if (!module) {
      module = emptyModule(part, own);
      modules.set(own, module);
      parent?.modules.push(module);
    }
    path.push(module);
  }
  return path;
}

function emptyModule(name: string, address: string): PlanModule {
  return { name, address, modules: [], leaves: [], count: 0, actions: {}, level: "none" };
}

/** Splits the address of a module into `module.a["x"]` and the like. Keys in quotes may contain anything. */
export function partsOf(address: string): string[] {
  return address.match(/module\.[^.[]+(?:\[(?:"(?:[^"\\]|\\.)*"|[^\]"]*)\])?/g) ?? [];
}

/** Returns what a plan does with a resource, in one word. */
export function actionOf({ actions, importing, previous_address: moved }: PlanChange): PlanAction {
  if (actions.includes("delete")) return actions.includes("create") ? "replace" : "delete";
  const named = PLAN_ACTIONS.find((action) => actions.includes(action));
  if (named) return named;
  if (importing === true) return "import";
  return moved === undefined ? "update" : "move";
}

/** Describes how often each action occurs. */
export function countsOf({ actions }: PlanModule): [PlanAction, number][] {
  return PLAN_ACTIONS.flatMap((action) => {
    const count = actions[action] ?? 0;
    return count === 0 ? [] : [[action, count]];
  });
}
