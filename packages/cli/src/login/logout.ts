import { createApi } from "../api/client.ts";
import { HELP, quoted, readArguments, type Syntax } from "../arguments.ts";
import { EXITS } from "../exits.ts";
import { Failure } from "../failure.ts";
import { help } from "../help.ts";
import { readProfiles, writeProfiles, type Profile } from "../profile/config-file.ts";
import { PROFILE_FLAG, profileName } from "../profile/profile.ts";
import type { Terminal } from "../terminal.ts";

export const LOGOUT: Syntax = {
  command: "logout",
  about: "Deletes a profile. A sign-in also ends at the server; an API key stays valid.",
  flags: { "--profile": PROFILE_FLAG },
  switches: {},
  exits: Object.values(EXITS),
};

/** Runs `leeway logout`. The profile is deleted even if the server can't be reached. */
export async function logout(args: string[], terminal: Terminal): Promise<void> {
  const given = readArguments(LOGOUT, args);
  if (given.isOn(HELP)) return terminal.print(help(LOGOUT));
  const name = profileName(given, terminal.env);
  const { [name]: profile, ...others } = await readProfiles(terminal.env);
  if (!profile) throw new Failure("usage", `no profile ${quoted(name)}; nothing to sign out of`);
  await writeProfiles(terminal.env, others);
  if (profile.expiresAt !== undefined) await revoke(profile, terminal);
  terminal.print(`signed out of ${profile.url}\n`);
}

/** Ends a sign-in at its server. @throws {Failure} if the server doesn't confirm it */
export async function revoke({ url, orgId, key, expiresAt }: Profile, terminal: Terminal): Promise<void> {
  const userAgent = `leeway-cli/${terminal.version}`;
  const settings = { url: new URL(url), orgId, apiKey: key, tries: 2, maxSeconds: 30, userAgent };
  const api = createApi(settings, terminal.log);
  const answer = await api.ask({ method: "DELETE", path: "auth/device" }).catch(() => undefined);
  // 401: it had ended before.
  if (answer && (answer.status < 300 || answer.status === 401)) return;
  throw new Failure(
    "unavailable",
    `the profile is deleted, but its key stays valid until ${expiresAt}; delete it at ${api.page("settings/keys")}`,
  );
}
