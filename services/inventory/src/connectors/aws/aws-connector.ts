import type { Credentials } from "@leeway/shared/contracts/inventory/accounts";
import type { Egress } from "@leeway/shared/egress/egress";
import type { JsonObject } from "@leeway/shared/json";

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
import { wishedRegions, type WishedRegions } from "./regions.ts";
import { listTagged } from "./tagging.ts";
import { GLOBAL_SHARDS, REGIONAL_SHARDS, typesOf } from "./types.ts";
import { verify } from "./verify.ts";

interface AwsConnectorOptions extends Omit<ClientOptions, "credentials"> {
  credentials: Credentials;
  /** By which roles are assumed. */
  externalId: string;
  /** The twelve digits of the account that the credentials have to be of. */
  accountId: string;
  /** Has to allow the endpoint, where one is given. */
  egress?: Egress;
}

const EXPLORER = "resource-explorer-2";
const TAGGING = "tagging";
/** The service that is asked which regions there are: what is said of a region that there isn't, is in its name. */
const REGIONS = "account";
const ANY_TYPE: ReadonlySet<string> = new Set([EXPLORER, TAGGING, REGIONS]);

/**
 * Reads an AWS account. Where Resource Explorer has an index of every region that is wished, it is asked, and the
 * tagging API beside it; elsewhere Cloud Control, type by type.
 * @throws {AppError} `invalid_parameter` when the credentials aren't of AWS
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
      indexes = indexesNow(); // each scan goes by those that are on when it begins
      const wished = await wishedRegions(clients, regions, signal);
      return shardsOf(wished, await indexes(signal), clients.home);
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

/** All by index or none: Cloud Control knows resources by other names, which must not meet in one listing. */
function shardsOf({ regions, unknown }: WishedRegions, indexes: Indexes, home: string): Shard[] {
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
  const message = `Resource Explorer has no index of ${region} any more`;
  return new AwsFailure({ code: "unsupported", message }, "NoIndex");
}

function notEnabled({ region }: Shard): AwsFailure {
  const message = `there is no region ${region}, or it isn't enabled in the account`;
  return new AwsFailure({ code: "unsupported", message }, "NoRegion");
}
