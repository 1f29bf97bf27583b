import type { Egress } from "@leeway/shared/egress/egress";
import { AppError, invalidParameter } from "@leeway/shared/errors";

const FIELD = "base_url";

/**
 * The address of a provider in the one form that is stored: no slash at its end, nothing after its path.
 * @throws {AppError} `invalid_parameter` when it isn't public https, or its name can't be resolved
 */
export async function checkBaseUrl(egress: Egress, raw: string): Promise<string> {
  const url = URL.parse(raw);
  if (!url || url.username || url.password || url.search || url.hash) throw notPublic();
  url.hostname = url.hostname.replace(/\.$/, "");
  const base = url.origin + url.pathname.replace(/\/+$/, "");
  try {
    await egress.check(base);
  } catch (error) {
    if (error instanceof AppError && error.code === "unavailable")
      throw invalidParameter(FIELD, "names a host that can't be resolved", "unreachable");
    throw notPublic();
  }
  return base;
}

function notPublic(): AppError {
  return invalidParameter(FIELD, "must be public https", "not_public");
}
