import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

import { loadConfig, type Variable } from "@leeway/shared/config";

import { Failure } from "./failure.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting, and the variables that say the same: all of them together, joined by slashes. */
export interface Flag<T> {
  /** What its value is, in the help. */
  value: string;
  variables: readonly string[];
  reads: Variable<T>;
}

/** By their names: `--dashed` ones are flags, others are variables only, since arguments can be seen by others. */
export type Flags = Readonly<Record<string, Flag<unknown>>>;
/** By their names, with what each does. */
export type Switches = Readonly<Record<string, string>>;
type Values<F extends Flags> = { readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never };

/** How a command is called. */
export interface Syntax {
  command: string;
  /** What stands beside the flags, as in `FILE`; in brackets when it may be absent. */
  operands?: readonly string[];
  about: string;
  flags: Flags;
  switches: Switches;
  /** What each exit code says. */
  exits: readonly { code: number; says: string }[];
}

/** What a command was called with. */
export interface Given {
  command: string;
  operands: readonly string[];
  /** What flags say, by their names; of one that is repeated, the last. */
  values: Environment;
  /** All that a repeated flag says. */
  all(name: string): readonly string[];
  isOn(name: string): boolean;
}

export const HELP = "--help";

export function flag<T>(value: string, reads: Variable<T>, ...variables: string[]): Flag<T> {
  return { value, variables, reads };
}

/** What may be absent, and is read when it is there; `parse` throws an `Error` that says what is wrong. */
export function maybe<T>(describe: string, parse: (raw: string) => T): Variable<T | undefined> {
  return { describe, fallback: "none", parse: (raw) => (raw === undefined ? undefined : parse(raw)) };
}

/** One of a closed set of words, or none. */
export function maybeOneOf<T extends string>(describe: string, words: readonly T[]): Variable<T | undefined> {
  return maybe(`${describe}: ${words.join(", ")}`, (raw) => {
    const found = words.find((word) => word === raw);
    if (found === undefined) throw new Error(`must be one of ${words.join(", ")}`);
    return found;
  });
}

/** A text that may be absent and has a form when it is there; `problem` completes "must …". */
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

/** @throws {Failure} `usage` for a flag that isn't known or lacks its value, and for operands too many or few. */
export function readArguments({ command, operands = [], flags, switches }: Syntax, args: string[]): Given {
  const options: ParseArgsOptionsConfig = {};
  for (const name of Object.keys(flags).filter(isDashed)) {
    options[name.slice(2)] = { type: "string", multiple: true };
  }
  for (const name of Object.keys(switches)) options[name.slice(2)] = { type: "boolean" };
  options[HELP.slice(2)] = { type: "boolean", short: "h" };
  const allowPositionals = operands.length > 0;
  const { values, positionals } = asUsage(command, () => parseArgs({ args, options, allowPositionals }));
  const all = (name: string): string[] => {
    const given = values[name.slice(2)];
    return Array.isArray(given) ? given.filter((value) => typeof value === "string") : [];
  };
  const isOn = (name: string): boolean => values[name.slice(2)] === true;
  if (!isOn(HELP)) requireOperands(command, operands, positionals);
  const last = Object.keys(flags).map((name) => [name, all(name).at(-1)]);
  return { command, operands: positionals, values: Object.fromEntries(last), all, isOn };
}

/**
 * The values of `flags`. Flags win over `fallbacks`, which has values by the flags' names, and those over variables;
 * an empty flag says that there is none.
 * @throws {Failure} `usage`, which names all that is wrong and quotes nothing.
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
  if (missing !== undefined) throw usage(command, `name ${missing}`);
  if (given.length > operands.length) throw usage(command, `takes no more than ${operands.join(" ")}`);
}

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

/** What says the same as a flag, as shells write it, if anything does. */
export function variablesOf({ variables }: Pick<Flag<unknown>, "variables">): string[] {
  return variables.length > 0 ? [`$${variables.join("/$")}`] : [];
}

/** The end of a command that was called in a wrong way. */
export function usage(command: string, problem: string): Failure {
  return new Failure("usage", `${problem} (see leeway ${command} --help)`);
}
