import type { Credentials } from "@leeway/shared/contracts/inventory/accounts";
import type { Egress } from "@leeway/shared/security/egress/egress";
import type { JsonObject } from "@leeway/shared/values/json";

import type { Connector, Shard } from "../connector.ts";
import { remembered } from "../remembered.ts";
import { audit } from "./audit.ts";
import { readAwsCredentials } from "./aws-credentials.ts";
import { createClients, type AwsClients, type ClientOptions } from "./clients.ts";
import { listService } from "./cloud-control.ts";
import { enrich } from "./enrich.ts";
import { type Indexes, listIndexed, usableIndexes } from "./explorer.ts";
import { AwsFailure } from "./failure.ts";
import { fetchState } from "./fetch-state.ts";
import { requireAccount } from "./identity.ts";
import { unindexedTypes } from "./indexed-types.ts";
import { requestedRegions, type RequestedRegions } from "./regions.ts";
import { listTagged } from "./tagging.ts";
import { GLOBAL_SHARDS, REGIONAL_SHARDS, typesOf } from "./types.ts";
import { verify } from "./verify.ts";

interface AwsConnectorOptions extends Omit<ClientOptions, "credentials"> {
  credentials: Credentials;
  /** External id that is sent when a role is assumed. */
  externalId: string;
  /** The 12-digit id of the account that the credentials must belong to. */
  accountId: string;
  /** Must allow `endpoint` if one is set. */
  egress?: Egress;
}

const EXPLORER = "resource-explorer-2";
const TAGGING = "tagging";
/** Service that lists regions. Failures of unknown regions are reported under its name. */
const REGIONS = "account";
const ANY_TYPE: ReadonlySet<string> = new Set([EXPLORER, TAGGING, REGIONS]);

/**
 * Reads an AWS account. If Resource Explorer has an index in every requested region, the connector lists with it and
 * with the tagging API. Otherwise it lists with Cloud Control, type by type.
 * @throws {AppError} `invalid_parameter` when the credentials aren't for AWS
 */
export function createAwsConnector({
  accountId,
  externalId,
  egress,
  ...options
}: AwsConnectorOptions): Connector {
  const credentials = readAwsCredentials(options.credentials, { accountId, externalId });
  const clients = createClients({ ...options, credentials });
  const indexesNow = () => remembered((signal) => usableIndexes(clients, signal));
  let indexes = indexesNow();
  const allowed = remembered(() => checkEndpoint(egress, options.endpoint));
  const ofAccount = remembered(async (signal) => {
    await allowed(signal);
    await requireAccount(clients, accountId, signal);
  });
  return {
    async verify(signal) {
      await allowed(signal);
      return verify(clients, accountId, signal);
    },
    async shards(regions, signal) {
      await allowed(signal);
      await requireAccount(clients, accountId, signal);
      indexes = indexesNow(); // each scan uses the indexes that are on when it begins
      const requested = await requestedRegions(clients, regions, signal);
      return shardsOf(requested, await indexes(signal), clients.home);
    },
    typesOf: shownTypes,
    taggedTypesOf: async ({ service, region }, signal) =>
      service === EXPLORER && region === undefined ? unindexedTypes(clients, signal) : [],
    repeats: ({ service }) => service === TAGGING,
    async *list(shard, signal) {
      await allowed(signal);
      yield* shard.service === EXPLORER
        ? listWith(clients, await indexes(signal), shard, signal)
        : listWithout(clients, { shard, accountId }, signal);
    },
    async enrich(resource, signal, patienceMs) {
      await ofAccount(signal);
      return enrich(clients, resource, signal, patienceMs);
    },
    fetchState: async (backend, known, signal) =>
      allowed(signal).then(() => fetchState(clients, backend, known, signal)),
    auditLog: "aws_cloudtrail",
    async audit(resource, between, signal) {
      await ofAccount(signal);
      return audit(clients, resource, between, signal);
    },
  };
}

async function checkEndpoint(egress: Egress | undefined, endpoint: string | undefined): Promise<void> {
  if (endpoint !== undefined) await egress?.check(endpoint);
}

function shownTypes(shard: Shard): string[] | undefined {
  return ANY_TYPE.has(shard.service) ? undefined : typesOf(shard).map(({ type }) => type);
}

/**
 * Returns shards that use indexes for all regions or for none. Cloud Control names resources differently, so one
 * listing can't mix both.
 */
function shardsOf({ regions, unknown }: RequestedRegions, indexes: Indexes, home: string): Shard[] {
  const isIndexed = [home, ...regions].every((region) => indexes.has(region));
  const everywhere = isIndexed ? [EXPLORER] : GLOBAL_SHARDS;
  const regional = isIndexed ? [EXPLORER, TAGGING] : REGIONAL_SHARDS;
  return [
    ...everywhere.map((service) => ({ service })),
    ...regions.flatMap((region) => regional.map((service) => ({ service, region }))),
    ...unknown.map((region) => ({ service: REGIONS, region })),
  ];
}

function listWith(
  clients: AwsClients,
  indexes: Indexes,
  { region }: Shard,
  signal: AbortSignal,
): AsyncIterable<JsonObject> {
  const place = region ?? clients.home;
  const asked = indexes.get(place);
  if (asked === undefined) throw noIndex(place);
  return listIndexed(clients, { asked, region }, signal);
}

function listWithout(
  clients: AwsClients,
  { shard, accountId }: { shard: Shard; accountId: string },
  signal: AbortSignal,
): AsyncIterable<JsonObject> {
  if (shard.service === REGIONS) throw notEnabled(shard);
  return shard.service === TAGGING
    ? listTagged(clients, shard.region ?? clients.home, signal)
    : listService(clients, { shard, accountId }, signal);
}

function noIndex(region: string): AwsFailure {
  const message = `Resource Explorer no longer has an index in ${region}`;
  return new AwsFailure({ code: "unsupported", message }, "NoIndex");
}

function notEnabled({ region }: Shard): AwsFailure {
  const message = `the region ${region} doesn't exist or isn't enabled in the account`;
  return new AwsFailure({ code: "unsupported", message }, "NoRegion");
}
