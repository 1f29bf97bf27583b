import { HELP, isDashed, variablesOf, type Flag, type Syntax } from "./arguments.ts";

const WIDTH = 26;

/** Returns the output of `leeway help <command>`. */
export function help({ command, operands = [], about, flags, switches, exits }: Syntax): string {
  const all = Object.entries(flags);
  const dashed = all.filter(([name]) => isDashed(name));
  const variables = all.filter(([name]) => !isDashed(name));
  return [
    `Usage: ${["leeway", command, ...operands, "[flags]"].join(" ")}`,
    "",
    about,
    "",
    "Flags, with the variable or default that applies without them:",
    ...dashed.map(([name, given]) => line(`${name} ${given.value}`, given.reads.describe + origin(given))),
    ...Object.entries({ ...switches, [HELP]: "show this help" }).map(([name, describe]) =>
      line(name, describe),
    ),
    "",
    ...(variables.length === 0
      ? []
      : [
          "Environment variables only, because other users can see arguments:",
          ...variables.map(([name, { reads }]) => line(name, reads.describe)),
          "",
        ]),
    "Exit codes:",
    ...exits.map(({ code, says }) => line(String(code), says)),
    "",
  ].join("\n");
}

function origin(flag: Flag<unknown>): string {
  const known = [...variablesOf(flag), flag.reads.fallback].filter((each) => each !== "none").join(", else ");
  return known && ` [${known}]`;
}

function line(left: string, right: string): string {
  return left.length < WIDTH - 1
    ? `  ${left.padEnd(WIDTH)}${right}`
    : `  ${left}\n  ${" ".repeat(WIDTH)}${right}`;
}
