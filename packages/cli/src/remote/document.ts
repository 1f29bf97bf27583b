import { apiFlags, API_SWITCHES } from "../api/flags.ts";
import { isDashed } from "../arguments.ts";
import { REMOTE } from "./commands.ts";
import { syntaxOf } from "./remote.ts";

/** Returns the table of the server's commands for the documentation. */
export function remoteTable(): string {
  const shared = new Set([...Object.keys(apiFlags(0)), ...Object.keys(API_SWITCHES), "--json", "--limit"]);
  const rows = REMOTE.map((remote) => {
    const { command, operands = [], about, flags, switches } = syntaxOf(remote);
    const own = [
      ...Object.entries(flags)
        .filter(([name]) => isDashed(name))
        .map(([name, { value }]) => `${name} ${value}`),
      ...Object.keys(switches),
    ].filter((flag) => !shared.has(flag.split(" ")[0] ?? ""));
    return `| \`${["leeway", command, ...operands].join(" ")}\` | ${about} | ${own.map((flag) => `\`${flag}\``).join(" ")} |`;
  });
  return ["| Command | | Its own flags |", "|---|---|---|", ...rows].join("\n");
}
