import type { ASTNode } from "@marcbachmann/cel-js";

import { LINEAR_MATCHES } from "./environment.ts";
import { findsPattern } from "./patterns.ts";
import type { Subject } from "./subject.ts";

/** Evaluates a part of a condition, or returns undefined where only the library can, as for a missing tag. */
type Part<Value> = (subject: Subject, element: string) => Value | undefined;

/** Returns whether a condition is true, or undefined if only the library can evaluate it. */
export type Shortcut = (subject: Subject) => boolean | undefined;

/**
 * Compiles what most conditions consist of: comparisons and searches of texts, tags, lists and loops. The library
 * interprets a condition and checks the type of each value, which takes several times as long.
 */
export function shortcutOf(condition: ASTNode): Shortcut {
  const part = truth(condition, undefined);
  return (subject) => part(subject, "");
}

const unknown = () => undefined;

/** Compiles a part that is true or false. `variable` is the variable of the loop around it. */
function truth(node: ASTNode, variable: string | undefined): Part<boolean> {
  if (node.op === "&&" || node.op === "||")
    return joined(truth(node.args[0], variable), truth(node.args[1], variable), node.op === "||");
  if (node.op === "!_") return negated(truth(node.args, variable));
  if (node.op === "==") return compared(node.args, variable, (one, other) => one === other);
  if (node.op === "!=") return compared(node.args, variable, (one, other) => one !== other);
  if (node.op === "in") return contained(value(node.args[0], variable), value(node.args[1], variable));
  if (node.op === "call") return hasTag(node, variable);
  return node.op === "rcall" ? (loop(node, variable) ?? search(node, variable)) : unknown;
}

/** Joins two parts. A part with the deciding value decides, even if the other one is unknown. */
function joined(left: Part<boolean>, right: Part<boolean>, decides: boolean): Part<boolean> {
  return (subject, element) => {
    const one = left(subject, element);
    if (one === decides) return decides;
    const other = right(subject, element);
    return other === decides || one === other ? other : undefined;
  };
}

function negated(part: Part<boolean>): Part<boolean> {
  return (subject, element) => {
    const is = part(subject, element);
    return is === undefined ? undefined : !is;
  };
}

/** Compiles an operator between two texts. */
function compared(
  [left, right]: readonly [ASTNode, ASTNode],
  variable: string | undefined,
  compare: (one: string, other: string) => boolean,
): Part<boolean> {
  const one = value(left, variable);
  const other = value(right, variable);
  if (one === unknown || other === unknown) return unknown;
  return (subject, element) => {
    const text = one(subject, element);
    const second = other(subject, element);
    return typeof text === "string" && typeof second === "string" ? compare(text, second) : undefined;
  };
}

function contained(part: Part<Value>, within: Part<Value>): Part<boolean> {
  return (subject, element) => {
    const text = part(subject, element);
    const all = within(subject, element);
    if (typeof text !== "string" || all === undefined || typeof all === "string") return undefined;
    return "has" in all ? all.has(text) : all.includes(text);
  };
}

function hasTag({ args: [name, [tag]] }: Node<"call">, variable: string | undefined): Part<boolean> {
  if (name !== "has" || tag?.op !== ".") return unknown;
  const [of, key] = tag.args;
  return isTags(of, variable) ? ({ resource }) => resource.tags.has(key) : unknown;
}

const SEARCHES: ReadonlyMap<string, (text: string, part: string) => boolean> = new Map([
  ["startsWith", (text: string, part: string) => text.startsWith(part)],
  ["endsWith", (text: string, part: string) => text.endsWith(part)],
  ["contains", (text: string, part: string) => text.includes(part)],
  [LINEAR_MATCHES, findsPattern],
]);

function search({ args: [name, text, [part]] }: Node<"rcall">, variable: string | undefined): Part<boolean> {
  const found = SEARCHES.get(name);
  return found && part ? compared([text, part], variable, found) : unknown;
}

/** Compiles a loop over a list. A loop within another one is left to the library. */
function loop(
  { args: [name, list, [element, body]] }: Node<"rcall">,
  variable: string | undefined,
): Part<boolean> | undefined {
  if ((name !== "all" && name !== "exists") || element?.op !== "id" || !body) return undefined;
  if (variable !== undefined) return unknown;
  const over = value(list, variable);
  const part = truth(body, element.args);
  const decides = name === "exists";
  return (subject) => {
    const all = over(subject, "");
    if (!Array.isArray(all)) return undefined;
    let is: boolean | undefined = !decides;
    for (const one of all) {
      const found = part(subject, one);
      if (found === decides) return decides;
      if (found === undefined) is = undefined;
    }
    return is;
  };
}

type Node<Operator extends ASTNode["op"]> = ASTNode & { op: Operator };
type Value = string | readonly string[] | ReadonlyMap<string, string>;

/** Compiles a text, a list of texts or the tags. */
function value(node: ASTNode, variable: string | undefined): Part<Value> {
  if (node.op === "value") return constant(literal(node));
  if (node.op === "list") {
    const texts = node.args.map(literal).filter((text) => text !== undefined);
    return constant(texts.length === node.args.length ? texts : undefined);
  }
  if (node.op === "id") {
    if (node.args === variable) return (_, element) => element;
    return node.args === "paths" ? ({ paths }) => paths : unknown;
  }
  if (node.op === "[]") return tag(node.args[0], literal(node.args[1]), variable);
  if (node.op !== ".") return unknown;
  return member(node, variable) ?? tag(node.args[0], node.args[1], variable);
}

function constant(known: Value | undefined): Part<Value> {
  return known === undefined ? unknown : () => known;
}

function literal(node: ASTNode): string | undefined {
  return node.op === "value" && typeof node.args === "string" ? node.args : undefined;
}

function tag(of: ASTNode, key: string | undefined, variable: string | undefined): Part<Value> {
  if (key === undefined || !isTags(of, variable)) return unknown;
  return ({ resource }) => resource.tags.get(key);
}

function isTags(node: ASTNode, variable: string | undefined): boolean {
  return node.op === "." && memberName(node, variable) === "resource.tags";
}

function memberName({ args: [of, name] }: Node<".">, variable: string | undefined): string | undefined {
  return of.op === "id" && of.args !== variable ? `${of.args}.${name}` : undefined;
}

function member(node: Node<".">, variable: string | undefined): Part<Value> | undefined {
  return MEMBERS.get(memberName(node, variable) ?? "");
}

const MEMBERS: ReadonlyMap<string, (subject: Subject) => Value> = new Map<
  string,
  (subject: Subject) => Value
>([
  ["change.kind", ({ change }) => change.kind],
  ["change.risk_level", ({ change }) => change.risk_level],
  ["change.actions", ({ change }) => change.actions],
  ["change.rules", ({ change }) => change.rules],
  ["change.flags", ({ change }) => change.flags],
  ["resource.type", ({ resource }) => resource.type],
  ["resource.provider", ({ resource }) => resource.provider],
  ["resource.region", ({ resource }) => resource.region],
  ["resource.name", ({ resource }) => resource.name],
  ["resource.id", ({ resource }) => resource.id],
  ["resource.account", ({ resource }) => resource.account],
  ["resource.tags", ({ resource }) => resource.tags],
  ["declared.address", ({ declared }) => declared.address],
  ["declared.module", ({ declared }) => declared.module],
  ["declared.source", ({ declared }) => declared.source],
  ["actor.principal", ({ actor }) => actor.principal],
  ["actor.event", ({ actor }) => actor.event],
]);
