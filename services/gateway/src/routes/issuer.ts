import { call } from "@leeway/shared/bus/request";
import { ListIdentityKeys } from "@leeway/shared/contracts/inventory/identity-keys";
import { Type as t } from "@sinclair/typebox";

import { json } from "../http/answer.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { IDENTITY_KEYS } from "../examples/clouds.ts";

const TAG = "Service";
const KEYS = "/.well-known/jwks.json";
/** Cache header; keys are published days before they sign. */
const CACHED = { "cache-control": "public, max-age=300" };

const Metadata = t.Object({
  issuer: t.String(),
  jwks_uri: t.String(),
  response_types_supported: t.Array(t.String()),
  subject_types_supported: t.Array(t.String()),
  id_token_signing_alg_values_supported: t.Array(t.String()),
});

const metadataOf = (issuer: string) => ({
  issuer,
  jwks_uri: issuer + KEYS,
  response_types_supported: ["id_token"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
});

const getMetadata = endpoint({
  method: "GET",
  path: "/.well-known/openid-configuration",
  operationId: "getIssuer",
  tag: TAG,
  summary: "Get the issuer of identity tokens",
  description:
    "OpenID Connect Discovery document for clouds that trust this installation's organizations. It isn't used to sign in.",
  who: "public",
  success: {
    status: 200,
    description: "The issuer",
    schema: Metadata,
    example: metadataOf("https://leeway.example.com"),
  },
  handle: async (_, { publicBaseUrl }) => json(metadataOf(publicBaseUrl), 200, CACHED),
});

const getKeys = endpoint({
  method: "GET",
  path: KEYS,
  operationId: "getIssuerKeys",
  tag: TAG,
  summary: "Get the keys that verify identity tokens",
  description: "A JSON Web Key Set (RFC 7517) with the current, next and previous signing key.",
  who: "public",
  success: {
    status: 200,
    description: "The keys",
    schema: ListIdentityKeys.output,
    example: IDENTITY_KEYS,
  },
  errors: ["unavailable"],
  handle: async (_, { bus }) => json(await call(bus, ListIdentityKeys, {}), 200, CACHED),
});

export const issuer: readonly Endpoint[] = [getMetadata, getKeys];
