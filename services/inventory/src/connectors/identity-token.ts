/**
 * A signed statement (a JWT) of who is asking, for a cloud that trusts this installation's issuer. Its subject must
 * name the organization that the account is of: a cloud trusts a subject, and one organization could otherwise use
 * what another was given.
 */
export type IdentityToken = (audience: string) => Promise<string>;
