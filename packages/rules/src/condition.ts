import { ParseError, TypeError as CelTypeError, type ASTNode, type ParseResult } from "@marcbachmann/cel-js";

import { MAX_EXPRESSION } from "@leeway/shared/contracts/inventory/rules";

import { costOf, MAX_COST, operandsOf } from "./cost.ts";
import { ENVIRONMENT, FUNCTIONS, LINEAR_MATCHES } from "./environment.ts";
import { patternProblem } from "./patterns.ts";
import type { Subject } from "./subject.ts";
import { wordingOf, type Wording } from "./wording.ts";

/** Why a condition is refused, and the character at which it is wrong, from 0. The message completes "when …". */
export interface Problem extends Wording {
  at: number;
}

/** A checked condition. It throws if it fails for a subject, as for a missing tag. */
export type Condition = (subject: Subject) => boolean;

/** Thrown inside for a node that isn't allowed. */
class Refused extends Error {
  readonly at: number;
  readonly advice: string;

  constructor({ message, advice }: Wording, { pos }: ASTNode) {
    super(message);
    this.at = pos;
    this.advice = advice;
  }
}

type Read = { condition: Condition } | { problem: Problem };

/** Bytes of other text that take about as long to read as a character of a costly condition takes to compile. */
const BYTES_PER_CHARACTER = 32;

/** Returns the size of a text that takes about as long to read as these conditions. The costliest takes 0.1 s. */
export function readingSize(rules: readonly { when: string }[]): number {
  return BYTES_PER_CHARACTER * rules.reduce((sum, { when }) => sum + when.length, 0);
}

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
    return {
      problem: {
        message: `is longer than ${MAX_EXPRESSION} characters`,
        advice: "make several rules of it",
        at: MAX_EXPRESSION,
      },
    };
  try {
    const parsed = ENVIRONMENT.parse(text);
    refuseForbidden(parsed.ast);
    const cost = costOf(parsed.ast);
    if (cost > MAX_COST) throw new Refused(TOO_COSTLY, parsed.ast);
    useLinearMatches(parsed.ast);
    const { type, error } = parsed.check();
    if (error) throw error;
    if (type !== "bool") throw new Refused(notTrueOrFalse(type), parsed.ast);
    return { condition: evaluated(parsed) };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

const TOO_COSTLY = {
  message: "costs too much: it loops within a loop, or uses a large pattern in one",
  advice: "use fewer loops or a smaller pattern",
};

const notTrueOrFalse = (type = "unknown"): Wording => ({
  message: `must be true or false, but is of type ${type}`,
  advice: 'compare the value, as in resource.type == "aws_instance"',
});

function evaluated(parsed: ParseResult): Condition {
  return (subject) => parsed(subject) === true;
}

function refuseForbidden(node: ASTNode): void {
  if (node.op === "call" || node.op === "rcall") {
    const [name] = node.args;
    if (!FUNCTIONS.has(name)) throw new Refused(wordingOf(`unknown function: ${name}`), node);
    if (name === "matches") checkPattern(node);
  }
  if (node.op === "id" && node.args === "cel") throw new Refused(wordingOf("unknown variable: cel"), node);
  for (const operand of operandsOf(node)) refuseForbidden(operand);
}

const NO_PATTERN = {
  message: "calls matches without a pattern in quotation marks",
  advice: 'write the pattern itself, as in resource.name.matches("^pr-[0-9]+$")',
};

function checkPattern(node: ASTNode): void {
  const [pattern] = node.op === "rcall" ? node.args[2] : [];
  if (pattern?.op !== "value" || typeof pattern.args !== "string")
    throw new Refused(NO_PATTERN, pattern ?? node);
  const problem = patternProblem(pattern.args);
  if (problem !== undefined)
    throw new Refused({ message: problem, advice: "write a simpler RE2 pattern" }, pattern);
}

/** Replaces each call of `matches` by one that takes linear time. */
function useLinearMatches(node: ASTNode): void {
  if (node.op === "rcall" && node.args[0] === "matches") node.args[0] = LINEAR_MATCHES;
  for (const operand of operandsOf(node)) useLinearMatches(operand);
}

function problemOf(error: unknown): Problem {
  if (error instanceof Refused) return { message: error.message, advice: error.advice, at: error.at };
  if (error instanceof ParseError || error instanceof CelTypeError) {
    const wording = wordingOf(error.summary.replaceAll(LINEAR_MATCHES, "matches"));
    return { ...wording, at: error.node?.pos ?? error.range?.start ?? 0 };
  }
  // Parsing a text of limited length ends, but may meet the end of the stack.
  if (error instanceof RangeError)
    return { message: "is nested too deeply", advice: "make several rules of it", at: 0 };
  throw error;
}

/** Returns the line and column of a position, from 1. */
export function placeIn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** Returns a problem in words that complete "when …", with its line and column, and what to do. */
export function describeProblem(text: string, { message, advice, at }: Problem): string {
  const { line, column } = placeIn(text, at);
  return `${message} (line ${line}, column ${column})${adviceText(advice)}`;
}

/** Returns advice to append to a message. */
export function adviceText(advice: string): string {
  return advice === "" ? "" : `; ${advice}`;
}
