import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { isObject, member, text, type JsonObject } from "@leeway/shared/values/json";

import type { Environment } from "../arguments.ts";
import { Failure } from "../failure.ts";
import { parseJson } from "../http.ts";
import { reasonOf } from "../reason.ts";

/** A server, an organization, and the key that `leeway login` stored for them. */
export interface Profile {
  url: string;
  orgId: string;
  key: string;
  /** Expiry of a key that a person's sign-in created; undefined for an API key. */
  expiresAt?: string;
}

export type Profiles = Readonly<Record<string, Profile>>;

/** Returns the path of the config file; undefined without a home directory. */
export function configFile(env: Environment): string | undefined {
  const { XDG_CONFIG_HOME: config, HOME = env["USERPROFILE"] } = env;
  const folder = config || (HOME && join(HOME, ".config"));
  return folder ? join(folder, "leeway", "config.json") : undefined;
}

/** Reads all profiles; none if there is no file. @throws {Failure} `usage` if the file can't be read */
export async function readProfiles(env: Environment): Promise<Profiles> {
  const file = configFile(env);
  if (file === undefined) return {};
  const said = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new Failure("usage", `can't read ${file}: ${reasonOf(error)}`, { cause: error });
  });
  if (said === undefined) return {};
  const value = parseJson(said);
  if (!isObject(value)) throw new Failure("usage", `${file} isn't valid JSON; correct or delete it`);
  const profiles = member(value, "profiles") ?? {};
  return Object.fromEntries(
    Object.keys(profiles).flatMap((name) => {
      const profile = profileIn(member(profiles, name));
      return profile ? [[name, profile]] : [];
    }),
  );
}

/**
 * Replaces all profiles. Only the user may read the file.
 * @throws {Failure} if the file can't be written
 */
export async function writeProfiles(env: Environment, profiles: Profiles): Promise<string> {
  const file = configFile(env);
  if (file === undefined)
    throw new Failure("usage", "set HOME or XDG_CONFIG_HOME: profiles are stored there");
  const fresh = `${file}.${process.pid}`;
  const stored = Object.entries(profiles).map(([name, { url, orgId, key, expiresAt }]) => [
    name,
    { url, org_id: orgId, key, ...(expiresAt !== undefined && { expires_at: expiresAt }) },
  ]);
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const content = JSON.stringify({ profiles: Object.fromEntries(stored) }, null, 2);
    await writeFile(fresh, `${content}\n`, { mode: 0o600 });
    await chmod(fresh, 0o600); // the file may exist from an interrupted try
    await rename(fresh, file);
  } catch (cause) {
    throw new Failure("internal", `can't write ${file}: ${reasonOf(cause)}`, { cause });
  }
  return file;
}

function profileIn(value: JsonObject | undefined): Profile | undefined {
  const [url, orgId, key] = ["url", "org_id", "key"].map((name) => text(value, name));
  if (!url || !orgId || !key || !URL.canParse(url)) return undefined;
  const expiresAt = text(value, "expires_at");
  return { url, orgId, key, ...(expiresAt !== undefined && { expiresAt }) };
}
