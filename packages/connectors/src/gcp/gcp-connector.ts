import { formats } from "@leeway/clouds/gcp/formats";
import type { Credentials } from "@leeway/shared/contracts/inventory/accounts";
import { invalidParameter } from "@leeway/shared/values/errors";
import { members, type JsonObject } from "@leeway/shared/values/json";

import { ConnectorError, type Connector, type Verification } from "../connector.ts";
import { noIdentityToken, type IdentityToken } from "../identity-token.ts";
import { optionalCheck } from "../optional-check.ts";
import { check } from "../rest/check.ts";
import { systemClock, type Clock } from "../rest/clock.ts";
import { createRestClient, type RestOptions } from "../rest/rest-client.ts";
import { createTokenSource, type TokenSource } from "../rest/token-source.ts";
import { assetPages, fetchPage, LISTING, POLICIES, SEARCH, type AssetSource } from "./asset-pages.ts";
import { audit, tryAudit, type LogSource } from "./audit.ts";
import { fetchState } from "./fetch-state.ts";
import { AUDIT_PERMISSION } from "./gcp-role.ts";
import { googlePause } from "./google-failure.ts";
import { googleIdentity } from "./google-tokens.ts";
import { createPolicyReader } from "./iam-policies.ts";
import { isRegion } from "./regions.ts";

const SERVICE = "cloudasset";
/** Region name of the shard for resources outside any single region, when only some regions are requested. */
const GLOBAL = "global";
/** Matches single regions; other locations are multi-regions and dual-regions: `eu`, `nam4`. */
const REGION = /^[a-z]+-[a-z]+\d+$/;

/** Matches project ids; the oldest ones are prefixed with a domain: `example.com:shop`. */
const PROJECT = /^(?:[a-z\d.-]{1,100}:)?[a-z\d-]{1,30}$/;

/** Google's endpoints, without a trailing slash. */
const ENDPOINTS = {
  token: "https://oauth2.googleapis.com/token",
  sts: "https://sts.googleapis.com",
  iamCredentials: "https://iamcredentials.googleapis.com",
  cloudAsset: "https://cloudasset.googleapis.com",
  logging: "https://logging.googleapis.com",
  storage: "https://storage.googleapis.com",
};

interface GcpConnectorOptions extends Omit<RestOptions, "clock"> {
  credentials: Credentials;
  /** Project id or number. */
  accountId: string;
  /** Signs tokens for federated credentials. */
  identityToken?: IdentityToken | undefined;
  endpoints?: Partial<typeof ENDPOINTS>;
  clock?: Clock;
}

/**
 * Reads a Google Cloud project through Cloud Asset Inventory, which returns all properties of a resource.
 * @throws {AppError} `invalid_parameter` when the credentials aren't for Google Cloud
 */
export function createGcpConnector(options: GcpConnectorOptions): Connector {
  const {
    credentials,
    accountId: project,
    identityToken = noIdentityToken,
    clock = systemClock,
    ...rest
  } = options;
  if (!PROJECT.test(project))
    throw invalidParameter("external_id", "must be a Google Cloud project id or number");
  const endpoints = { ...ENDPOINTS, ...options.endpoints };
  const connect = () => createRestClient({ ...rest, clock }, (answer) => googlePause(answer, clock.now()));
  const client = connect();
  const identity = googleIdentity(credentials, { client, endpoints, identityToken });
  const tokens = createTokenSource(clock, identity.fetchToken);
  const storage = { egress: rest.egress, tokens, endpoint: endpoints.storage };
  const source: AssetSource = { client, tokens, endpoint: endpoints.cloudAsset, project };
  const policies = createPolicyReader(source);
  // Throttled separately, so that a slow log doesn't slow down scans.
  const log: LogSource = { client: connect(), tokens, endpoint: endpoints.logging, project };

  return {
    verify: (signal) => verify(source, log, { tokens, email: identity.email }, signal),

    async shards(regions) {
      if (regions.length === 0) return [{ service: SERVICE }];
      return [...new Set([GLOBAL, ...regions])].map((region) => ({ service: SERVICE, region }));
    },

    list: ({ region }, signal) => policies.addTo(listRegion(source, region, signal), signal),

    fetchState: (backend, known, signal) => fetchState(storage, backend, known, signal),

    auditLog: "gcp_audit_log",
    audit: (resource, between, signal) => audit(log, resource, between, signal),
  };
}

const QUERIES = [
  ["list resources", LISTING],
  ["search resources", SEARCH],
  ["list IAM policies", POLICIES],
] as const;

async function verify(
  source: AssetSource,
  log: LogSource,
  { tokens, email }: { tokens: TokenSource; email: string },
  signal: AbortSignal,
): Promise<Verification> {
  const signIn = await check({ name: "credentials", permissions: [] }, () => tokens.get(signal));
  if (!signIn.ok) return { checks: [signIn] };
  const checks = [signIn];
  for (const [name, query] of QUERIES) {
    checks.push(
      await check({ name, permissions: [query.permission] }, () =>
        fetchPage(source, query, { pageSize: 1 }, signal),
      ),
    );
  }
  const audited = await optionalCheck("audit log", signal, (either) =>
    check({ name: "audit log", permissions: [AUDIT_PERMISSION] }, () => tryAudit(log, either)),
  );
  return { identity: email, checks: [...checks, audited] };
}

/** Lists a region; all regions if it is undefined. */
async function* listRegion(
  source: AssetSource,
  region: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<{ page: JsonObject; rows: string }> {
  let isKnown = region === undefined || region === GLOBAL || isRegion(region);
  for await (const { page, rows } of assetPages(source, signal)) {
    const kept = region === undefined ? page : onlyIn(region, page, rows);
    isKnown ||= members(kept, rows).length > 0;
    yield { page: kept, rows };
  }
  if (isKnown) return;
  const message = `Google Cloud has no region ${region}, and the project has no resources there`;
  throw new ConnectorError({ code: "unsupported", message });
}

/** Keeps the rows of one region, because Cloud Asset Inventory lists all regions at once. */
function onlyIn(region: string, page: JsonObject, rows: string): JsonObject {
  const listed = page[rows];
  const kept = (Array.isArray(listed) ? listed : []).filter((row) => {
    const resources = formats.map(({ read }) => read(row, {})).find((found) => found !== null);
    return resources?.some((resource) => shardRegion(resource.region) === region) ?? true;
  });
  return { ...page, [rows]: kept };
}

function shardRegion(region = GLOBAL): string {
  return REGION.test(region) ? region : GLOBAL;
}
