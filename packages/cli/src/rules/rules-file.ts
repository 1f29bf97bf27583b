import { readFile } from "node:fs/promises";

import { adviceText, placeIn } from "@leeway/rules/condition";
import { ruleProblem } from "@leeway/rules/rule-problem";
import { strict } from "@leeway/shared/contracts/contract";
import { MAX_RULES, RuleContent, type ActiveRule } from "@leeway/shared/contracts/inventory/rules";
import { decode } from "@leeway/shared/values/decode";
import { AppError } from "@leeway/shared/values/errors";
import { isObject } from "@leeway/shared/values/json";
import { isNode, isScalar, LineCounter, parseDocument, type Document } from "yaml";

import { Failure } from "../failure.ts";
import { reasonOf } from "../reason.ts";

/** Larger files are refused. */
const MAX_BYTES = 1 << 20;
const MAX_PROBLEMS = 20;
const Strict = strict(RuleContent);

interface FileProblem {
  line: number;
  column: number;
  message: string;
}

type Step = string | number;

/**
 * Reads and checks a YAML file of rules: a list, or an object with the list as `rules`.
 * @throws {Failure} with one line for each problem, as `FILE:LINE:COLUMN: …`
 */
export async function readRulesFile(file: string): Promise<RuleContent[]> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Failure("refused", `${file}: ${reasonOf(cause)}`, { cause });
  });
  if (text.length > MAX_BYTES) throw new Failure("refused", `${file} is larger than 1 MiB`);
  const { rules, problems } = parseRules(text);
  if (problems.length === 0) return rules;
  const lines = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
  const more = problems.length - MAX_PROBLEMS;
  if (more > 0) lines.push(`… and ${more} more problems`);
  throw new Failure("refused", lines.join("\n"));
}

/** Returns the rules that have an effect at `now`. Their ids are their names. */
export function activeIn(rules: readonly RuleContent[], now: Date): ActiveRule[] {
  return rules
    .filter(({ enabled = true }) => enabled)
    .filter(({ expires_at: end }) => end === undefined || new Date(end) > now)
    .map(({ name, on, when, then: effect }) => ({ id: name, name, on, when, effect }));
}

function parseRules(text: string): { rules: RuleContent[]; problems: FileProblem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const source = { text, document, lines };
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ pos: [at], message }) => ({
      ...placeAt(source, at),
      message: message.split(" at line ", 1)[0] ?? message,
    }));
    return { rules: [], problems };
  }
  return rulesIn(source);
}

interface Source {
  text: string;
  document: Document.Parsed;
  lines: LineCounter;
}

function rulesIn(source: Source): { rules: RuleContent[]; problems: FileProblem[] } {
  const content: unknown = contentOf(source.document);
  const base: Step[] = isObject(content) ? ["rules"] : [];
  const list: unknown = isObject(content) ? content["rules"] : content;
  const others = isObject(content) ? Object.keys(content).filter((name) => name !== "rules") : [];
  if (!Array.isArray(list) || others.length > 0)
    return {
      rules: [],
      problems: [
        {
          line: 1,
          column: 1,
          message: "the file must be a list of rules, or have only `rules:` with a list",
        },
      ],
    };
  const rules: RuleContent[] = [];
  const problems: FileProblem[] = [];
  const names = new Set<string>();
  for (const [index, item] of list.entries()) {
    const found = ruleIn(source, [...base, index], item);
    problems.push(...found.problems);
    if (!found.rule) continue;
    const { name } = found.rule;
    if (names.has(name))
      problems.push({
        ...placeOf(source, [...base, index, "name"]),
        message: `name is that of another rule: "${name}"; choose another`,
      });
    names.add(name);
    rules.push(found.rule);
  }
  if (list.length > MAX_RULES)
    problems.push({
      ...placeOf(source, [...base, MAX_RULES]),
      message: `the file has more than ${MAX_RULES} rules`,
    });
  return { rules, problems };
}

/** Converts the document. Aliases that would expand too far are refused by the parser. */
function contentOf(document: Document.Parsed): unknown {
  try {
    return document.toJS();
  } catch {
    return undefined;
  }
}

function ruleIn(
  source: Source,
  at: readonly Step[],
  item: unknown,
): { rule?: RuleContent; problems: FileProblem[] } {
  try {
    const rule = decode(Strict, item);
    const wrong = ruleProblem(rule);
    if (!wrong) return { rule, problems: [] };
    const { field, message, problem } = wrong;
    const place = problem
      ? placeInText(source, [...at, field], rule.when, problem.at)
      : placeOf(source, [...at, field]);
    // The place is the file's; the condition's own would confuse.
    const words = problem ? `${problem.message}${adviceText(problem.advice)}` : message;
    return { rule, problems: [{ ...place, message: `${field} ${words}` }] };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const problems = (error.details ?? []).map(({ field, message }) => {
      const path =
        field === "body" ? [] : field.split(".").map((step) => (/^\d+$/.test(step) ? Number(step) : step));
      return {
        ...placeOf(source, [...at, ...path]),
        message: `${field === "body" ? "a rule" : field} ${message}`,
      };
    });
    return { problems };
  }
}

/** Returns where a value is, or the nearest value around it. */
function placeOf(source: Source, path: readonly Step[]): Pick<FileProblem, "line" | "column"> {
  for (let length = path.length; length >= 0; length -= 1) {
    const node: unknown = source.document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return placeAt(source, node.range[0]);
  }
  return { line: 1, column: 1 };
}

function placeAt({ lines }: Source, offset: number): Pick<FileProblem, "line" | "column"> {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

/** Returns where a character of a text value is. Within folded values only the first line is known. */
function placeInText(
  source: Source,
  path: readonly Step[],
  value: string,
  at: number,
): Pick<FileProblem, "line" | "column"> {
  const start = placeOf(source, path);
  const node: unknown = source.document.getIn(path, true);
  if (!isScalar(node)) return start;
  const { line, column } = placeIn(value, at);
  if (node.type === "BLOCK_LITERAL") {
    const first = source.text.split("\n")[start.line] ?? "";
    return { line: start.line + line, column: first.length - first.trimStart().length + column };
  }
  const isQuoted = node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE";
  const isOneLine = node.type === "PLAIN" || isQuoted ? !sourceOf(source, node.range).includes("\n") : false;
  return isOneLine ? { line: start.line, column: start.column + (isQuoted ? 1 : 0) + at } : start;
}

function sourceOf({ text }: Source, range: readonly number[] | null | undefined): string {
  return text.slice(range?.[0], range?.[1]);
}
