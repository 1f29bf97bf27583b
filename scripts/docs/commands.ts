import { remoteTable } from "@leeway/cli/remote-table";

export const COMMANDS_FILE = `${import.meta.dir}/../../docs/cli.md`;

const BEGIN = "<!-- commands: written by bun run docs -->";
const END = "<!-- /commands -->";

/** Returns the page with the table of the server's commands. */
export function withCommands(page: string): string {
  const [head, rest] = page.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (head === undefined || tail === undefined) throw new Error(`docs/cli.md needs ${BEGIN} and ${END}`);
  return `${head}${BEGIN}\n\n${remoteTable()}\n\n${END}${tail}`;
}
