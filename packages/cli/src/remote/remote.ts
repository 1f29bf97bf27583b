import type { JsonObject } from "@leeway/shared/values/json";

import type { Api } from "../api/client.ts";
import { apiFlags, API_SWITCHES } from "../api/flags.ts";
import { openApi } from "../api/open-api.ts";
import { HELP, loadFlags, readArguments, type Environment, type Flags, type Syntax } from "../arguments.ts";
import { EXITS } from "../exits.ts";
import { help } from "../help.ts";
import type { Terminal } from "../terminal.ts";

/** Arguments of a command that calls the server. */
export interface RemoteCall {
  api: Api;
  command: string;
  operands: readonly string[];
  /** Texts by flag. */
  values: Environment;
  all(name: string): readonly string[];
  isOn(name: string): boolean;
  terminal: Terminal;
}

/** Result of a command: rows or an object for `--json`, text for people, and a page of the dashboard. */
export interface Shown {
  json: JsonObject | readonly JsonObject[];
  text: string;
  page: string;
  /** Advice, or a hint at rows that aren't shown. */
  note?: string;
}

/** A command that reads or changes data of the server. */
export interface Remote {
  command: string;
  operands?: readonly string[];
  about: string;
  /** Text of the progress line. */
  activity: string;
  flags: Flags;
  switches?: Readonly<Record<string, string>>;
  /** Time limit, in seconds, 60 by default. */
  maxSeconds?: number;
  run(call: RemoteCall): Promise<Shown>;
}

const JSON_SWITCH = { "--json": "print JSON, with links to the dashboard" };

export function syntaxOf(remote: Remote): Syntax {
  const { command, operands = [], about, flags, switches, maxSeconds = 60 } = remote;
  return {
    command,
    operands,
    about,
    flags: { ...flags, ...apiFlags(maxSeconds) },
    switches: { ...switches, ...JSON_SWITCH, ...API_SWITCHES },
    exits: Object.values(EXITS),
  };
}

/** Runs a command of the server. The link to the dashboard is a message, so that the output stays a plain table. */
export async function runRemote(remote: Remote, args: string[], terminal: Terminal): Promise<void> {
  const syntax = syntaxOf(remote);
  const given = readArguments(syntax, args);
  if (given.isOn(HELP)) return terminal.print(help(syntax));
  const values = loadFlags(remote.flags, given, terminal.env);
  const api = await openApi(apiFlags(remote.maxSeconds ?? 60), given, terminal);
  const texts = Object.entries(values).map(([name, value]) => [name, textOf(value)]);
  const { command, operands, all, isOn } = given;
  const call = { api, command, operands, values: Object.fromEntries(texts), all, isOn, terminal };
  const { json, text, page, note } = await terminal.during(remote.activity, () => remote.run(call));
  const isJson = given.isOn("--json");
  terminal.print(isJson ? `${JSON.stringify(json, null, 2)}\n` : text);
  if (note !== undefined) terminal.log(note);
  if (!isJson) terminal.log(page);
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
