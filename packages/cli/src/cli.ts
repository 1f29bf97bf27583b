import { redactText } from "@leeway/shared/security/redaction/redact";

import { analyze } from "./analyze/analyze.ts";
import { didYouMean, HELP, quoted } from "./arguments.ts";
import { withoutCommands } from "./ci-commands.ts";
import { comment } from "./comment/comment.ts";
import { EXITS } from "./exits.ts";
import { Failure, failureOf, OUTCOMES } from "./failure.ts";
import { fix } from "./fix/fix.ts";
import { plannerHook } from "./planner-hook/planner-hook.ts";
import { pushListing } from "./push/push-listing.ts";
import { pushState } from "./push/push-state.ts";
import { login } from "./login/login.ts";
import { logout } from "./login/logout.ts";
import { REMOTE } from "./remote/commands.ts";
import { runRemote } from "./remote/remote.ts";
import type { Terminal } from "./terminal.ts";

interface Command {
  about: string;
  /**
   * Runs the command.
   * @returns the exit code, 0 by default
   */
  run(args: string[], terminal: Terminal): Promise<number | void> | void;
}

const PLANNER_HOOK = "planner-hook";
const COMMANDS: Readonly<Record<string, Command>> = {
  drift: { about: "compare states with live resources, without a server", run: driftLazily },
  adopt: { about: "turn undeclared resources into code", run: adoptLazily },
  settle: { about: "end drift in code: a patch, or the commands to revert", run: settleLazily },
  comment: { about: "post or update a comment with the job's own token", run: comment },
  analyze: { about: "analyze a plan, print or write reports, fail on a risk level", run: analyze },
  fix: { about: "print or apply a fix for noise", run: fix },
  "rules check": { about: "check a file of rules, without a server", run: rulesCheckLazily },
  "rules plan": { about: "show how a file would change the organization's rules", run: rulesPlanLazily },
  "rules apply": { about: "make the organization's rules equal to a file", run: rulesApplyLazily },
  "state push": { about: "push a state to a source", run: pushState },
  "listing push": { about: "push the list of an account's resources", run: pushListing },
  login: { about: "sign in to a server, and store the sign-in or a key as a profile", run: login },
  logout: { about: "delete a profile and end its sign-in", run: logout },
  ...Object.fromEntries(
    REMOTE.map((remote) => [
      remote.command,
      { about: shortened(remote.about), run: (args, terminal) => runRemote(remote, args, terminal) },
    ]),
  ),
  completion: { about: "print the shell's completion of commands and flags", run: completionLazily },
  mcp: { about: "serve tools to a language model (MCP)", run: mcpLazily },
  [PLANNER_HOOK]: { about: "send a plan to Leeway from a planner's workflow step", run: plannerHook },
};
/** Loads the catalogs of all clouds, which take longer than most commands. */
async function driftLazily(args: string[], terminal: Terminal): Promise<number> {
  const { drift } = await import("./drift/drift.ts");
  return drift(args, terminal);
}

async function adoptLazily(args: string[], terminal: Terminal): Promise<number> {
  const { adopt } = await import("./adopt/adopt.ts");
  return adopt(args, terminal);
}

async function settleLazily(args: string[], terminal: Terminal): Promise<number> {
  const { settle } = await import("./settle/settle.ts");
  return settle(args, terminal);
}

/** Load the evaluation of conditions, which other commands don't need. */
async function rulesCheckLazily(args: string[], terminal: Terminal): Promise<void> {
  const { rulesCheck } = await import("./rules/rules.ts");
  return rulesCheck(args, terminal);
}
async function rulesPlanLazily(args: string[], terminal: Terminal): Promise<void> {
  const { rulesPlan } = await import("./rules/rules.ts");
  return rulesPlan(args, terminal);
}
async function rulesApplyLazily(args: string[], terminal: Terminal): Promise<void> {
  const { rulesApply } = await import("./rules/rules.ts");
  return rulesApply(args, terminal);
}
/** Loads every command, for its flags. */
async function completionLazily(args: string[], terminal: Terminal): Promise<void> {
  const { completion } = await import("./completion/completion.ts");
  return completion(args, terminal);
}
/** Loads the protocol, which no other command needs. */
async function mcpLazily(args: string[], terminal: Terminal): Promise<void> {
  const { mcp } = await import("./mcp/mcp.ts");
  return mcp(args, terminal);
}

/** Returns the start of a description, in the style of the list: `Lists accounts.` becomes `list accounts`. */
function shortened(about: string): string {
  const [first = ""] = about.split(/(?:[.,] |\.$)/);
  return first.replace(/^[A-Z][a-z]+(?=s )/, (verb) => verb.toLowerCase()).replace(/^([a-z]+)s /, "$1 ");
}

const NAMES = Object.keys(COMMANDS);

const USAGE = `Usage: leeway <command> [flags]

Commands:
${NAMES.map((name) => `  ${name.padEnd(15)}  ${COMMANDS[name]?.about}`).join("\n")}

"leeway help <command>" shows the flags of a command, "leeway version" the version.
`;

const HELPS: ReadonlySet<string> = new Set(["help", HELP, "-h"]);
const VERSIONS: ReadonlySet<string> = new Set(["version", "--version"]);

/** Runs the command that the arguments name and returns its exit code. Never throws, and never shows a secret. */
export async function runCli(args: string[], terminal: Terminal): Promise<number> {
  const log = (message: string): void => terminal.log(withoutCommands(redactText(message)));
  const print = (result: string): void => terminal.print(withoutCommands(result));
  try {
    return (await start(args, { ...terminal, log, print })) ?? EXITS.ok.code;
  } catch (error) {
    const { message, outcome, cause } = failureOf(error);
    log(message);
    if (args[0] === PLANNER_HOOK) return OUTCOMES[outcome].code;
    return outcome === "usage" || isMissing(cause) ? EXITS.usage.code : EXITS.failure.code;
  }
}

/** Returns whether a named file doesn't exist. */
function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
}

function start([first = HELP, ...others]: string[], terminal: Terminal): ReturnType<Command["run"]> {
  if (VERSIONS.has(first)) return terminal.print(`${terminal.version}\n`);
  const words = HELPS.has(first) ? [...others, HELP] : [first, ...others];
  const name = [2, 1]
    .map((count) => words.slice(0, count).join(" "))
    .find((each) => Object.hasOwn(COMMANDS, each));
  if (name !== undefined) return COMMANDS[name]?.run(words.slice(name.split(" ").length), terminal);
  const rest = words.filter((word) => !HELPS.has(word));
  const isGroup = rest.length === 1 && NAMES.some((each) => each.startsWith(`${rest[0]} `));
  if (rest.length === 0 || (isGroup && rest.length < words.length)) return terminal.print(USAGE);
  throw unknown(rest);
}

function unknown(words: readonly string[]): Failure {
  const [first = "", second = ""] = words;
  if (first.startsWith("-")) {
    return new Failure(
      "usage",
      `name a command before ${quoted(first)}: ${NAMES.join(", ")}; see leeway help`,
    );
  }
  const both = `${first} ${second}`;
  const isPair =
    NAMES.some((name) => name.startsWith(`${first} `)) && !second.startsWith("-") && second !== "";
  const hint = didYouMean(both, NAMES) || didYouMean(first, NAMES) || beginningWith(first);
  const typed = quoted(isPair ? both : first);
  return new Failure("usage", `unknown command ${typed}${hint || `; commands are ${NAMES.join(", ")}`}`);
}

function beginningWith(word: string): string {
  const meant = NAMES.find((name) => name.split(" ").includes(word));
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}
