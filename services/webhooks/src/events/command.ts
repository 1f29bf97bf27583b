import {
  choicesOf,
  COMMANDS,
  LONGEST_COMMAND,
  type Command,
  type CommandRules,
  type Verb,
} from "@leeway/shared/contracts/webhooks/commands";
import { keysOf } from "@leeway/shared/values/keys-of";
import { storable } from "@leeway/shared/values/storable";

import { readFingerprint, unknown, type Arguments, type Problem } from "./fingerprint-command.ts";

const PREFIX = /^\/leeway(?!\S)/;
const VERBS = keysOf(COMMANDS);

/**
 * Returns the command in a comment: its first line that isn't blank, if it starts with `/leeway`. An invalid command
 * becomes an `unknown` one, whose `problem` repeats at most one plain word of it.
 */
export function parseCommand(comment: string): Command | undefined {
  const line = firstLine(comment);
  if (!PREFIX.test(line)) return undefined;
  if (line.length > LONGEST_COMMAND)
    return unknown(`a command may have at most ${LONGEST_COMMAND} characters`);
  const [, given = "help", rest = ""] = /^(\S+)\s*(.*)$/s.exec(line.replace(PREFIX, "").trim()) ?? [];
  const name = given.toLowerCase();
  const verb = VERBS.find((one) => one === name);
  if (verb !== undefined) return commandOf(verb, readArguments(verb, rest));
  return unknown(/^[a-z]{1,20}$/.test(name) ? `there is no command ${name}` : "there is no such command");
}

function commandOf(verb: Verb, read: Arguments | Problem): Command {
  if (typeof read["problem"] === "string") return unknown(read["problem"]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the members are those of the verb's row
  return { verb, ...read } as Command;
}

/** Reads the arguments that the contract's table gives a command. */
function readArguments(verb: Verb, rest: string): Arguments | Problem {
  const { takes, choice, flag, options = [] }: CommandRules = COMMANDS[verb];
  if (takes === undefined) return rest === "" ? {} : unknown(`${verb} takes no arguments`);
  switch (takes) {
    case "address":
      return readAddress(verb, rest);
    case "fingerprint":
      return choice === undefined
        ? readFingerprint(verb, rest, options)
        : readChoice(verb, rest, { choice, flag });
  }
}

/** Two hyphens, or the dash that phones make of them. */
const FLAG = /^(?:--|[—–])/;

/** Reads a fingerprint that a word may follow, with a flag anywhere. */
function readChoice(
  verb: Verb,
  rest: string,
  { choice, flag }: { choice: NonNullable<CommandRules["choice"]>; flag: CommandRules["flag"] },
): Arguments | Problem {
  const given = rest.split(/\s+/).filter((word) => word !== "");
  const flags = given.filter((word) => FLAG.test(word)).map((word) => word.replace(FLAG, "").toLowerCase());
  const [first = "", word, ...more] = given.filter((one) => !FLAG.test(one));
  const read = readFingerprint(verb, first, []);
  if ("problem" in read) return read;
  if (flags.some((one) => one !== flag)) return unknown(`${verb} has no such option`);
  const chosen = choicesOf(choice).find((one) => one === word?.toLowerCase());
  if (more.length > 0 || (word !== undefined && chosen === undefined))
    return unknown(`${verb} takes one of ${choicesOf(choice).join(", ")} after the fingerprint`);
  return {
    ...read,
    ...(chosen !== undefined && { [choice]: chosen }),
    ...Object.fromEntries(flags.map((one) => [one, true as const])),
  };
}

/** Returns the first line that isn't blank, with its leading blanks. It is cut one character beyond the limit. */
function firstLine(comment: string): string {
  const text = Math.max(comment.search(/\S/), 0);
  const begin = Math.max(comment.lastIndexOf("\n", text), comment.lastIndexOf("\r", text)) + 1;
  const [line = ""] = comment.slice(begin, text + LONGEST_COMMAND + 1).split(/[\r\n]/, 1);
  return storable(line);
}

/** Reads the address of a resource: the rest of the line, because keys may contain blanks and quotes. */
function readAddress(verb: Verb, rest: string): Arguments | Problem {
  const address = rest.replaceAll(/[“”„]/g, '"').replace(/^(["'`])(.+)\1$/s, "$2");
  return address === "" ? unknown(`${verb} needs a resource address`) : { address };
}
