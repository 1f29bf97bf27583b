import { nearest } from "@leeway/shared/values/nearest";

import { FUNCTIONS } from "./environment.ts";
import { ActorFacts, ChangeFacts, DeclaredFacts, ResourceFacts } from "./subject.ts";

/** A problem in words, which complete "when …", and advice. */
export interface Wording {
  message: string;
  advice: string;
}

const NAMES = ["change", "resource", "declared", "actor", "paths"];
const MEMBERS = [new ChangeFacts(), new ResourceFacts(), new DeclaredFacts(), new ActorFacts()].flatMap(
  (facts) => Object.keys(facts),
);

const TYPES: Readonly<Record<string, string>> = { int: "number", double: "number", bool: "true or false" };
const typeOf = (name: string): string => TYPES[name] ?? name;

const TO_COMPARE = 'compare it first, as in resource.name == "a"';

/** The library's messages, in our words. */
const WORDINGS: readonly [RegExp, (...found: string[]) => Wording][] = [
  [
    /^unknown variable: (.+)$/i,
    (name) => ({ message: `uses the unknown name ${quoted(name)}`, advice: meant(name, NAMES) }),
  ],
  [
    /^no such key: (.+)$/i,
    (name) => ({ message: `uses the unknown member ${quoted(name)}`, advice: meant(name, MEMBERS) }),
  ],
  [
    /^unknown function: (.+)$/i,
    (name) => ({ message: `calls the unknown function ${quoted(name)}`, advice: meant(name, FUNCTIONS) }),
  ],
  [
    /^no such overload: (\S+) (\S+) (\S+)$/i,
    (one, operator, other) => ({
      message: `has ${quoted(operator)} between a ${typeOf(one)} and a ${typeOf(other)}`,
      advice: "write values of the same type, such as texts in quotation marks",
    }),
  ],
  [
    /^no such overload: ([!-])(\S+)$/i,
    (operator, type) => ({ message: `has ${quoted(operator)} before a ${typeOf(type)}`, advice: TO_COMPARE }),
  ],
  [
    /^cannot index type '(.+)'$/i,
    (type) => ({ message: `reads a member of a ${typeOf(type)}, which has none`, advice: "remove it" }),
  ],
  [
    /^logical operator requires bool operands, got '(.+)'$/i,
    (type) => ({
      message: `joins a ${typeOf(type)} with && or ||`,
      advice: TO_COMPARE,
    }),
  ],
  [
    /^found no matching overload for '(?:.+\.)?(\w+)\((.*)\)'$/i,
    (name) => ({
      message: `calls ${name} with the wrong arguments`,
      advice: "docs/own-rules.md has examples",
    }),
  ],
  [
    /^unterminated (?:triple-quoted )?string$/i,
    () => ({ message: "has a text without an end", advice: "add the closing quotation mark" }),
  ],
  [/EOF$/, () => ({ message: "ends too early", advice: "complete the condition" })],
  [
    /^unexpected character: '?(.+?)'?$/i,
    (text) => ({
      message: `has an unexpected ${quoted(text)}`,
      advice: text === "=" ? "compare with ==" : "remove it, or put texts in quotation marks",
    }),
  ],
  [
    /^expected \w+, got (\w+)$/i,
    (token) => ({ message: `has an unexpected ${token.toLowerCase()}`, advice: "check brackets and dots" }),
  ],
];

/** Returns a message of the library as words that complete "when …". */
export function wordingOf(message: string): Wording {
  for (const [pattern, word] of WORDINGS) {
    const match = pattern.exec(message);
    if (match) return word(...match.slice(1));
  }
  return { message: `isn't valid CEL: ${message.charAt(0).toLowerCase()}${message.slice(1)}`, advice: "" };
}

/** Returns why a condition fails for a change, in words. */
export function failureText(error: unknown): string {
  const [first = ""] = (error instanceof Error ? error.message : String(error)).split("\n", 1);
  const key = /^No such key: (.+)$/.exec(first)?.[1];
  if (key === undefined) return first;
  return `a change has no ${quoted(key)}; ask for it first, as in has(resource.tags.env) && resource.tags.env == "dev"`;
}

const quoted = (text: string): string => `"${text}"`;

function meant(name: string, known: Iterable<string>): string {
  const near = nearest(name, known);
  return near === undefined ? `known are ${[...known].join(", ")}` : `did you mean ${near}?`;
}
