import { integer, loadConfig, optional, optionalUrl, type Variable } from "@leeway/shared/config";
import { EGRESS_ALLOW, PUBLIC_BASE_URL, SERVICE_VARIABLES } from "@leeway/shared/service";

/** What can stand behind `Bearer`. */
const BEARER_TOKEN = /^[!-~]+$/;

/** One that no request could bring would leave the operator outside, without a word. */
const OPERATOR_TOKEN: Variable<string | undefined> = {
  ...optional("Token of the operator routes, a long random one; without it there are none"),
  parse(raw) {
    if (raw !== undefined && !BEARER_TOKEN.test(raw))
      throw new Error("must be visible ASCII characters, without blanks");
    return raw;
  },
};

/** What the gateway reads from its environment; the README has the same table. */
export const VARIABLES = {
  ...SERVICE_VARIABLES,
  PORT: integer("Port of everything that the gateway serves", 8080, 0, 65_535),
  PUBLIC_BASE_URL,
  OIDC_ISSUER: optionalUrl(
    "OpenID Connect provider whose tokens people bring; without it only API keys are taken",
  ),
  OIDC_AUDIENCE: optional("The audience that those tokens must be for; needed with `OIDC_ISSUER`"),
  OIDC_CLIENT_ID: optional(
    "What the provider knows the dashboard by; without it people sign in to the dashboard by an API key",
  ),
  OIDC_CLIENT_SECRET: optional("The dashboard's secret at the provider; none for a public client"),
  EGRESS_ALLOW,
  OPERATOR_TOKEN,
  TRUSTED_PROXIES: integer("How many proxies stand in front whose `X-Forwarded-For` is believed", 0, 0, 10),
  RATE_LIMIT_KEY_PER_MINUTE: integer("Requests a minute of one key or person; 0 is no limit", 6000),
  RATE_LIMIT_ANALYZE_PER_MINUTE: integer("Plans a minute that one organization submits; 0 is no limit", 120),
  RATE_LIMIT_ENRICH_PER_MINUTE: integer(
    "Enrichments a minute that one organization asks for; 0 is no limit",
    60,
  ),
  RATE_LIMIT_TRIAL_PER_MINUTE: integer(
    "Tokens, keys, cloud credentials and channels a minute that one organization has tried; 0 is no limit",
    600,
  ),
  RATE_LIMIT_ORGANIZATIONS_PER_DAY: integer("Organizations a day that one person makes; 0 is no limit", 200),
  RATE_LIMIT_WEBHOOK_PER_MINUTE: integer(
    "Verified webhook calls a minute of one organization and source; 0 is no limit",
    12_000,
  ),
  RATE_LIMIT_LOGIN_PER_MINUTE: integer(
    "Failed authentications a minute of one address, of IPv6 one /64; 0 is no limit",
    10,
  ),
};

export type Config = ReturnType<typeof readConfig>;

/** @throws {Error} that names everything that is wrong */
export function readConfig(env: Record<string, string | undefined>) {
  const config = loadConfig(VARIABLES, env);
  const { PORT, PUBLIC_BASE_URL: given, OIDC_ISSUER, OIDC_AUDIENCE, OIDC_CLIENT_ID } = config;
  if ((OIDC_ISSUER === undefined) !== (OIDC_AUDIENCE === undefined)) {
    throw new Error("configuration: OIDC_ISSUER and OIDC_AUDIENCE are set together or not at all");
  }
  if (OIDC_ISSUER === undefined && OIDC_CLIENT_ID !== undefined) {
    throw new Error("configuration: OIDC_CLIENT_ID needs OIDC_ISSUER");
  }
  return { ...config, PUBLIC_BASE_URL: given ?? `http://localhost:${PORT}` };
}
