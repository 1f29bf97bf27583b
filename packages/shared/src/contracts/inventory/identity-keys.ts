import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest } from "../contract.ts";
import { Uuid } from "../common.ts";

/** A key (RFC 7517) for verifying this installation's identity tokens. */
const PublicKey = t.Object({
  kty: t.Literal("RSA"),
  use: t.Literal("sig"),
  alg: t.Literal("RS256"),
  kid: Uuid,
  n: t.String(),
  e: t.String(),
});
export type PublicKey = Static<typeof PublicKey>;

/** Lists all keys that sign, will sign, or signed tokens that are still valid. */
export const ListIdentityKeys = defineRequest("inventory.identity_keys.list", {
  input: t.Object({}),
  output: t.Object({ keys: t.Array(PublicKey) }),
});
