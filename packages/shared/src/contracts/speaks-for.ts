import type { Repository, SpeaksFor } from "./common.ts";
import { AppError } from "../values/errors.ts";
import { hostNameIn } from "./webhooks/code-hosts.ts";

/** Path steps that name no repository, or lead out of the previous one. */
const NO_STEPS: ReadonlySet<string> = new Set(["", ".", ".."]);

/** Returns whether all of `text` fits a pattern, in which `*` stands for any characters. Linear for one `*`. */
export function fitsPattern(pattern: string, text: string): boolean {
  const [head = "", ...parts] = pattern.split("*");
  const tail = parts.pop();
  if (tail === undefined) return pattern === text;
  if (!text.startsWith(head)) return false;
  let at = head.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - tail.length >= at && text.endsWith(tail);
}

/**
 * Checks that a caller may speak for a repository.
 * @param what makes the claim, such as `the plan`
 * @throws {AppError} `repository_mismatch` that names the caller's repositories
 */
export function requireSpeaksFor(
  may: SpeaksFor | undefined,
  claimed: Repository | undefined,
  what: string,
): void {
  if (!may) return;
  const { repositories, host } = may;
  const bound = `these credentials only work for ${repositories.join(", ")}`;
  if (!claimed) throw mismatch(`${bound}, but ${what} names no repository; set repository`);
  const { path } = claimed;
  const claimedHost = hostNameIn(claimed.host);
  const isOfHost = host === undefined || claimedHost === undefined || claimedHost === host;
  const isNamed =
    isOfHost &&
    !path.split("/").some((step) => NO_STEPS.has(step)) &&
    repositories.some((pattern) => fitsPattern(pattern, path));
  if (isNamed) return;
  const name = isOfHost ? path : `${claimedHost}/${path}`;
  throw mismatch(`${bound}, but ${what} belongs to ${name}; use credentials for that repository`);
}

function mismatch(message: string): AppError {
  return new AppError("repository_mismatch", message);
}
