import type { ASTNode } from "@marcbachmann/cel-js";

import { patternWeight } from "./patterns.ts";

/** Assumed size of a list or map of the subject, and of a text in it. */
const MANY = 100;
const LONG = 200;
/** Characters or pattern steps that cost as much as one operation. */
const A_STEP = 20;

/** Largest cost of a condition: an upper bound on the operations of one evaluation. */
export const MAX_COST = 20_000;

/** Cost of a value, its length, and the length of its elements. */
interface Estimate {
  cost: number;
  size: number;
  element: number;
}

/** Lengths of the macro variables in scope. */
type Scope = ReadonlyMap<string, number>;

const LOOPS: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "filter", "map"]);
const LISTS: ReadonlySet<string> = new Set(["tags", "actions", "rules", "flags"]);

/** Returns the largest number of operations that an evaluation of a condition takes. */
export function costOf(condition: ASTNode): number {
  return estimate(condition, new Map()).cost;
}

function estimate(node: ASTNode, scope: Scope): Estimate {
  if (node.op === "value") return leaf(typeof node.args === "string" ? node.args.length : 1);
  if (node.op === "id") return variable(node.args, scope);
  if (node.op === "." || node.op === ".?") return member(estimate(node.args[0], scope), node.args[1]);
  if (node.op === "call") return combined(node.args[1].map((one) => estimate(one, scope)));
  return node.op === "rcall" ? called(node.args, scope) : operation(node, scope);
}

function variable(name: string, scope: Scope): Estimate {
  return name === "paths" ? { cost: 1, size: MANY, element: LONG } : leaf(scope.get(name) ?? LONG);
}

function operation(node: ASTNode, scope: Scope): Estimate {
  const parts = operandsOf(node).map((one) => estimate(one, scope));
  const sizes = parts.map(({ size }) => size);
  const [first, second] = parts;
  const all = combined(parts);
  if (node.op === "list" || node.op === "map")
    return { cost: all.cost, size: parts.length, element: Math.max(1, ...sizes) };
  if (node.op === "in") return { ...all, cost: all.cost + (second?.size ?? 0), size: 1 };
  if (node.op === "[]") return { ...all, size: first?.element ?? LONG };
  if (node.op !== "+") return all;
  const size = sizes.reduce((sum, one) => sum + one, 0);
  return { ...all, cost: all.cost + size / A_STEP, size };
}

function called([name, receiver, args]: [string, ASTNode, ASTNode[]], scope: Scope): Estimate {
  const on = estimate(receiver, scope);
  if (LOOPS.has(name)) return loop(name, on, args, scope);
  const [pattern] = args;
  const all = combined([on, ...args.map((one) => estimate(one, scope))]);
  const weight =
    pattern?.op === "value" && typeof pattern.args === "string" ? patternWeight(pattern.args) : 1;
  const steps = name === "matches" ? on.size * weight : on.size;
  return { ...all, cost: all.cost + steps / A_STEP, size: on.size };
}

/** Estimates a macro, which evaluates its other arguments for each element. */
function loop(name: string, on: Estimate, [variable, ...bodies]: ASTNode[], scope: Scope): Estimate {
  const inner = new Map(scope);
  if (variable?.op === "id") inner.set(variable.args, on.element);
  const body = combined(bodies.map((one) => estimate(one, inner)));
  const cost = on.cost + on.size * body.cost;
  if (name === "map") return { cost, size: on.size, element: body.size };
  return name === "filter" ? { ...on, cost } : { cost, size: 1, element: 1 };
}

function member(of: Estimate, name: string): Estimate {
  const isList = LISTS.has(name);
  return { cost: of.cost + 1, size: isList ? MANY : LONG, element: isList ? LONG : 1 };
}

function leaf(size: number): Estimate {
  return { cost: 1, size, element: size };
}

function combined(parts: readonly Estimate[]): Estimate {
  return {
    cost: parts.reduce((sum, { cost }) => sum + cost, 1),
    size: Math.max(1, ...parts.map(({ size }) => size)),
    element: Math.max(1, ...parts.map(({ element }) => element)),
  };
}

/** Returns the nodes directly below another. */
export function operandsOf(node: ASTNode): ASTNode[] {
  return nodesIn(node.args);
}

function nodesIn(value: unknown): ASTNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  return isNode(value) ? [value] : [];
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === "object" && value !== null && "op" in value && "args" in value;
}
