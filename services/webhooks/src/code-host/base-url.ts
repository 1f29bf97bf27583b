import type { Egress } from "@leeway/shared/security/egress/egress";
import { AppError } from "@leeway/shared/values/errors";

const FIELD = "provider_base_url";

/**
 * Checks the URL of a code host and returns it as stored, without a trailing slash, query or fragment. A name that
 * can't be resolved is rejected too, because its token couldn't be validated next.
 * @throws {AppError} `invalid_parameter`
 */
export async function checkBaseUrl(egress: Egress, raw: string): Promise<string> {
  const url = URL.parse(raw);
  if (!url || url.username || url.password || url.search || url.hash) throw notPublic();
  url.hostname = url.hostname.replace(/\.$/, "");
  const base = url.origin + url.pathname.replace(/\/+$/, "");
  try {
    await egress.check(base);
  } catch (error) {
    throw error instanceof AppError && error.code === "unavailable" ? unreachable() : notPublic();
  }
  return base;
}

function notPublic(): AppError {
  return refusal("not_public", `${FIELD} must be public https`);
}

function unreachable(): AppError {
  return refusal("unreachable", "instance unreachable");
}

function refusal(code: string, message: string): AppError {
  return new AppError("invalid_parameter", message, { details: [{ field: FIELD, code, message }] });
}
