import { integer, list, loadConfig, optional, type Variable } from "@leeway/shared/config";
import { SERVICE_VARIABLES } from "@leeway/shared/service";

const publicBaseUrl: Variable<string | undefined> = {
  describe: "Where clients reach the gateway, without a slash at the end",
  fallback: "http://localhost:<PORT>",
  parse: (raw) => {
    if (raw !== undefined && !/^https?:$/.test(URL.parse(raw)?.protocol ?? ""))
      throw new Error("must be an http URL");
    return raw?.replace(/\/+$/, "");
  },
};

/** What the gateway reads from its environment; the README has the same table. */
export const VARIABLES = {
  ...SERVICE_VARIABLES,
  PORT: integer("Port of everything that the gateway serves", 8080, 0, 65_535),
  PUBLIC_BASE_URL: publicBaseUrl,
  OIDC_ISSUER: optional(
    "OpenID Connect provider whose tokens people bring; without it only API keys are taken",
  ),
  OIDC_AUDIENCE: optional("The audience that those tokens must be for; needed with `OIDC_ISSUER`"),
  EGRESS_ALLOW: list("`host:port` pairs that outbound calls may reach though they are private or plain http"),
  OPERATOR_TOKEN: optional("Token of the operator routes, a long random one; without it there are none"),
  TRUSTED_PROXIES: integer("How many proxies stand in front whose `X-Forwarded-For` is believed", 0, 0, 10),
  RATE_LIMIT_KEY_PER_MINUTE: integer("Requests a minute of one key or person; 0 is no limit", 6000),
  RATE_LIMIT_LOGIN_PER_MINUTE: integer("Failed authentications a minute of one address; 0 is no limit", 10),
};

export type Config = ReturnType<typeof readConfig>;

/** @throws {Error} that names everything that is wrong */
export function readConfig(env: Record<string, string | undefined>) {
  const config = loadConfig(VARIABLES, env);
  const { PORT, PUBLIC_BASE_URL, OIDC_ISSUER, OIDC_AUDIENCE } = config;
  if ((OIDC_ISSUER === undefined) !== (OIDC_AUDIENCE === undefined)) {
    throw new Error("configuration: OIDC_ISSUER and OIDC_AUDIENCE are set together or not at all");
  }
  return { ...config, PUBLIC_BASE_URL: PUBLIC_BASE_URL ?? `http://localhost:${PORT}` };
}
