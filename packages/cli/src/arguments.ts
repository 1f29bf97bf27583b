import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

import { loadConfig, variable, type Variable } from "@leeway/shared/platform/config";
import { nearest } from "@leeway/shared/values/nearest";

import { Failure } from "./failure.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting, and the environment variables that set it, too. Several variables are combined, joined by slashes. */
export interface Flag<T> {
  /** Placeholder for its value in the help. */
  value: string;
  variables: readonly string[];
  reads: Variable<T>;
}

/** Flags by name. Names without dashes are variables only, because other users can see a process's arguments. */
export type Flags = Readonly<Record<string, Flag<unknown>>>;
/** Descriptions by switch name. */
export type Switches = Readonly<Record<string, string>>;
type Values<F extends Flags> = { readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never };

/** Syntax of a command. */
export interface Syntax {
  command: string;
  /** Positional arguments, such as `FILE`; optional ones are in brackets. */
  operands?: readonly string[];
  about: string;
  flags: Flags;
  switches: Switches;
  exits: readonly { code: number; says: string }[];
}

/** Arguments of one call. */
export interface Given {
  command: string;
  operands: readonly string[];
  /** Values by flag; for a repeated flag, the last one. */
  values: Environment;
  /** Returns all values of a repeated flag. */
  all(name: string): readonly string[];
  isOn(name: string): boolean;
}

export const HELP = "--help";

export function flag<T>(value: string, reads: Variable<T>, ...variables: string[]): Flag<T> {
  return { value, variables, reads };
}

/** Builds an optional value; `parse` throws an `Error` whose message completes "--flag …". */
export function maybe<T>(describe: string, parse: (raw: string) => T): Variable<T | undefined> {
  return { describe, fallback: "none", parse: (raw) => (raw === undefined ? undefined : parse(raw)) };
}

/** Builds an optional word from a fixed set. */
export function maybeOneOf<T extends string>(describe: string, words: readonly T[]): Variable<T | undefined> {
  return maybe(`${describe}: ${words.join(", ")}`, (raw) => oneOf(words, raw));
}

/** Builds a word from a fixed set, with a default. */
export function choice<T extends string>(describe: string, words: readonly T[], fallback: T): Variable<T> {
  return variable(describe, (raw) => oneOf(words, raw), fallback);
}

/**
 * Parses one of the allowed words.
 * @throws {Error} that names the word and the allowed ones
 */
export function oneOf<T extends string>(words: readonly T[], raw: string): T {
  const found = words.find((word) => word === raw);
  if (found === undefined) throw new Error(`must be one of ${words.join(", ")}, not ${quoted(raw)}`);
  return found;
}

/** Builds an optional text that must have a format; `problem` completes "must …". */
export function formed(
  describe: string,
  isFormed: (raw: string) => boolean,
  problem: string,
): Variable<string | undefined> {
  return maybe(describe, (raw) => {
    if (!isFormed(raw)) throw new Error(`must ${problem}`);
    return raw;
  });
}

/**
 * Parses arguments.
 * @throws {Failure} `usage` for an unknown flag, a flag without its value, and too few or too many operands
 */
export function readArguments({ command, operands = [], flags, switches }: Syntax, args: string[]): Given {
  const valued = Object.keys(flags).filter(isDashed);
  const options: ParseArgsOptionsConfig = { [HELP.slice(2)]: { type: "boolean", short: "h" } };
  for (const name of valued) options[name.slice(2)] = { type: "string", multiple: true };
  for (const name of Object.keys(switches)) options[name.slice(2)] = { type: "boolean" };
  const { tokens, positionals } = parseArgs({ args, options, strict: false, tokens: true });
  const given = tokens.flatMap((token) => (token.kind === "option" ? [token] : []));
  const [problem] = given.flatMap((one) => problemOf(one, options, flags) ?? []);
  if (problem !== undefined) throw usage(command, problem);
  const all = (name: string): string[] =>
    given.flatMap((one) => (`--${one.name}` === name && one.value !== undefined ? [one.value] : []));
  const isOn = (name: string): boolean => given.some((one) => `--${one.name}` === name);
  if (!isOn(HELP)) requireOperands(command, operands, positionals);
  const last = Object.keys(flags).map((name) => [name, all(name).at(-1)]);
  return { command, operands: positionals, values: Object.fromEntries(last), all, isOn };
}

