import { flag, quoted, usage, type Environment, type Given } from "../arguments.ts";
import { optional } from "@leeway/shared/platform/config";
import { configFile, readProfiles, type Profile } from "./config-file.ts";

const DEFAULT_PROFILE = "default";
const VARIABLE = "LEEWAY_PROFILE";

export const PROFILE_FLAG = flag("NAME", optional("profile of leeway login"), VARIABLE);

/** Returns the name of the profile that flag or variable choose. */
export function profileName(given: Given, env: Environment): string {
  return given.values["--profile"] || env[VARIABLE] || DEFAULT_PROFILE;
}

/**
 * Returns the chosen profile; undefined if nobody has signed in and no profile was named.
 * @throws {Failure} `usage` if the named profile doesn't exist
 */
export async function chosenProfile(given: Given, env: Environment): Promise<Profile | undefined> {
  const profiles = await readProfiles(env);
  const name = profileName(given, env);
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile || name === DEFAULT_PROFILE) return profile;
  const known = Object.keys(profiles);
  const hint = known.length === 0 ? "" : `; profiles are ${known.join(", ")}`;
  throw usage(given.command, `no profile ${quoted(name)} in ${configFile(env) ?? "the config file"}${hint}`);
}

/** Returns the environment with the profile's server and organization, unless variables name others. */
export function withProfile(env: Environment, profile: Profile | undefined): Environment {
  if (!profile) return env;
  return {
    ...env,
    LEEWAY_URL: env["LEEWAY_URL"] || profile.url,
    LEEWAY_ORG_ID: env["LEEWAY_ORG_ID"] || profile.orgId,
  };
}

/** Returns the profile's key for a server, which must be the profile's own. */
export function keyFor(url: URL, profile: Profile | undefined, given: Given): string | undefined {
  if (!profile || new URL(profile.url).href !== url.href) return undefined;
  const { key, expiresAt } = profile;
  if (expiresAt !== undefined && Date.parse(expiresAt) <= Date.now())
    throw usage(given.command, `your sign-in expired at ${expiresAt}; run leeway login`);
  return key;
}
