import { redactText } from "@leeway/shared/redact";

import { failureOf, Failure, OUTCOMES, } from "./failure.ts";
import { plannerHook } from "./planner-hook/planner-hook.ts";
import type { Terminal } from "./terminal.ts";

/** What ends with an exit code; 0 when it says none. */
type Command = (args: string[], terminal: Terminal) => Promise<number | void> | number | void;

const HELP = `Usage: leeway <command> [flags]

Commands:
  planner-hook   sends a plan to Leeway from a planner's workflow step

  leeway <command> --help   tells the flags of a command
  leeway --version          tells the version
`;

const COMMANDS: Readonly<Record<string, Command>> = {
  "planner-hook": plannerHook,
  "--help": (_, { print }) => print(HELP),
  "--version": (_, { print, version }) => print(`${version}\n`),
};

/** Runs what the arguments ask for and gives the exit code. Never throws, and tells no secret. */
export async function runCli([name = "", ...args]: string[], terminal: Terminal): Promise<number> {
  const tell = (message: string): void => terminal.tell(redactText(message));
  try {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command) throw new Failure("usage", "name a command: planner-hook (see leeway --help)");
    return (await command(args, { ...terminal, tell })) ?? 0;
  } catch (error) {
    const { message, outcome } = failureOf(error);
    tell(message);
    return OUTCOMES[outcome].code;
  }
}
