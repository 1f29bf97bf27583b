import { integer, optional, variable } from "@leeway/shared/platform/config";
import { isUuid } from "@leeway/shared/contracts/contract";

import { flag } from "../arguments.ts";
import { PROFILE_FLAG } from "../profile/profile.ts";
import { parseUrl } from "../url.ts";

export const KEY_VARIABLE = "LEEWAY_API_KEY";
export const ID_TOKEN_VARIABLE = "LEEWAY_ID_TOKEN";
const KEY = /^leeway_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/;

/**
 * Builds the flags for the server, the organization, the key and the retry limits.
 * @param longest default time limit, in seconds
 */
export const apiFlags = (longest: number) => ({
  "--url": flag("URL", variable("address of the Leeway server", parseBase), "LEEWAY_URL"),
  "--org": flag("ID", variable("id of the organization", parseId), "LEEWAY_ORG_ID"),
  "--profile": PROFILE_FLAG,
  "--key-file": flag("FILE", optional(`file with the API key, instead of ${KEY_VARIABLE}`)),
  "--tries": flag("COUNT", integer("tries of each request", 5, 1, 100)),
  "--max-seconds": flag("SECONDS", integer("time limit of the command, with retries", longest, 1, 86_400)),
  [KEY_VARIABLE]: flag("", optional("API key of the organization, unless --key-file is set")),
  [ID_TOKEN_VARIABLE]: flag("", optional("id token of the CI job, if there is no API key")),
});
export type ApiFlags = ReturnType<typeof apiFlags>;

export const API_SWITCHES = {
  "--allow-http": "allow --url to be plain http:// on another machine",
};

/** Returns the key without the line break that files and variables often add; undefined if the text isn't a key. */
export function keyIn(text: string): string | undefined {
  const key = text.trim();
  return KEY.test(key) ? key : undefined;
}

/** Parses the server's address, with or without the path of the versioned API. */
export function parseBase(raw: string): URL {
  const url = parseUrl(raw);
  if (url.search || url.hash) throw new Error("must not have a query or fragment");
  url.pathname = url.pathname.replace(/\/+$/, "").replace(/\/api\/v2$/, "");
  return url;
}

export function parseId(raw: string): string {
  if (!isUuid(raw)) throw new Error("must be an organization's id, a UUID");
  return raw.toLowerCase();
}
