import { Reason } from "@leeway/shared/contracts/common";
import { Fingerprint, Until, type Command } from "@leeway/shared/contracts/webhooks/events";
import { present } from "@leeway/shared/json";
import { Value } from "@sinclair/typebox/value";

/** What each command may have behind its fingerprint. */
const OPTIONS = { ignore: ["until", "reason"], unignore: [], fix: [] } as const;

/** What closes a quotation mark, those of word processors included. */
const CLOSING: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["“", "”"],
  ["”", "”"],
  ["„", "“”"],
  ["‘", "’"],
  ["«", "»"],
]);

/** A quotation mark or a word, and before it, if it is an option's: phones make one dash of its two hyphens. */
const ARGUMENT = /\s*(?:(?:--|—|–)([a-z]{1,20})(?:=|\s+|$))?(?:(["'“”„‘«])|(\S+)|$)/iy;

interface Problem {
  verb: "unknown";
  problem: string;
}

/** Reads what stands behind `ignore`, `unignore` and `fix`: a fingerprint and options, in whatever order. */
export function readFingerprintCommand(verb: keyof typeof OPTIONS, rest: string): Command {
  const given = readArguments(rest, OPTIONS[verb]);
  if (!(given instanceof Map)) return given;
  const fingerprint = given.get("fingerprint")?.replace(/^`(.*)`$/, "$1");
  if (fingerprint === undefined) return unknown(`${verb} needs the fingerprint of a change`);
  if (!Value.Check(Fingerprint, fingerprint)) return unknown("what stands there is no fingerprint");
  return verb === "ignore" ? ignoreOf(fingerprint, given) : { verb, fingerprint };
}

function ignoreOf(fingerprint: string, given: ReadonlyMap<string, string>): Command {
  const until = given.get("until")?.toLowerCase();
  if (until !== undefined && !isUntil(until))
    return unknown("--until takes a duration, such as 12h, 30d or 4w, or a date, such as 2026-12-31");
  const reason = given.get("reason");
  if (reason !== undefined && !Value.Check(Reason, reason))
    return unknown(`a reason has at most ${Reason.maxLength} characters`);
  return { verb: "ignore", fingerprint, ...present({ until, reason }) };
}

/** The arguments by name; the one without an option's name is the `fingerprint`. */
function readArguments(rest: string, options: readonly string[]): Map<string, string> | Problem {
  const given = new Map<string, string>();
  let next = 0;
  while (next < rest.length) {
    const { option, value, end } = argumentAt(rest, next);
    const name = option ?? "fingerprint";
    if (option !== undefined && !options.includes(option))
      return unknown(`there is no option --${option} here`);
    if (value === undefined) return unknown("a value is missing, or the quotation mark that closes one");
    if (given.has(name)) return unknown("there is a value too many: quotes hold a text together");
    given.set(name, value);
    next = end;
  }
  return given;
}

interface Argument {
  option?: string;
  /** Absent where there is none, or where a quotation mark isn't closed. */
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

/** The text up to one of the `closing` marks; a backslash escapes a mark. */
function quotedAt(line: string, begin: number, closing: string): { value?: string; end: number } {
  const quoted = new RegExp(String.raw`((?:\\.|[^\\${closing}])*)[${closing}]`, "sy");
  quoted.lastIndex = begin;
  const [, inner] = quoted.exec(line) ?? [];
  return {
    ...present({ value: inner?.replaceAll(/\\([\\"'“”„‘’«»])/g, "$1") }),
    end: quoted.lastIndex,
  };
}

/** Whether it is a duration, or a date that there is: the 30th of February would be the 2nd of March. */
function isUntil(text: string): boolean {
  if (!Value.Check(Until, text)) return false;
  const time = Date.parse(text);
  return /[hdw]$/.test(text) || (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text));
}

function unknown(problem: string): Problem {
  return { verb: "unknown", problem };
}
