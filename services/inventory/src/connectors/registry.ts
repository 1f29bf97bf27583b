import type { Credentials } from "@leeway/shared/contracts/inventory/accounts";
import { createEgress } from "@leeway/shared/egress/egress";
import { AppError } from "@leeway/shared/errors";
import { LRUCache } from "lru-cache";

import type { AccessKey } from "./aws/aws-credentials.ts";
import { createAwsConnector } from "./aws/aws-connector.ts";
import { createAzureConnector } from "./azure/azure-connector.ts";
import type { CallLimits, Connector } from "./connector.ts";
import { checkFields } from "./credential-fields.ts";
import { createGcpConnector } from "./gcp/gcp-connector.ts";
import type { IdentityToken } from "./identity-token.ts";
import { organizationIdentity } from "./organization-identity.ts";

const MOST_CONNECTORS = 200;
const CONNECTOR_LIFETIME_MS = 10 * 60_000;

/** An account with what it is read with. */
interface ReadableAccount {
  orgId: string;
  provider: string;
  externalId: string;
  /** Called when they are needed. */
  credentials(): Credentials;
}

interface ConnectedAccount extends ReadableAccount {
  id: string;
  /** Another one when the account has changed. */
  version: string;
}

/** The clouds that this installation reads by itself. */
export interface Registry {
  /** Whether there is any. */
  isEmpty: boolean;
  /** @throws {AppError} `invalid_parameter` that names what of the credentials is wrong, as far as that can be told without the cloud */
  check(account: { orgId: string; provider: string; externalId: string }, credentials: Credentials): void;
  /** @throws {AppError} `registry_not_configured` unless accounts of `provider` are read from here */
  require(provider: string): void;
  /**
   * The connector of an account; one that was opened lately is given again, with its sessions.
   * @throws {AppError} `registry_not_configured`; `invalid_parameter` for credentials of another cloud
   */
  open(account: ConnectedAccount): Connector;
}

interface RegistryOptions extends CallLimits {
  /** Providers that may be read; see `CLOUD_PROVIDERS`. */
  providers: readonly string[];
  egressAllow: readonly string[];
  /** Where a cloud is, instead of at its own address. */
  endpoints?: { aws?: string | undefined; gcp?: string | undefined; azure?: string | undefined };
  /** Who assumes the roles of AWS accounts; whoever the process itself is, without. */
  awsIdentity?: AccessKey | undefined;
  /** Signs who is asking, for an organization; absent where the installation signs nothing. */
  identityTokenOf?: (orgId: string) => IdentityToken;
}

type Open = (account: ReadableAccount, options: RegistryOptions) => Connector;

/** @throws {Error} when a provider is named that nobody knows */
export function createRegistry(options: RegistryOptions): Registry {
  const { providers } = options;
  const unknown = providers.filter((provider) => !(provider in CONNECTORS));
  if (unknown.length > 0) {
    throw new Error(
      `CLOUD_PROVIDERS names ${unknown.join(", ")}: there are ${Object.keys(CONNECTORS).join(", ")}`,
    );
  }
  const connectOf = (provider: string): Open => {
    const connect = providers.includes(provider) ? CONNECTORS[provider] : undefined;
    if (connect) return connect;
    throw new AppError("registry_not_configured", `${provider} isn't configured on this server`);
  };
  const opened = new LRUCache<string, Connector>({ max: MOST_CONNECTORS, ttl: CONNECTOR_LIFETIME_MS });
  return {
    isEmpty: providers.length === 0,
    check(account, credentials) {
      checkFields(account.provider, credentials);
      CONNECTORS[account.provider]?.({ ...account, credentials: () => credentials }, options);
    },
    require: (provider) => void connectOf(provider),
    open(account) {
      const connect = connectOf(account.provider);
      const key = `${account.orgId} ${account.id} ${account.version}`;
      const connector = opened.get(key) ?? connect(account, options);
      opened.set(key, connector);
      return connector;
    },
  };
}

const CONNECTORS: Readonly<Record<string, Open | undefined>> = {
  aws: ({ orgId, externalId, credentials }, { awsIdentity, egressAllow, endpoints, timeoutMs, mostBytes }) =>
    createAwsConnector({
      accountId: externalId,
      externalId: organizationIdentity(orgId),
      ...(awsIdentity && { identity: awsIdentity }),
      credentials: credentials(),
      egress: createEgress({ allow: egressAllow }),
      ...(endpoints?.aws !== undefined && { endpoint: endpoints.aws }),
      timeoutMs,
      mostBytes,
    }),
  gcp: (
    { orgId, externalId, credentials },
    { egressAllow, endpoints, identityTokenOf, timeoutMs, mostBytes },
  ) =>
    createGcpConnector({
      accountId: externalId,
      credentials: credentials(),
      egress: createEgress({ allow: egressAllow }),
      identityToken: identityTokenOf?.(orgId),
      timeoutMs,
      mostBytes,
      ...(endpoints?.gcp !== undefined && { endpoints: googleAt(endpoints.gcp) }),
    }),
  azure: (
    { orgId, externalId, credentials },
    { egressAllow, endpoints, identityTokenOf, timeoutMs, mostBytes },
  ) =>
    createAzureConnector({
      accountId: externalId,
      credentials: credentials(),
      egress: createEgress({ allow: egressAllow }),
      identityToken: identityTokenOf?.(orgId),
      timeoutMs,
      mostBytes,
      ...(endpoints?.azure !== undefined && {
        endpoints: { login: endpoints.azure, management: endpoints.azure, blobs: `${endpoints.azure}/*` },
      }),
    }),
};

function googleAt(
  base: string,
): Record<"token" | "sts" | "iamCredentials" | "cloudAsset" | "logging" | "storage", string> {
  return {
    token: `${base}/token`,
    sts: base,
    iamCredentials: base,
    cloudAsset: base,
    logging: base,
    storage: `${base}/storage`,
  };
}
