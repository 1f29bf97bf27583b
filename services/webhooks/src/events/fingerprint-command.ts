import { Reason } from "@leeway/shared/contracts/common";
import { Fingerprint, Until, type Verb } from "@leeway/shared/contracts/webhooks/commands";
import { present } from "@leeway/shared/values/json";
import { Value } from "@sinclair/typebox/value";

/** Closing quotation marks by opening mark, including those of word processors. */
const CLOSING: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["“", "”"],
  ["”", "”"],
  ["„", "“”"],
  ["‘", "’"],
  ["«", "»"],
]);

/**
 * Argument: a quotation mark or a word, after the option's name if there is one. Phones turn the two hyphens into a
 * dash.
 */
const ARGUMENT = /\s*(?:(?:--|—|–)([a-z]{1,20})(?:=|\s+|$))?(?:(["'“”„‘«])|(\S+)|$)/iy;

/** Arguments of a command by the name of its operand, option or flag. */
export type Arguments = Readonly<Record<string, string | true>>;

/** A command that can't be read, answered with help. */
export interface Problem {
  verb: "unknown";
  problem: string;
}

/** Reads a fingerprint and the given options, in any order. */
export function readFingerprint(verb: Verb, rest: string, options: readonly string[]): Arguments | Problem {
  const given = readArguments(rest, options);
  if (!(given instanceof Map)) return given;
  const fingerprint = given.get("fingerprint")?.replace(/^`(.*)`$/, "$1");
  if (fingerprint === undefined) return unknown(`${verb} needs the fingerprint of a change`);
  if (!Value.Check(Fingerprint, fingerprint)) return unknown("the argument isn't a valid fingerprint");
  const until = given.get("until")?.toLowerCase();
  if (until !== undefined && !isUntil(until))
    return unknown("--until needs a duration such as 12h, 30d or 4w, or a date such as 2026-12-31");
  const reason = given.get("reason");
  if (reason !== undefined && !Value.Check(Reason, reason))
    return unknown(`a reason may have at most ${Reason.maxLength} characters`);
  return { fingerprint, ...present({ until, reason }) };
}

/** Returns the arguments by option name; the argument without an option is the `fingerprint`. */
function readArguments(rest: string, options: readonly string[]): Map<string, string> | Problem {
  const given = new Map<string, string>();
  let next = 0;
  while (next < rest.length) {
    const { option, value, end } = argumentAt(rest, next);
    const name = option ?? "fingerprint";
    if (option !== undefined && !options.includes(option)) return unknown(`unknown option --${option}`);
    if (value === undefined) return unknown("a value or a closing quotation mark is missing");
    if (given.has(name)) return unknown("too many values; put text with spaces in quotes");
    given.set(name, value);
    next = end;
  }
  return given;
}

interface Argument {
  option?: string;
  /** Value; undefined if there is none or its quotation mark isn't closed. */
  value?: string;
  end: number;
}

function argumentAt(line: string, begin: number): Argument {
  const argument = new RegExp(ARGUMENT);
  argument.lastIndex = begin;
  const [, option, quote, word] = argument.exec(line) ?? [];
  const named = present({ option: option?.toLowerCase() });
  if (quote === undefined) return { ...named, ...present({ value: word }), end: argument.lastIndex };
  return { ...named, ...quotedAt(line, argument.lastIndex, CLOSING.get(quote) ?? quote) };
}

/** Returns the text up to one of the `closing` marks; a backslash escapes a mark. */
function quotedAt(line: string, begin: number, closing: string): { value?: string; end: number } {
  const quoted = new RegExp(String.raw`((?:\\.|[^\\${closing}])*)[${closing}]`, "sy");
  quoted.lastIndex = begin;
  const [, inner] = quoted.exec(line) ?? [];
  return {
    ...present({ value: inner?.replaceAll(/\\([\\"'“”„‘’«»])/g, "$1") }),
    end: quoted.lastIndex,
  };
}

/** Returns whether a text is a duration or an existing date: February 30 would become March 2. */
function isUntil(text: string): boolean {
  if (!Value.Check(Until, text)) return false;
  const time = Date.parse(text);
  return /[hdw]$/.test(text) || (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text));
}

export function unknown(problem: string): Problem {
  return { verb: "unknown", problem };
}
