import type { Egress } from "@leeway/shared/security/egress/egress";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";

const FIELD = "base_url";

/**
 * Normalizes a provider's address for storage: no trailing slash, and nothing after its path.
 * @throws {AppError} `invalid_parameter` when it isn't public https, has more than a path, or its name can't be
 * resolved
 */
export async function checkBaseUrl(egress: Egress, raw: string): Promise<string> {
  const url = URL.parse(raw);
  if (!url) throw notPublic();
  if (url.username || url.password || url.search || url.hash)
    throw invalidParameter(FIELD, "must be a URL without user, query or fragment", "not_plain");
  url.hostname = url.hostname.replace(/\.$/, "");
  const base = url.origin + url.pathname.replace(/\/+$/, "");
  try {
    await egress.check(base);
  } catch (error) {
    if (error instanceof AppError && error.code === "unavailable")
      throw invalidParameter(FIELD, "has a host name that can't be resolved", "unreachable");
    throw notPublic(url);
  }
  return base;
}

function notPublic({ port }: { port: string } = { port: "" }): AppError {
  const where = port === "" ? "" : " on port 443";
  return invalidParameter(FIELD, `must be public https${where}`, "not_public");
}
