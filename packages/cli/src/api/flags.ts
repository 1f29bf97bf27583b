import { integer, optional, variable } from "@leeway/shared/config";
import { isUuid } from "@leeway/shared/contract";

import { flag } from "../arguments.ts";
import { parseUrl } from "../url.ts";

export const KEY_VARIABLE = "LEEWAY_API_KEY";
const KEY = /^leeway_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/;

/** Where Leeway is, for whom it is asked, and how often and long that is tried. `longest` are seconds. */
export const apiFlags = (longest: number) => ({
  "--url": flag("URL", variable("Leeway's address", parseBase), "LEEWAY_URL"),
  "--org": flag("ID", variable("the organization", parseId), "LEEWAY_ORG_ID"),
  "--key-file": flag("FILE", optional(`a file that holds the key, in place of ${KEY_VARIABLE}`)),
  "--tries": flag("COUNT", integer("how often to try each request", 5, 1, 100)),
  "--max-seconds": flag(
    "SECONDS",
    integer("how long to work on it in all, waiting included", longest, 1, 86_400),
  ),
  [KEY_VARIABLE]: flag("", optional("an API key of the organization, unless --key-file is given")),
});
export type ApiFlags = ReturnType<typeof apiFlags>;

export const API_SWITCHES = {
  "--allow-http": "lets --url be plain http:// of another machine",
};

/** The key itself, of which files and variables often have a line break too many; undefined when it is none. */
export function keyIn(text: string): string | undefined {
  const key = text.trim();
  return KEY.test(key) ? key : undefined;
}

/** Scripts have the address with the path of the versioned API behind it, or without. */
function parseBase(raw: string): URL {
  const url = parseUrl(raw);
  if (url.search || url.hash) throw new Error("must not have a query or fragment");
  url.pathname = url.pathname.replace(/\/+$/, "").replace(/\/api\/v2$/, "");
  return url;
}

function parseId(raw: string): string {
  if (!isUuid(raw)) throw new Error("must be the organization's id, a uuid");
  return raw.toLowerCase();
}