interface GivenFlag {
  name: string;
  /** Flag as typed, with its dashes. */
  rawName: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
}

function problemOf(given: GivenFlag, options: ParseArgsOptionsConfig, flags: Flags): string | undefined {
  const { name, rawName, inlineValue } = given;
  const kind = Object.hasOwn(options, name) ? options[name]?.type : undefined;
  if (kind === "string") return valueProblem(given, flags[rawName]?.value ?? "VALUE");
  if (kind === "boolean") return inlineValue ? `${rawName} takes no value` : undefined;
  const known = Object.keys(options).map((each) => `--${each}`);
  return `unknown flag ${rawName}${didYouMean(rawName, known)}`;
}

function valueProblem({ rawName, value, inlineValue }: GivenFlag, example: string): string | undefined {
  const needed = `${rawName} needs a value`;
  if (value === undefined) return `${needed}: ${rawName} ${example}`;
  // The value is another flag, as in `--output --comment`.
  if (inlineValue || !/^-./.test(value)) return undefined;
  return `${needed}, but ${quoted(value)} looks like a flag; write ${rawName}=VALUE if it is the value`;
}

/** Returns a suggestion for an unknown word, to append to a message. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const meant = nearest(word, known);
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}

/**
 * Reads the values of `flags`. Flags override `fallbacks` (values by flag name), which override variables. An empty
 * flag unsets the value.
 * @throws {Failure} `usage`, which lists everything that is wrong
 */
export function loadFlags<F extends Flags>(
  flags: F,
  given: Given,
  env: Environment,
  fallbacks: Environment = {},
): Values<F> {
  const raw = Object.entries(flags).map(([name, { variables }]) => [
    name,
    given.values[name] ?? fallbacks[name] ?? joined(variables, env),
  ]);
  const schema = Object.fromEntries(Object.entries(flags).map(([name, { reads }]) => [name, reads]));
  const values = asUsage(given.command, () => loadConfig(schema, Object.fromEntries(raw)), flags);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each value was read by the flag of its own name
  return values as Values<F>;
}

export function isDashed(name: string): boolean {
  return name.startsWith("--");
}

function joined(variables: readonly string[], env: Environment): string | undefined {
  const values = variables.map((variable) => env[variable]);
  return values.length > 0 && values.every(Boolean) ? values.join("/") : undefined;
}

function requireOperands(command: string, operands: readonly string[], given: readonly string[]): void {
  const missing = operands.slice(given.length).find((operand) => !operand.startsWith("["));
  const line = ["leeway", command, ...operands].join(" ");
  if (missing !== undefined) throw usage(command, `${missing} is missing: ${line}`);
  const [extra] = given.slice(operands.length);
  if (extra !== undefined) throw usage(command, `unexpected argument ${quoted(extra)}: ${line}`);
}

/** Quotes typed text on one line, truncated. */
export function quoted(typed: string): string {
  const line = typed.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");
  return `"${line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE).toWellFormed()}…` : line}"`;
}
const LONGEST_QUOTE = 60;

function asUsage<T>(command: string, read: () => T, flags: Flags = {}): T {
  try {
    return read();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const problem = message
      .replace(/^configuration: /, "")
      .replaceAll(/(--[\w-]+) (?=is required)/g, (said, name: string) => {
        const [variable] = variablesOf(flags[name] ?? { variables: [] });
        return variable === undefined ? said : `${name} or ${variable} `;
      });
    throw usage(command, problem);
  }
}

/** Returns the variables of a flag in shell notation, if it has any. */
export function variablesOf({ variables }: Pick<Flag<unknown>, "variables">): string[] {
  return variables.length > 0 ? [`$${variables.join("/$")}`] : [];
}

/** Builds the failure for wrong usage of a command. */
export function usage(command: string, problem: string): Failure {
  const see = problem.endsWith("?") ? " See" : "; see";
  return new Failure("usage", `${problem}${see} leeway ${command} --help`);
}
