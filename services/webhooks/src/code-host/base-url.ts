import type { Egress } from "@leeway/shared/egress/egress";
import { AppError } from "@leeway/shared/errors";

const FIELD = "provider_base_url";

/**
 * The address of a code host in the one form that is stored: no slash at its end, nothing after its path.
 * A name that can't be resolved is refused too: a token for it couldn't be validated in the next step.
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
