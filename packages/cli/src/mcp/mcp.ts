import process from "node:process";

import { createMcpServer } from "@leeway/shared/mcp/server";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { AppError } from "@leeway/shared/values/errors";

import { apiFlags, API_SWITCHES } from "../api/flags.ts";
import { openApi } from "../api/open-api.ts";
import { HELP, readArguments, type Given, type Syntax } from "../arguments.ts";
import { EXITS } from "../exits.ts";
import { failureOf } from "../failure.ts";
import { help } from "../help.ts";
import { chosenProfile, withProfile } from "../profile/profile.ts";
import type { Terminal } from "../terminal.ts";
import { TOOLS, type Tool } from "./tools.ts";

const API_FLAGS = apiFlags(60);
const LOOK = { width: 120, colours: false };

export const MCP: Syntax = {
  command: "mcp",
  about: [
    "Serves tools to a language model over standard input and output (Model Context Protocol): drift in files and the",
    "analysis of a plan on this machine; with a server also its accounts, resources, changes and noise, and proposals.",
  ].join("\n"),
  flags: API_FLAGS,
  switches: API_SWITCHES,
  exits: Object.values(EXITS),
};

/** Runs `leeway mcp` until standard input ends. */
export async function mcp(args: string[], terminal: Terminal): Promise<void> {
  const given = readArguments(MCP, args);
  if (given.isOn(HELP)) return terminal.print(help(MCP));
  const known = withProfile(terminal.env, await chosenProfile(given, terminal.env));
  const hasServer = Boolean(given.values["--url"] ?? known["LEEWAY_URL"]);
  const tools = TOOLS.filter(({ needsServer }) => hasServer || !needsServer);
  const server = createMcpServer({
    version: terminal.version,
    tools,
    call: (tool, input) => call(tool, input, { given, terminal }),
    messageOf: (error) => (error instanceof AppError ? error : failureOf(error)).message,
  });
  const ended = Promise.withResolvers<void>();
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it isn't an event target
  server.onclose = () => ended.resolve();
  process.stdin.once("end", () => void server.close());
  await server.connect(new StdioServerTransport());
  await ended.promise;
}

/** Calls a tool, and returns what it prints and its answer. */
async function call(
  tool: Tool,
  input: unknown,
  { given, terminal }: { given: Given; terminal: Terminal },
): Promise<string> {
  let printed = "";
  const captured: Terminal = {
    ...terminal,
    look: LOOK,
    print: (text) => void (printed += text),
    during: (_, work) => work(),
    // Standard input carries the protocol.
    readInput: () => new Blob([]).stream(),
  };
  const answer = await tool.run(input, {
    terminal: captured,
    openApi: () => openApi(API_FLAGS, given, terminal),
  });
  return printed + answer;
}
