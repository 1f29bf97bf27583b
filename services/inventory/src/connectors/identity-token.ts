import { ConnectorError } from "./connector.ts";

/**
 * A signed statement (a JWT) of who is asking, for a cloud that trusts this installation's issuer. Its subject must
 * name the organization that the account is of: a cloud trusts a subject, and one organization could otherwise use
 * what another was given.
 */
export type IdentityToken = (audience: string) => Promise<string>;

/** For an installation that has no issuer. @throws {ConnectorError} always */
export async function noIdentityToken(): Promise<string> {
  throw new ConnectorError({
    code: "unsupported",
    message: "this installation signs no identity tokens: use credentials of another kind",
  });
}

/** What becomes of a statement that can't be signed; the signer's own error may hold what it signs with. */
export function unsigned(error: unknown): never {
  if (error instanceof ConnectorError) throw error;
  throw new ConnectorError({ code: "internal", message: "no identity token could be signed" });
}
