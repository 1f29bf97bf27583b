import { serviceUrl } from "@leeway/shared/bus/service-user";
import { busKeys } from "@leeway/shared/security/encryption/bus-keys";
import { parseKeyRing } from "@leeway/shared/security/encryption/keyring";
import { serviceKeys } from "@leeway/shared/security/encryption/service-keys";

import type { Secrets } from "./secrets.ts";

/** Settings shared by all services. */
export interface Shared {
  port: number;
  baseUrl: string;
  databaseUrl: string;
  natsUrl: string;
  secrets: Secrets;
}

/** Variables that any program may need: paths, languages, proxies, certificate authorities. */
const OF_ANY_PROGRAM =
  /^(PATH|HOME|USER|TMPDIR|TEMP|TMP|TZ|LANG|LC_\w+|NO_COLOR|FORCE_COLOR|SYSTEMROOT|(HTTPS?|ALL|NO)_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|OTEL_\w+)$/i;
/** Variables from which the inventory's AWS SDK takes its credentials, unless ours set them. */
const OF_AWS = /^AWS_\w+$/;

/**
 * Returns a service's environment. From `env` it contains variables that any program may need and those that the
 * service reads, without other services' secrets.
 */
export function serviceEnv(
  { name, variables }: { name: string; variables: readonly string[] },
  healthPort: number,
  { port, baseUrl, databaseUrl, natsUrl, secrets }: Shared,
  env: NodeJS.ProcessEnv,
): Record<string, string | undefined> {
  const isGateway = name === "gateway";
  const ring = parseKeyRing(secrets.masterKeys);
  const url = new URL(databaseUrl);
  url.username = `leeway_${name}`;
  url.password = secrets.rolePasswords[name] ?? "";
  const given: Record<string, string | undefined> = {
    ...env,
    DATABASE_URL: url.href,
    // A NATS_URL from outside already names a user with its rights.
    NATS_URL: env["NATS_URL"] || serviceUrl(natsUrl, name),
    LEEWAY_MASTER_KEYS: serviceKeys(ring, name),
    LEEWAY_BUS_KEYS: busKeys(ring, name, Object.keys(secrets.rolePasswords)),
    OPERATOR_TOKEN: secrets.operatorToken,
    PUBLIC_BASE_URL: env["PUBLIC_BASE_URL"] || baseUrl,
    PORT: isGateway ? String(port) : undefined,
    HEALTH_PORT: String(healthPort),
    // Others on the network must not reach a demo unless LISTEN_ADDRESS is set.
    LISTEN_ADDRESS: (isGateway && env["LISTEN_ADDRESS"]) || "127.0.0.1",
  };
  const readsAws = variables.includes("AWS_ACCESS_KEY_ID");
  const isOwn = (key: string): boolean =>
    variables.includes(key) || OF_ANY_PROGRAM.test(key) || (readsAws && OF_AWS.test(key));
  return Object.fromEntries(Object.entries(given).filter(([key]) => isOwn(key)));
}
