import { ConnectorError } from "./connector.ts";

/**
 * Signs a JWT that identifies the caller to a cloud that trusts this installation's issuer. Its subject must name the
 * account's organization. Clouds trust a subject, so organizations that shared one could use each other's accounts.
 */
export type IdentityToken = (audience: string) => Promise<string>;

/** Signs nothing, for an installation without an issuer. @throws {ConnectorError} always */
export async function noIdentityToken(): Promise<string> {
  throw new ConnectorError({
    code: "unsupported",
    message: "this installation doesn't sign identity tokens; use credentials of another kind",
  });
}

/** Replaces a signer's error, which may contain key material. */
export function unsigned(error: unknown): never {
  if (error instanceof ConnectorError) throw error;
  throw new ConnectorError({ code: "internal", message: "couldn't sign an identity token" });
}
