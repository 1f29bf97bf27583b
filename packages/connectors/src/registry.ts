import type { Credentials } from "@leeway/shared/contracts/inventory/accounts";
import { createEgress } from "@leeway/shared/security/egress/egress";
import { AppError } from "@leeway/shared/values/errors";
import { LRUCache } from "lru-cache";

import type { AccessKey } from "./aws/aws-credentials.ts";
import type { CallLimits, Connector } from "./connector.ts";
import { checkFields } from "./credential-fields.ts";
import type { IdentityToken } from "./identity-token.ts";
import { organizationIdentity } from "./organization-identity.ts";

const MAX_CONNECTORS = 200;
const CONNECTOR_LIFETIME_MS = 10 * 60_000;

/** An account and the credentials to read it. */
interface ReadableAccount {
  orgId: string;
  provider: string;
  externalId: string;
  /** Called when the credentials are needed. */
  credentials(): Credentials;
}

interface ConnectedAccount extends ReadableAccount {
  id: string;
  /** Changes when the account changes. */
  version: string;
}

/** The clouds that this installation can read. */
export interface Registry {
  /** Whether no provider is configured. */
  isEmpty: boolean;
  /**
   * Checks credentials, as far as that is possible without calling the cloud.
   * @throws {AppError} `invalid_parameter` that names the invalid field
   */
  check(
    account: { orgId: string; provider: string; externalId: string },
    credentials: Credentials,
  ): Promise<void>;
  /** @throws {AppError} `registry_not_configured` unless this installation reads accounts of `provider` */
  require(provider: string): void;
  /**
   * Returns the connector of an account. Recently opened connectors are reused, with their sessions.
   * @throws {AppError} `registry_not_configured`; `invalid_parameter` for credentials of another cloud
   */
  open(account: ConnectedAccount): Promise<Connector>;
}

interface RegistryOptions extends CallLimits {
  /** Enabled providers; see `CLOUD_PROVIDERS`. */
  providers: readonly string[];
  egressAllow: readonly string[];
  /** Endpoints that replace a cloud's own. */
  endpoints?: { aws?: string | undefined; gcp?: string | undefined; azure?: string | undefined };
  /** Key that assumes the roles of AWS accounts; defaults to the process's own identity. */
  awsIdentity?: AccessKey | undefined;
  /** Signs identity tokens for an organization; absent if the installation signs none. */
  identityTokenOf?: (orgId: string) => IdentityToken;
}

/** Opens an account. A cloud's client libraries are loaded for its first account: AWS's alone take 20 MB. */
type Open = (account: ReadableAccount, options: RegistryOptions) => Promise<Connector>;

/** @throws {Error} when a provider is unknown */
export function createRegistry(options: RegistryOptions): Registry {
  const { providers } = options;
  const unknown = providers.filter((provider) => !(provider in CONNECTORS));
  if (unknown.length > 0) {
    throw new Error(
      `CLOUD_PROVIDERS contains the unknown ${unknown.join(", ")}; use ${Object.keys(CONNECTORS).join(", ")}`,
    );
  }
  const connectOf = (provider: string): Open => {
    const connect = providers.includes(provider) ? CONNECTORS[provider] : undefined;
    if (connect) return connect;
    throw new AppError("registry_not_configured", `${provider} isn't configured on this server`);
  };
  const opened = new LRUCache<string, Connector>({ max: MAX_CONNECTORS, ttl: CONNECTOR_LIFETIME_MS });
  return {
    isEmpty: providers.length === 0,
    async check(account, credentials) {
      checkFields(account.provider, credentials);
      await CONNECTORS[account.provider]?.({ ...account, credentials: () => credentials }, options);
    },
    require: (provider) => void connectOf(provider),
    async open(account) {
      const connect = connectOf(account.provider);
      const key = `${account.orgId} ${account.id} ${account.version}`;
      const made = opened.get(key) ?? (await connect(account, options));
      // Another call may have opened it meanwhile; both share its session.
      const connector = opened.get(key) ?? made;
      opened.set(key, connector);
      return connector;
    },
  };
}

const CONNECTORS: Readonly<Record<string, Open | undefined>> = {
  async aws(
    { orgId, externalId, credentials },
    { awsIdentity, egressAllow, endpoints, timeoutMs, maxBytes },
  ) {
    const { createAwsConnector } = await import("./aws/aws-connector.ts");
    return createAwsConnector({
      accountId: externalId,
      externalId: organizationIdentity(orgId),
      ...(awsIdentity && { identity: awsIdentity }),
      credentials: credentials(),
      egress: createEgress({ allow: egressAllow }),
      ...(endpoints?.aws !== undefined && { endpoint: endpoints.aws }),
      timeoutMs,
      maxBytes,
    });
  },
  async gcp(
    { orgId, externalId, credentials },
    { egressAllow, endpoints, identityTokenOf, timeoutMs, maxBytes },
  ) {
    const { createGcpConnector } = await import("./gcp/gcp-connector.ts");
    return createGcpConnector({
      accountId: externalId,
      credentials: credentials(),
      egress: createEgress({ allow: egressAllow }),
      identityToken: identityTokenOf?.(orgId),
      timeoutMs,
      maxBytes,
      ...(endpoints?.gcp !== undefined && { endpoints: googleAt(endpoints.gcp) }),
    });
  },
  async azure(
    { orgId, externalId, credentials },
    { egressAllow, endpoints, identityTokenOf, timeoutMs, maxBytes },
  ) {
    const { createAzureConnector } = await import("./azure/azure-connector.ts");
    return createAzureConnector({
      accountId: externalId,
      credentials: credentials(),
      egress: createEgress({ allow: egressAllow }),
      identityToken: identityTokenOf?.(orgId),
      timeoutMs,
      maxBytes,
      ...(endpoints?.azure !== undefined && {
        endpoints: { login: endpoints.azure, management: endpoints.azure, blobs: `${endpoints.azure}/*` },
      }),
    });
  },
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
