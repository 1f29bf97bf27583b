import type { Credentials } from "@leeway/shared/contracts/inventory/accounts";
import { invalidParameter } from "@leeway/shared/values/errors";
import { text } from "@leeway/shared/values/json";

import { ConnectorError } from "../connector.ts";
import { unsigned, type IdentityToken } from "../identity-token.ts";
import type { RestClient } from "../rest/rest-client.ts";
import { signInFailure } from "./azure-failure.ts";

/** Audience of tokens for federated credentials of an application. */
export const AUDIENCE = "api://AzureADTokenExchange";
const JWT_ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/** A tenant's id or one of its domains. */
const TENANT = /^[a-z\d](?:[a-z\d.-]{0,250}[a-z\d])?$/i;
const CLIENT = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const LIFETIME_S = 3600;

/** An application that signs in to Azure. */
export interface AzureIdentity {
  tenantId: string;
  clientId: string;
  /** Fetches a token, for Resource Manager by default; `expiresAt` is in ms since 1970. @throws {ConnectorError} */
  fetchToken(signal: AbortSignal, resource?: string): Promise<{ token: string; expiresAt: number }>;
}

interface TokenOptions {
  client: RestClient;
  endpoints: { login: string; management: string };
  identityToken: IdentityToken;
  now(): number;
}

/**
 * Validates credentials and returns their identity.
 * @throws {AppError} `invalid_parameter` when the credentials aren't for Azure
 */
export function azureIdentity(
  credentials: Credentials,
  { client, endpoints, identityToken, now }: TokenOptions,
): AzureIdentity {
  const { tenantId, clientId, proof } = read(credentials, identityToken);
  return {
    tenantId,
    clientId,
    async fetchToken(signal, resource = endpoints.management) {
      const form = new URLSearchParams({
        client_id: clientId,
        grant_type: "client_credentials",
        scope: `${resource}/.default`,
        ...(await proof()),
      });
      const answer = await client.call(
        {
          url: `${endpoints.login}/${tenantId}/oauth2/v2.0/token`,
          init: { method: "POST", body: form },
          failureOf: (answer) => signInFailure(answer, clientId),
        },
        signal,
      );
      const token = text(answer, "access_token");
      if (token === undefined)
        throw new ConnectorError({
          code: "internal",
          message: "Entra ID's response contains no access token",
        });
      return { token, expiresAt: now() + (Number(answer["expires_in"]) || LIFETIME_S) * 1000 };
    },
  };
}

interface Principal {
  tenantId: string;
  clientId: string;
  /** Returns the form fields that authenticate the application. */
  proof(): Promise<Record<string, string>>;
}

function read(credentials: Credentials, identityToken: IdentityToken): Principal {
  if (credentials.kind !== "static" && credentials.kind !== "azure_federated")
    throw invalidParameter("credentials.kind", "must be azure_federated or static for an Azure subscription");
  const { tenant_id: tenantId = "", client_id: clientId = "" } = credentials;
  if (!TENANT.test(tenantId)) throw invalidParameter("credentials.tenant_id", "must be a tenant id");
  if (!CLIENT.test(clientId))
    throw invalidParameter("credentials.client_id", "must be an application's client id");
  if (credentials.kind === "azure_federated") {
    return {
      tenantId,
      clientId,
      async proof() {
        const client_assertion = await identityToken(AUDIENCE).catch(unsigned);
        return { client_assertion_type: JWT_ASSERTION, client_assertion };
      },
    };
  }
  const { client_secret } = credentials;
  if (client_secret === undefined)
    throw invalidParameter("credentials.client_secret", "must be the application's client secret");
  return { tenantId, clientId, proof: async () => ({ client_secret }) };
}
