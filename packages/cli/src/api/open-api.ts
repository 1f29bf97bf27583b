import { readFile } from "node:fs/promises";

import { loadFlags, usage, type Environment, type Given } from "../arguments.ts";
import { codeOf } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import { requireTls } from "../url.ts";
import { createApi, type Api } from "./client.ts";
import { KEY_VARIABLE, keyIn, type ApiFlags } from "./flags.ts";

/**
 * Leeway's API as flags and variables say.
 * @throws {Failure} `usage`, which names all that is missing or wrong, and never quotes the key
 */
export async function openApi(flags: ApiFlags, given: Given, terminal: Terminal): Promise<Api> {
  const values = loadFlags(flags, given, terminal.env);
  if (!given.isOn("--allow-http")) requireTls(values["--url"]);
  const settings = {
    url: values["--url"],
    orgId: values["--org"],
    apiKey: await keyOf(values["--key-file"], given, terminal.env),
    tries: values["--tries"],
    maxSeconds: values["--max-seconds"],
    userAgent: `leeway-cli/${terminal.version}`,
  };
  return createApi(settings, terminal.tell);
}

async function keyOf(file: string | undefined, { command }: Given, env: Environment): Promise<string> {
  const text = file === undefined ? env[KEY_VARIABLE] : await readKey(file, command);
  if (!text) throw usage(command, `${KEY_VARIABLE} is required, or --key-file`);
  const key = keyIn(text);
  if (key !== undefined) return key;
  const origin = file === undefined ? KEY_VARIABLE : "what --key-file names";
  throw usage(command, `${origin} must be a whole API key, leeway_…, and nothing else`);
}

async function readKey(file: string, command: string): Promise<string> {
  return readFile(file, "utf8").catch((cause: unknown) => {
    const problem = `the file that --key-file names can't be read${codeOf(cause)}`;
    throw Object.assign(usage(command, problem), { cause });
  });
}
