import { readFile } from "node:fs/promises";

import { text } from "@leeway/shared/values/json";

import { loadFlags, usage, type Environment, type Given } from "../arguments.ts";
import { Failure } from "../failure.ts";
import { chosenProfile, keyFor, withProfile } from "../profile/profile.ts";
import { reasonOf } from "../reason.ts";
import type { Terminal } from "../terminal.ts";
import { requireTls } from "../url.ts";
import { createApi, type Api } from "./client.ts";
import { ID_TOKEN_VARIABLE, KEY_VARIABLE, keyIn, type ApiFlags } from "./flags.ts";
import { plain } from "./refusal.ts";

/**
 * Connects to Leeway's API with the settings from flags and variables.
 * @throws {Failure} `usage`, which lists everything that is missing or wrong and never quotes the key; as `ask` if a CI
 * job signs in
 */
export async function openApi(flags: ApiFlags, given: Given, terminal: Terminal): Promise<Api> {
  const profile = await chosenProfile(given, terminal.env);
  const values = loadFlags(flags, given, withProfile(terminal.env, profile));
  if (!given.isOn("--allow-http")) requireTls(values["--url"]);
  const stored = (): string | undefined => keyFor(values["--url"], profile, given);
  const key = await keyOf(values["--key-file"], { given, env: terminal.env, stored });
  const settings = {
    url: values["--url"],
    orgId: values["--org"],
    tries: values["--tries"],
    maxSeconds: values["--max-seconds"],
    userAgent: `leeway-cli/${terminal.version}`,
  };
  const apiKey = key ?? (await signIn(createApi(settings, terminal.log), terminal.env));
  return createApi({ ...settings, apiKey }, terminal.log);
}

/** Exchanges the id token of a CI job for a token that is good as a key is. @throws {Failure} */
async function signIn(api: Api, env: Environment): Promise<string> {
  const body = new TextEncoder().encode(JSON.stringify({ token: env[ID_TOKEN_VARIABLE], org_id: api.orgId }));
  const headers = { "content-type": "application/json" };
  const answer = await api.ask({ method: "POST", path: "auth/ci", headers, body: () => body });
  const token = text(answer.body, "token");
  if (answer.status < 300 && token !== undefined) return token;
  if (answer.status === 404)
    throw new Failure(
      "unauthorized",
      `this server doesn't accept id tokens: set ${KEY_VARIABLE}, or upgrade the server`,
    );
  const why = plain(text(answer.body, "message") ?? "");
  throw new Failure("unauthorized", `Leeway rejected ${ID_TOKEN_VARIABLE} (${answer.status}): ${why}`);
}

interface KeySources {
  given: Given;
  env: Environment;
  /** Returns the key of the profile, if it has one for this server. */
  stored(): string | undefined;
}

/** Undefined where the id token of a CI job takes its place. */
async function keyOf(
  file: string | undefined,
  { given: { command }, env, stored }: KeySources,
): Promise<string | undefined> {
  const named = file === undefined ? env[KEY_VARIABLE] : await readKey(file, command);
  if (!named && file === undefined && env[ID_TOKEN_VARIABLE]) return undefined;
  const given = named || (file === undefined ? stored() : undefined);
  if (!given)
    throw usage(
      command,
      `${KEY_VARIABLE}, --key-file or leeway login is required; a CI job may set ${ID_TOKEN_VARIABLE}`,
    );
  const key = keyIn(given);
  if (key !== undefined) return key;
  const origin = file === undefined ? KEY_VARIABLE : `the key file ${file}`;
  throw usage(command, `${origin} must contain a complete API key (leeway_…) and nothing else`);
}

export async function readKey(file: string, command: string): Promise<string> {
  return readFile(file, "utf8").catch((cause: unknown) => {
    const problem = `can't read the key file ${file}: ${reasonOf(cause)}`;
    throw Object.assign(usage(command, problem), { cause });
  });
}
