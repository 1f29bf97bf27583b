import { LONGEST_PROSE, type Command } from "@leeway/shared/contracts/webhooks/events";
import { storable } from "@leeway/shared/storable";

import { readFingerprintCommand } from "./fingerprint-command.ts";

const PREFIX = /^\/leeway(?!\S)/;

/** How what stands behind a verb is read. */
const VERBS: ReadonlyMap<string, (rest: string) => Command> = new Map([
  ["help", alone("help")],
  ["analyze", alone("analyze")],
  ["status", alone("status")],
  ["rescan", alone("rescan")],
  ["explain", explain],
  ["ignore", (rest: string) => readFingerprintCommand("ignore", rest)],
  ["unignore", (rest: string) => readFingerprintCommand("unignore", rest)],
  ["fix", (rest: string) => readFingerprintCommand("fix", rest)],
]);

/**
 * The command in a comment: its first line that isn't blank, if `/leeway` stands at its very beginning. What is
 * wrong with a command makes it an `unknown` one, whose `problem` repeats at most one plain word of it.
 */
export function parseCommand(comment: string): Command | undefined {
  const line = firstLine(comment);
  if (!PREFIX.test(line)) return undefined;
  if (line.length > LONGEST_PROSE) return unknown(`a command has at most ${LONGEST_PROSE} characters`);
  const [, given = "help", rest = ""] = /^(\S+)\s*(.*)$/s.exec(line.replace(PREFIX, "").trim()) ?? [];
  const verb = given.toLowerCase();
  const named = /^[a-z]{1,20}$/.test(verb) ? `no command ${verb}` : "no such command";
  return VERBS.get(verb)?.(rest) ?? unknown(`there is ${named}`);
}

/** The first line that isn't blank, one character longer than allowed at most; blanks before it are kept. */
function firstLine(comment: string): string {
  const text = Math.max(comment.search(/\S/), 0);
  const begin = Math.max(comment.lastIndexOf("\n", text), comment.lastIndexOf("\r", text)) + 1;
  const [line = ""] = comment.slice(begin, text + LONGEST_PROSE + 1).split(/[\r\n]/, 1);
  return storable(line);
}

function alone(verb: "help" | "analyze" | "status" | "rescan"): (rest: string) => Command {
  return (rest) => (rest === "" ? { verb } : unknown(`${verb} takes nothing behind it`));
}

/** An address is the whole rest of the line: its keys may hold blanks and quotes. */
function explain(rest: string): Command {
  const address = rest.replaceAll(/[“”„]/g, '"').replace(/^(["'`])(.+)\1$/s, "$2");
  return address === "" ? unknown("explain needs the address of a resource") : { verb: "explain", address };
}

function unknown(problem: string): Command {
  return { verb: "unknown", problem };
}
