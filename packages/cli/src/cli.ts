import { redactText } from "@leeway/shared/redact";

import { Failure, failureOf, OUTCOMES } from "./failure.ts";
import { plannerHook } from "./planner-hook/planner-hook.ts";
import type { Terminal } from "./terminal.ts";

type Command = (args: string[], terminal: Terminal) => Promise<void> | void;

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
    await command(args, { ...terminal, tell });
    return OUTCOMES.accepted.code;
  } catch (error) {
    const { message, outcome } = failureOf(error);
    tell(message);
    return OUTCOMES[outcome].code;
  }
}
