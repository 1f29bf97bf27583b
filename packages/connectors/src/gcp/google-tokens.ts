import type { Credentials } from "@leeway/shared/contracts/inventory/accounts";
import { invalidParameter } from "@leeway/shared/values/errors";
import {
  IdentityPoolClient,
  JWT,
  type AuthClient,
  type IdentityPoolClientOptions,
  type OAuth2ClientOptions,
} from "google-auth-library";

import { ConnectorError, type ShardFailure } from "../connector.ts";
import { unsigned, type IdentityToken } from "../identity-token.ts";
import type { Answer, RestClient } from "../rest/rest-client.ts";
import { notEnabled, tokenFailure } from "./google-failure.ts";
import { readServiceAccountKey, serviceAccountEmail } from "./service-account-key.ts";

const SCOPES = ["https://www.googleapis.com/auth/cloud-platform"];
/** The only token URL that the library uses for service account keys. */
const TOKEN_URL = "https://oauth2.googleapis.com/token";
const IMPERSONATION = ":generateAccessToken";
const AUDIENCE =
  /^\/\/iam\.googleapis\.com\/projects\/\d+\/locations\/global\/workloadIdentityPools\/[a-z\d-]+\/providers\/[a-z\d-]+$/;
const LIFETIME_MS = 3_600_000;

/** A service account that signs in to Google. */
export interface GoogleIdentity {
  /** Email address of the service account. */
  email: string;
  /** Fetches a token; `expiresAt` is in ms since 1970. @throws {ConnectorError} */
  fetchToken(signal: AbortSignal): Promise<{ token: string; expiresAt: number }>;
}

interface TokenOptions {
  client: RestClient;
  endpoints: { token: string; sts: string; iamCredentials: string };
  identityToken: IdentityToken;
}

/**
 * Validates credentials and returns their identity.
 * @throws {AppError} `invalid_parameter` when the credentials aren't for Google Cloud
 */
export function googleIdentity(credentials: Credentials, options: TokenOptions): GoogleIdentity {
  switch (credentials.kind) {
    case "static": {
      const { email, privateKey: key, keyId } = readServiceAccountKey(credentials.service_account_key ?? "");
      return identity(email, options, (transport) => {
        return new JWT({ ...transport, email, key, ...(keyId && { keyId }), scopes: SCOPES });
      });
    }
    case "gcp_wif": {
      const { audience, service_account_email } = credentials;
      if (!AUDIENCE.test(audience))
        throw invalidParameter(
          "credentials.audience",
          "must be the full name of a workload identity provider",
        );
      const email = serviceAccountEmail(service_account_email, (message) =>
        invalidParameter("credentials.service_account_email", message),
      );
      return identity(email, options, (transport) => federated({ audience, email, options, transport }));
    }
    case "aws_role":
    case "azure_federated":
      throw invalidParameter("credentials.kind", "must be gcp_wif or static for a Google project");
  }
}

type Transport = Required<Pick<OAuth2ClientOptions, "transporterOptions">>;

/**
 * Uses our transport for the token exchange, too. The library would use its own, without our egress guard and clock.
 */
class GuardedPoolClient extends IdentityPoolClient {
  constructor(options: IdentityPoolClientOptions) {
    super(options);
    Object.assign(this.stsCredential, { transporter: this.transporter });
  }
}

interface Federation {
  audience: string;
  email: string;
  options: TokenOptions;
  transport: Transport;
}

function federated({ audience, email, options, transport }: Federation): AuthClient {
  const { endpoints, identityToken } = options;
  return new GuardedPoolClient({
    ...transport,
    type: "external_account",
    audience,
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    token_url: `${endpoints.sts}/v1/token`,
    service_account_impersonation_url: `${endpoints.iamCredentials}/v1/projects/-/serviceAccounts/${email}${IMPERSONATION}`,
    subject_token_supplier: { getSubjectToken: () => identityToken(audience).catch(unsigned) },
    scopes: SCOPES,
  });
}

/**
 * Returns an identity. The library signs and exchanges tokens; the HTTP calls go through our guarded, retrying client.
 */
function identity(
  email: string,
  { client, endpoints }: TokenOptions,
  open: (transport: Transport) => AuthClient,
): GoogleIdentity {
  return {
    email,
    async fetchToken(signal) {
      async function send(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
        const asked = input instanceof Request ? input.url : String(input);
        const url = asked === TOKEN_URL ? endpoints.token : asked;
        const { method = "GET", headers = {}, body = null } = init;
        const failureOf = (answer: Answer): ShardFailure => refusalOf(answer, url, email);
        return Response.json(await client.call({ url, init: { method, headers, body }, failureOf }, signal));
      }
      const auth = open({
        transporterOptions: {
          fetchImplementation: Object.assign(send, { preconnect: () => undefined }),
          retryConfig: { shouldRetry: () => false },
        },
      });
      const { token } = await auth.getAccessToken().catch(rethrow);
      if (!token)
        throw new ConnectorError({ code: "internal", message: "Google's response contains no access token" });
      return { token, expiresAt: auth.credentials.expiry_date ?? Date.now() + LIFETIME_MS };
    },
  };
}

function refusalOf(answer: Answer, url: string, email: string): ShardFailure {
  if (answer.status !== 403 || !url.endsWith(IMPERSONATION)) return tokenFailure(answer, email);
  const disabled = notEnabled(answer, "iamcredentials");
  if (disabled) return disabled;
  return {
    code: "permission_denied",
    message: `the workload identity may not act as ${email}; grant it iam.serviceAccounts.getAccessToken there (Workload Identity User)`,
  };
}

/** Rethrows our own failures only. The library's errors contain what was sent: signatures and tokens. */
function rethrow(error: unknown): never {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ConnectorError) throw cause;
  }
  throw new ConnectorError({ code: "internal", message: "couldn't request an access token from Google" });
}
