import { SignJWT } from "jose";

import type { IdentityToken } from "@leeway/connectors/identity-token";
import { organizationIdentity } from "@leeway/connectors/organization-identity";
import { ALGORITHM, type SigningKeys } from "./signing-keys.ts";

const LIFETIME_SECONDS = 10 * 60;

/** Returns a function that signs identity tokens of an organization. Clouds fetch the keys from `issuer`. */
export function identityTokens(issuer: string, keys: SigningKeys): (orgId: string) => IdentityToken {
  return (orgId) => async (audience) => {
    const { id, privateKey } = await keys.current();
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT()
      .setProtectedHeader({ alg: ALGORITHM, typ: "JWT", kid: id })
      .setIssuer(issuer)
      .setSubject(organizationIdentity(orgId))
      .setAudience(audience)
      .setIssuedAt(now)
      .setNotBefore(now)
      .setExpirationTime(now + LIFETIME_SECONDS)
      .setJti(crypto.randomUUID())
      .sign(privateKey);
  };
}
