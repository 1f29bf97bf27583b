import type { Credentials } from "@leeway/shared/contracts/inventory/accounts";
import { invalidParameter } from "@leeway/shared/values/errors";
import { text, type JsonObject } from "@leeway/shared/values/json";

import { ConnectorError, type Connector, type Shard } from "../connector.ts";
import { optionalCheck } from "../optional-check.ts";
import { noIdentityToken, type IdentityToken } from "../identity-token.ts";
import { check } from "../rest/check.ts";
import { systemClock, type Clock } from "../rest/clock.ts";
import { createRestClient, type RestOptions } from "../rest/rest-client.ts";
import { createTokenSource } from "../rest/token-source.ts";
import { audit, tryAudit } from "./audit.ts";
import { azurePause } from "./azure-failure.ts";
import {
  AUDIT_ACTION,
  GRAPH_ACTION,
  LOCATIONS_ACTION,
  PERMISSIONS_ACTION,
  READ_ALL,
  readsAll,
  SUBSCRIPTION_ACTION,
} from "./azure-role.ts";
import { azureIdentity } from "./azure-tokens.ts";
import { fetchState, STORAGE } from "./fetch-state.ts";
import { graphPages, type GraphSource } from "./graph-pages.ts";
import { graphShards, queryOf, regionOf, typesOf } from "./graph-tables.ts";
import { readAll, readOne } from "./resource-manager.ts";

const SUBSCRIPTION = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Azure's public endpoints, without a trailing slash; government clouds have others. */
const ENDPOINTS = {
  login: "https://login.microsoftonline.com",
  management: "https://management.azure.com",
  blobs: "https://*.blob.core.windows.net",
};

interface AzureConnectorOptions extends Omit<RestOptions, "clock"> {
  credentials: Credentials;
  /** Subscription id. */
  accountId: string;
  /** Signs tokens for federated credentials. */
  identityToken?: IdentityToken | undefined;
  endpoints?: Partial<typeof ENDPOINTS>;
  clock?: Clock;
}

/**
 * Reads an Azure subscription through Resource Graph, which returns all properties of a resource.
 * @throws {AppError} `invalid_parameter` when the credentials aren't for Azure
 */
export function createAzureConnector(options: AzureConnectorOptions): Connector {
  const {
    credentials,
    accountId: subscription,
    identityToken = noIdentityToken,
    clock = systemClock,
    ...rest
  } = options;
  if (!SUBSCRIPTION.test(subscription))
    throw invalidParameter("external_id", "must be an Azure subscription id");
  const endpoints = { ...ENDPOINTS, ...options.endpoints };
  const { now } = clock;
  const connect = () => createRestClient({ ...rest, clock }, (answer) => azurePause(answer, now()));
  const client = connect();
  const identity = azureIdentity(credentials, { client, endpoints, identityToken, now });
  const tokens = createTokenSource(clock, identity.fetchToken);
  const blobs = {
    egress: rest.egress,
    tokens: createTokenSource(clock, (signal) => identity.fetchToken(signal, STORAGE)),
    endpoint: endpoints.blobs,
  };
  const source: GraphSource = { client, tokens, endpoint: endpoints.management, subscription };
  // Throttled separately, so that a slow log doesn't slow down scans.
  const log = { ...source, client: connect() };

  return {
    async verify(signal) {
      const signIn = await check({ name: "credentials", permissions: [] }, () => tokens.get(signal));
      if (!signIn.ok) return { checks: [signIn] };
      const checks = [
        signIn,
        await check({ name: "subscription", permissions: [SUBSCRIPTION_ACTION] }, () =>
          isEnabled(source, signal),
        ),
        await check({ name: "read resources", permissions: [READ_ALL] }, () => mayReadAll(source, signal)),
        await check({ name: "Resource Graph", permissions: [GRAPH_ACTION] }, () =>
          graphPages(source, "resourcecontainers | project id | take 1", signal).next(),
        ),
      ];
      const audited = await optionalCheck("activity log", signal, (either) =>
        check({ name: "activity log", permissions: [AUDIT_ACTION] }, () => tryAudit(log, now(), either)),
      );
      return { identity: identity.clientId, checks: [...checks, audited] };
    },

    shards: async (regions) => graphShards(regions),
    typesOf,
    list: (shard, signal) => listTable(source, shard, signal),

    fetchState: (backend, known, signal) => fetchState(blobs, backend, known, signal),

    auditLog: "azure_activity_log",
    audit: (resource, between, signal) => audit(log, resource, between, signal),
  };
}

async function* listTable(
  source: GraphSource,
  shard: Shard,
  signal: AbortSignal,
): AsyncGenerator<JsonObject> {
  const query = queryOf(shard, source.subscription);
  if (query === undefined)
    throw new ConnectorError({ code: "unsupported", message: "Resource Graph doesn't have this table" });
  await mayReadAll(source, signal); // without the role, resources would look deleted
  await requireRegion(source, regionOf(shard), signal);
  yield* graphPages(source, query, signal);
}

async function isEnabled(source: GraphSource, signal: AbortSignal): Promise<void> {
  const path = "?api-version=2022-12-01";
  const state = text(await readOne(source, { path, action: SUBSCRIPTION_ACTION }, signal), "state");
  if (state === "Enabled" || state === "Warned" || state === "PastDue") return;
  throw new ConnectorError({ code: "internal", message: "the subscription isn't enabled" });
}

/** Rejects unknown regions: for these, Resource Graph returns an empty list instead of an error. */
async function requireRegion(
  source: GraphSource,
  region: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (region === undefined) return;
  const path = "/locations?api-version=2022-12-01";
  const locations = await readAll(source, { path, action: LOCATIONS_ACTION }, signal);
  if (locations.some((location) => text(location, "name") === region)) return;
  throw new ConnectorError({ code: "unsupported", message: `the subscription has no region ${region}` });
}

async function mayReadAll(source: GraphSource, signal: AbortSignal): Promise<void> {
  const path = "/providers/Microsoft.Authorization/permissions?api-version=2022-04-01";
  const sets = await readAll(source, { path, action: PERMISSIONS_ACTION }, signal);
  if (sets.some((set) => readsAll(texts(set, "actions"), texts(set, "notActions")))) return;
  throw new ConnectorError({
    code: "permission_denied",
    message: `${READ_ALL} is missing on the subscription; without it, Resource Graph omits resources`,
  });
}

function texts(object: JsonObject, key: string): string[] {
  const value = object[key];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
