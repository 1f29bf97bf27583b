import { hostname } from "node:os";

import { optional, variable } from "@leeway/shared/platform/config";
import { members, text, type JsonObject } from "@leeway/shared/values/json";

import { createApi, type Answer, type Api } from "../api/client.ts";
import { API_SWITCHES, keyIn, parseBase, parseId } from "../api/flags.ts";
import { readKey } from "../api/open-api.ts";
import { expectOk, plain } from "../api/refusal.ts";
import { flag, HELP, loadFlags, maybe, maybeOneOf, readArguments, usage, type Syntax } from "../arguments.ts";
import { EXITS } from "../exits.ts";
import { Failure } from "../failure.ts";
import { help } from "../help.ts";
import { readProfiles, writeProfiles, type Profile } from "../profile/config-file.ts";
import { PROFILE_FLAG, profileName } from "../profile/profile.ts";
import type { Terminal } from "../terminal.ts";
import { bytesOf, decodeText } from "../text.ts";
import { requireTls } from "../url.ts";
import { idTokenOf } from "./device-flow.ts";
import { revoke } from "./logout.ts";

const PATIENCE = { tries: 5, maxSeconds: 60 };
const FLAGS = {
  "--url": flag("URL", variable("address of the Leeway server", parseBase), "LEEWAY_URL"),
  "--org": flag("ID", maybe("id of the organization, if you belong to several", parseId), "LEEWAY_ORG_ID"),
  "--profile": PROFILE_FLAG,
  "--key": flag(
    "FILE",
    optional("store the API key in this file instead of signing in; - is standard input"),
  ),
  "--role": flag("ROLE", maybeOneOf("highest role of the sign-in", ["admin", "member", "viewer"] as const)),
};

export const LOGIN: Syntax = {
  command: "login",
  about: [
    "Signs you in through the server's identity provider, with a code that you enter in a browser, and stores the result",
    "as a profile. Other commands use it unless variables or flags name another server or key.",
  ].join("\n"),
  flags: FLAGS,
  switches: API_SWITCHES,
  exits: Object.values(EXITS),
};

interface SignedIn {
  key: string;
  orgId: string;
  expiresAt?: string;
}

/** Runs `leeway login`. The key is never printed. */
export async function login(args: string[], terminal: Terminal): Promise<void> {
  const given = readArguments(LOGIN, args);
  if (given.isOn(HELP)) return terminal.print(help(LOGIN));
  const profiles = await readProfiles(terminal.env);
  const name = profileName(given, terminal.env);
  const old = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  const env = { ...terminal.env, LEEWAY_URL: terminal.env["LEEWAY_URL"] || old?.url };
  const values = loadFlags(FLAGS, given, env);
  const { "--url": url, "--key": keyFile, "--org": wanted, "--role": role } = values;
  if (!given.isOn("--allow-http")) requireTls(url);
  const open = (more: { apiKey?: string; orgId?: string }): Api =>
    createApi(
      { url, orgId: "", userAgent: `leeway-cli/${terminal.version}`, ...PATIENCE, ...more },
      terminal.log,
    );
  const made =
    keyFile === undefined
      ? await signIn(open({}), { wanted, role, terminal })
      : await withKey(await keyFrom(keyFile, terminal), wanted, open);
  const organization = await organizationOf(open({ apiKey: made.key }), made.orgId);
  const file = await writeProfiles(terminal.env, { ...profiles, [name]: { url: url.href, ...made } });
  await forget(old, terminal);
  terminal.print(`signed in to ${described(organization, made)}; ${open(made).page("posture")}\n`);
  terminal.log(`profile ${name} is in ${file}`);
}

/** Ends the profile's previous sign-in, which expires anyway if that fails. */
async function forget(old: Profile | undefined, terminal: Terminal): Promise<void> {
  if (old?.expiresAt !== undefined) await revoke(old, terminal).catch(() => undefined);
}

function described(organization: JsonObject, { orgId, expiresAt }: SignedIn): string {
  const until = expiresAt === undefined ? "" : `, until ${expiresAt}`;
  return `${plain(text(organization, "name") ?? orgId)} as ${plain(text(organization, "role") ?? "")}${until}`;
}

/** Signs in through the server's identity provider. */
async function signIn(
  api: Api,
  { wanted, role, terminal }: { wanted: string | undefined; role: string | undefined; terminal: Terminal },
): Promise<SignedIn> {
  const provider = await api.ask({ method: "GET", path: "auth/device" });
  const [issuer, clientId] = [text(provider.body, "issuer"), text(provider.body, "client_id")];
  if (provider.status === 404 || issuer === undefined || clientId === undefined)
    throw new Failure(
      "not_found",
      "this server has no sign-in for the command line: pass an API key with leeway login --key -",
    );
  const idToken = await idTokenOf({ issuer, clientId }, terminal);
  const sent = {
    id_token: idToken,
    name: `leeway on ${hostname()}`.slice(0, 100),
    ...(wanted !== undefined && { org_id: wanted }),
    ...(role !== undefined && { role }),
  };
  const body = new TextEncoder().encode(JSON.stringify(sent));
  const headers = { "content-type": "application/json" };
  const answer = await api.ask({ method: "POST", path: "auth/device", headers, body: () => body });
  const { body: made } = expectSignedIn(answer);
  const [key, orgId, expiresAt] = ["key", "org_id", "expires_at"].map((name) => text(made, name));
  if (!key || !orgId || !expiresAt)
    throw new Failure("refused", "this leeway can't read the server's answer: compare their versions");
  return { key, orgId, expiresAt };
}

/** Returns the answer of a sign-in if it is a success. @throws {Failure} that says what to do */
function expectSignedIn(answer: Answer): Answer {
  const said = plain(text(answer.body, "message") ?? "");
  if (text(answer.body, "code") === "org_required")
    throw new Failure("usage", `${said}: leeway login --org ID`);
  if (answer.status === 401) throw new Failure("unauthorized", said);
  if (answer.status === 404)
    throw new Failure("not_found", "you belong to no such organization; an owner or admin can invite you");
  return expectOk(answer, "the sign-in");
}

/** Finds the organization of a key. */
async function withKey(
  key: string,
  wanted: string | undefined,
  open: (more: { apiKey: string }) => Api,
): Promise<SignedIn> {
  const organization = await organizationOf(open({ apiKey: key }), wanted);
  return { key, orgId: text(organization, "id") ?? "" };
}

async function organizationOf(api: Api, wanted: string | undefined): Promise<JsonObject> {
  const answer = await api.ask({ method: "GET", path: "orgs?limit=500" });
  const known = members(expectOk(answer, "the API key").body, "data");
  const found = known.find((each) => wanted === undefined || text(each, "id") === wanted);
  if (found) return found;
  throw new Failure(
    "not_found",
    "the key doesn't belong to this organization: check --org and LEEWAY_ORG_ID",
  );
}

async function keyFrom(file: string, terminal: Terminal): Promise<string> {
  const isInput = file === "-";
  const given = isInput
    ? decodeText(await bytesOf(terminal.readInput()))
    : await readKey(file, LOGIN.command);
  const key = keyIn(given);
  if (key !== undefined) return key;
  const origin = isInput ? "standard input" : `the key file ${file}`;
  throw usage(LOGIN.command, `${origin} must contain a complete API key (leeway_…) and nothing else`);
}
