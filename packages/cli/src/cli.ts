import { redactText } from "@leeway/shared/redaction/redact";

import { analyze } from "./analyze/analyze.ts";
import { HELP } from "./arguments.ts";
import { EXITS } from "./exits.ts";
import { Failure, failureOf, OUTCOMES } from "./failure.ts";
import { fix } from "./fix/fix.ts";
import { noise } from "./noise/noise.ts";
import { plannerHook } from "./planner-hook/planner-hook.ts";
import { pushListing } from "./push/push-listing.ts";
import { pushState } from "./push/push-state.ts";
import type { Terminal } from "./terminal.ts";

/** Ends with the exit code that it gives; 0 when it gives none. */
type Command = (args: string[], terminal: Terminal) => Promise<number | void> | void;

const USAGE = `Usage: leeway <command> [flags]

Commands:
  analyze        has a plan analyzed, waits, and prints or writes reports
  noise          lists the noise that plans had
  fix            has a fix for noise made, and prints or applies it
  state push     pushes a state to a source
  listing push   pushes what runs in an account
  planner-hook   sends a plan to Leeway from a planner's workflow step

  leeway <command> --help   tells the flags of a command
  leeway --version          tells the version
`;

const COMMANDS: Readonly<Record<string, Command>> = {
  analyze,
  noise,
  fix,
  "state push": pushState,
  "listing push": pushListing,
  "planner-hook": plannerHook,
  [HELP]: (_, { print }) => print(USAGE),
  "--version": (_, { print, version }) => print(`${version}\n`),
};
/** Codes of their own for failures, and those for what is no command. */
const PLANNER_HOOK = new Set(["planner-hook", ""]);

/** Runs what the arguments ask for and gives the exit code. Never throws, and tells no secret. */
export async function runCli(args: string[], terminal: Terminal): Promise<number> {
  const tell = (message: string): void => terminal.tell(redactText(message));
  const { name, rest } = commandIn(args);
  try {
    const command = COMMANDS[name];
    if (!command) throw new Failure("usage", `name a command: ${names()} (see leeway --help)`);
    return (await command(rest, { ...terminal, tell })) ?? EXITS.ok.code;
  } catch (error) {
    const { message, outcome } = failureOf(error);
    tell(message);
    return PLANNER_HOOK.has(name) ? OUTCOMES[outcome].code : EXITS.error.code;
  }
}

/** The command, of one word or two, and what stands behind it; an empty name when there is no such command. */
function commandIn([first = "", ...others]: string[]): { name: string; rest: string[] } {
  const args = first === "help" ? [...others, HELP] : [first, ...others];
  const length = [2, 1].find((words) => Object.hasOwn(COMMANDS, args.slice(0, words).join(" "))) ?? 0;
  if (length === 0 && args.some(asksForHelp)) return { name: HELP, rest: [] };
  return { name: args.slice(0, length).join(" "), rest: args.slice(length) };
}

function asksForHelp(arg: string): boolean {
  return arg === HELP || arg === "-h";
}

function names(): string {
  return Object.keys(COMMANDS)
    .filter((name) => !name.startsWith("--"))
    .join(", ");
}
