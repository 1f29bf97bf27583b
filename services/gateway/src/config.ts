import {
  httpUrl,
  integer,
  list,
  loadConfig,
  optional,
  optionalUrl,
  type Variable,
} from "@leeway/shared/platform/config";
import { REPLICA_VARIABLE } from "@leeway/shared/service/server-variables";
import {
  EGRESS_ALLOW,
  HEALTH_VARIABLE,
  PUBLIC_BASE_URL,
  SERVICE_VARIABLES,
} from "@leeway/shared/service/service";

/** Characters allowed after `Bearer`. */
const BEARER_TOKEN = /^[!-~]+$/;

/** Shortest operator token, so that it can't be guessed. */
const MIN_OPERATOR_TOKEN = 32;

/**
 * Token of the operator. One that can't be sent in a header is an error at start, because it would lock the operator
 * out.
 */
const OPERATOR_TOKEN: Variable<string | undefined> = {
  ...optional(
    "Token for the operator routes, at least 32 random characters; without it, these routes don't exist",
  ),
  parse(raw) {
    if (raw !== undefined && !BEARER_TOKEN.test(raw))
      throw new Error("must be visible ASCII characters without spaces");
    if (raw !== undefined && raw.length < MIN_OPERATOR_TOKEN) {
      throw new Error(
        `has ${raw.length} characters but needs at least ${MIN_OPERATOR_TOKEN}; create one with openssl rand -hex 32`,
      );
    }
    return raw;
  },
};

/** Issuers of the id tokens of CI jobs. */
const CI_ISSUERS: Variable<string[]> = (() => {
  const { parse, ...same } = list(
    "Hosts whose CI jobs may call with their id tokens, separated by commas; `none` for no host",
    "https://gitlab.com,https://token.actions.githubusercontent.com",
  );
  return { ...same, parse: (raw) => (raw === "none" ? [] : parse(raw).map(httpUrl)) };
})();

/** Environment variables of the gateway; the README has the same table. */
export const VARIABLES = {
  ...SERVICE_VARIABLES,
  ...REPLICA_VARIABLE,
  PORT: integer("Port for API, dashboard and webhooks", 8080, 0, 65_535),
  ...HEALTH_VARIABLE,
  PUBLIC_BASE_URL,
  OIDC_ISSUER: optionalUrl("OpenID Connect provider for people; without it, only API keys work"),
  OIDC_AUDIENCE: optional("Required audience of the provider's tokens; required with `OIDC_ISSUER`"),
  OIDC_CLIENT_ID: optional(
    "Client id of the dashboard at the provider; without it, people sign in to the dashboard with an API key",
  ),
  OIDC_CLIENT_SECRET: optional("Client secret of the dashboard at the provider; none for a public client"),
  OIDC_CLI_CLIENT_ID: optional(
    "Client id of the command line at the provider: a public client with the device flow. Without it, `leeway login` needs an API key",
  ),
  CI_ISSUERS,
  EGRESS_ALLOW,
  OPERATOR_TOKEN,
  TRUSTED_PROXIES: integer(
    "Number of proxies in front of the gateway whose `X-Forwarded-For` is trusted",
    0,
    0,
    10,
  ),
  RATE_LIMIT_KEY_PER_MINUTE: integer("Requests per minute of one key or person; 0 for no limit", 6000),
  RATE_LIMIT_ORGANIZATION_PER_MINUTE: integer(
    "Requests per minute of one organization, across all keys and people; 0 for no limit",
    30_000,
  ),
  RATE_LIMIT_ANALYZE_PER_MINUTE: integer(
    "Plans per minute that one organization may submit; 0 for no limit",
    120,
  ),
  RATE_LIMIT_ENRICH_PER_MINUTE: integer(
    "Enrichments per minute that one organization may request; 0 for no limit",
    60,
  ),
  RATE_LIMIT_TRIAL_PER_MINUTE: integer(
    "Tokens, keys, cloud credentials and channels per minute that one organization may have checked; 0 for no limit",
    600,
  ),
  RATE_LIMIT_ORGANIZATIONS_PER_DAY: integer(
    "Organizations per day that one person may create; 0 for no limit",
    200,
  ),
  FREE_ORGANIZATIONS_PER_PERSON: integer(
    "Organizations of one person with the free plan's narratives; later ones have none. 0 for no limit",
    3,
  ),
  RATE_LIMIT_WEBHOOK_PER_MINUTE: integer(
    "Verified webhook calls per minute of one organization and source; 0 for no limit",
    12_000,
  ),
  RATE_LIMIT_LOGIN_PER_MINUTE: integer(
    "Failed authentications per minute of one IPv4 address or IPv6 /64 network; 0 for no limit",
    10,
  ),
};

export type Config = ReturnType<typeof readConfig>;

/** Reads the configuration. @throws {Error} that lists all problems */
export function readConfig(env: Record<string, string | undefined>) {
  const config = loadConfig(VARIABLES, env);
  const {
    PORT,
    PUBLIC_BASE_URL: given,
    OIDC_ISSUER,
    OIDC_AUDIENCE,
    OIDC_CLIENT_ID,
    OIDC_CLI_CLIENT_ID,
  } = config;
  if ((OIDC_ISSUER === undefined) !== (OIDC_AUDIENCE === undefined)) {
    throw new Error("configuration: set both OIDC_ISSUER and OIDC_AUDIENCE, or neither");
  }
  if (OIDC_ISSUER === undefined && OIDC_CLIENT_ID !== undefined) {
    throw new Error("configuration: OIDC_CLIENT_ID requires OIDC_ISSUER");
  }
  if (OIDC_ISSUER === undefined && OIDC_CLI_CLIENT_ID !== undefined) {
    throw new Error("configuration: OIDC_CLI_CLIENT_ID requires OIDC_ISSUER");
  }
  return { ...config, PUBLIC_BASE_URL: given ?? `http://localhost:${PORT}` };
}
