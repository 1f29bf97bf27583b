import { ParseError, TypeError as CelTypeError, type ASTNode, type ParseResult } from "@marcbachmann/cel-js";

import { MAX_EXPRESSION } from "@leeway/shared/contracts/inventory/rules";

import { costOf, MAX_COST, operandsOf } from "./cost.ts";
import { ENVIRONMENT, FUNCTIONS, LINEAR_MATCHES } from "./environment.ts";
import { patternProblem } from "./patterns.ts";
import type { Subject } from "./subject.ts";

/** Why a condition is refused, and the character at which it is wrong, from 0. */
export interface Problem {
  message: string;
  at: number;
}

/** A checked condition. It throws if it fails for a subject, as for a missing tag. */
export type Condition = (subject: Subject) => boolean;

/** Thrown inside for a node that isn't allowed. */
class Refused extends Error {
  readonly at: number;

  constructor(message: string, { pos }: ASTNode) {
    super(message);
    this.at = pos;
  }
}

type Read = { condition: Condition } | { problem: Problem };

/** Conditions by their text, because stored rules are evaluated batch after batch. */
const known = new Map<string, Read>();
const MAX_KNOWN = 2_000;

/** Parses and checks a condition: syntax, names, types, size and cost. */
export function readCondition(text: string): Read {
  const read = known.get(text) ?? newlyRead(text);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, read);
  return read;
}

function newlyRead(text: string): Read {
  if (text.length > MAX_EXPRESSION)
    return { problem: { message: `is longer than ${MAX_EXPRESSION} characters`, at: MAX_EXPRESSION } };
  try {
    const parsed = ENVIRONMENT.parse(text);
    refuseForbidden(parsed.ast);
    const cost = costOf(parsed.ast);
    if (cost > MAX_COST)
      throw new Refused("costs too much: it loops within a loop, or uses a large pattern in one", parsed.ast);
    useLinearMatches(parsed.ast);
    const { type, error } = parsed.check();
    if (error) throw error;
    if (type !== "bool") throw new Refused(`must be true or false, but is of type ${type}`, parsed.ast);
    return { condition: evaluated(parsed) };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

function evaluated(parsed: ParseResult): Condition {
  return (subject) => parsed(subject) === true;
}

function refuseForbidden(node: ASTNode): void {
  if (node.op === "call" || node.op === "rcall") {
    const [name] = node.args;
    if (!FUNCTIONS.has(name)) throw new Refused(`unknown function: ${name}`, node);
    if (name === "matches") checkPattern(node);
  }
  if (node.op === "id" && node.args === "cel") throw new Refused("unknown name: cel", node);
  for (const operand of operandsOf(node)) refuseForbidden(operand);
}

function checkPattern(node: ASTNode): void {
  const [pattern] = node.op === "rcall" ? node.args[2] : [];
  if (pattern?.op !== "value" || typeof pattern.args !== "string")
    throw new Refused("matches takes a pattern in quotation marks", pattern ?? node);
  const problem = patternProblem(pattern.args);
  if (problem !== undefined) throw new Refused(problem, pattern);
}

/** Replaces each call of `matches` by one that takes linear time. */
function useLinearMatches(node: ASTNode): void {
  if (node.op === "rcall" && node.args[0] === "matches") node.args[0] = LINEAR_MATCHES;
  for (const operand of operandsOf(node)) useLinearMatches(operand);
}

function problemOf(error: unknown): Problem {
  if (error instanceof Refused) return { message: error.message, at: error.at };
  if (error instanceof ParseError || error instanceof CelTypeError) {
    const message = error.summary.replaceAll(LINEAR_MATCHES, "matches");
    return { message: lowerFirst(message), at: error.node?.pos ?? error.range?.start ?? 0 };
  }
  // Parsing a text of limited length ends, but may meet the end of the stack.
  if (error instanceof RangeError) return { message: "is nested too deeply", at: 0 };
  throw error;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Returns the line and column of a position, from 1. */
export function placeIn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** Returns a problem in words, with its line and column. */
export function describeProblem(text: string, { message, at }: Problem): string {
  const { line, column } = placeIn(text, at);
  return `${message} (line ${line}, column ${column})`;
}
