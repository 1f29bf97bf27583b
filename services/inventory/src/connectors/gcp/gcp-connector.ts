import type { Credentials } from "@leeway/shared/contracts/inventory/accounts";
import { invalidParameter } from "@leeway/shared/errors";
import { members, type JsonObject } from "@leeway/shared/json";

import { formats } from "../../clouds/gcp/formats.ts";
import { optionalCheck } from "../optional-check.ts";
import { ConnectorError, type Connector, type Verification } from "../connector.ts";
import { noIdentityToken, type IdentityToken } from "../identity-token.ts";
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
/** The shard of what is in no single region, when only some regions are wished. */
const GLOBAL = "global";
/** Others are multi-regions and pairs of regions: `eu`, `nam4`. */
const REGION = /^[a-z]+-[a-z]+\d+$/;

/** The oldest ones are in a domain: `example.com:shop`. */
const PROJECT = /^(?:[a-z\d.-]{1,100}:)?[a-z\d-]{1,30}$/;

/** Where Google answers, without a slash at the end. */
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
  /** The project, by its id or number. */
  accountId: string;
  /** What federated credentials are proven with. */
  identityToken?: IdentityToken | undefined;
  endpoints?: Partial<typeof ENDPOINTS>;
  clock?: Clock;
}

/**
 * Reads a Google Cloud project through Cloud Asset Inventory, which tells all there is of a resource.
 * @throws {AppError} `invalid_parameter` for credentials that are no Google ones
 */
export function createGcpConnector(options: GcpConnectorOptions): Connector {
  const {
    credentials,
    accountId: project,
    identityToken = noIdentityToken,
    clock = systemClock,
    ...rest
  } = options;
  if (!PROJECT.test(project)) throw invalidParameter("external_id", "must be a project's id or number");
  const endpoints = { ...ENDPOINTS, ...options.endpoints };
  const connect = () => createRestClient({ ...rest, clock }, (answer) => googlePause(answer, clock.now()));
  const client = connect();
  const identity = googleIdentity(credentials, { client, endpoints, identityToken });
  const tokens = createTokenSource(clock, identity.fetchToken);
  const storage = { egress: rest.egress, tokens, endpoint: endpoints.storage };
  const source: AssetSource = { client, tokens, endpoint: endpoints.cloudAsset, project };
  const policies = createPolicyReader(source);
  // At a pace of its own: a log that asks to slow down slows no scan down.
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

/** All, without a region. */
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
  const message = `no region of Google Cloud is called ${region}, and nothing of the project is there`;
  throw new ConnectorError({ code: "unsupported", message });
}

/** Cloud Asset Inventory lists all regions at once. */
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
