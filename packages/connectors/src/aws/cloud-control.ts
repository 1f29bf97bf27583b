import { ListResourcesCommand } from "@aws-sdk/client-cloudcontrol";
import type { CatalogEntry } from "@leeway/clouds/catalog";
import { members, text, type JsonObject } from "@leeway/shared/values/json";

import type { Shard } from "../connector.ts";
import { documentOf } from "./ask.ts";
import type { AwsClients } from "./clients.ts";
import { AwsFailure, rejectsCredentials } from "./failure.ts";
import { listedBy, parentOf, type By } from "./listed-by.ts";
import { pagesOf } from "./pages.ts";
import { listTaggedOf } from "./tagging.ts";
import { regionOfService, typesOf } from "./types.ts";

export const LIST_OF_TYPE = "cloudformation:ListResources";

/** Cloud Control's errors for a type that it can't list: in this region, at all, or without naming its parent. */
const NOT_LISTED: ReadonlySet<string> = new Set([
  "TypeNotFoundException",
  "UnsupportedActionException",
  "InvalidRequestException",
]);
const GONE = "ResourceNotFoundException";

/**
 * Lists a service type by type, parents before their children. Types that Cloud Control can't list come from the
 * tagging API. If a type fails, the remaining types are still listed before the shard fails.
 */
export async function* listService(
  clients: AwsClients,
  { shard, accountId }: { shard: Shard; accountId: string },
  signal: AbortSignal,
): AsyncIterable<JsonObject> {
  const region = shard.region ?? regionOfService(shard.service, clients.home);
  const place = shard.region === undefined ? {} : { Region: shard.region, AccountId: accountId };
  const outcomes = new Map<string, Outcome>();
  const identifiersOf = (type: string): readonly string[] => outcomes.get(type)?.identifiers ?? [];
  for (const entry of parentsFirst(typesOf(shard))) {
    const { type } = entry;
    // If listing the parents failed, their children can't be listed either.
    const outcome: Outcome = { entry, identifiers: [], failure: outcomes.get(parentOf(type) ?? "")?.failure };
    outcomes.set(type, outcome);
    const by = listedBy(type, { region, accountId, identifiersOf });
    if (!outcome.failure) yield* listInto(outcome, clients, { type, region, place, by }, signal);
  }
  const [notListed, others] = partition([...outcomes.values()], isNotListed);
  yield* listTaggedOf(
    notListed.map(({ entry }) => entry),
    clients,
    region,
    signal,
  );
  throwFailed(others);
}

/** @throws {AwsFailure} if every further type would fail the same way */
async function* listInto(
  outcome: Outcome,
  clients: AwsClients,
  request: ListRequest,
  signal: AbortSignal,
): AsyncIterable<JsonObject> {
  try {
    for await (const page of listType(clients, request, signal)) {
      outcome.identifiers.push(...identifiersIn(page));
      yield page;
    }
  } catch (error) {
    if (!(error instanceof AwsFailure) || endsShard(error)) throw error;
    outcome.failure = error;
  }
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

/** Result of listing a type. */
interface Outcome {
  entry: CatalogEntry;
  /** Cloud Control's identifiers of the listed resources. */
  identifiers: string[];
  failure: AwsFailure | undefined;
}

function isNotListed({ identifiers, failure }: Outcome): boolean {
  return identifiers.length === 0 && failure !== undefined && NOT_LISTED.has(failure.awsCode);
}

function parentsFirst(entries: readonly CatalogEntry[]): CatalogEntry[] {
  const depth = (type: string): number => {
    const parent = parentOf(type);
    return parent === undefined ? 0 : 1 + depth(parent);
  };
  return entries.toSorted((one, other) => depth(one.type) - depth(other.type));
}

function identifiersIn(page: JsonObject): string[] {
  return members(page, "ResourceDescriptions").flatMap((row) => text(row, "Identifier") ?? []);
}

/** Throws one failure for all types, preferably a denial. */
function throwFailed(outcomes: readonly Outcome[]): void {
  const failed = outcomes.flatMap(({ entry: { type }, failure }) => (failure ? [{ type, failure }] : []));
  const first = failed.find(({ failure }) => isDenial(failure)) ?? failed[0];
  if (first === undefined) return;
  const { failure, awsCode, missing } = first.failure;
  throw new AwsFailure({ ...failure, types: failed.map(({ type }) => type) }, awsCode, missing);
}

/** Reports whether every further type would fail the same way. */
function endsShard(failure: AwsFailure): boolean {
  const { code } = failure.failure;
  return (
    failure.missing === LIST_OF_TYPE ||
    rejectsCredentials(failure) ||
    code === "timeout" ||
    code === "throttled"
  );
}

function isDenial({ failure }: AwsFailure): boolean {
  return failure.code === "permission_denied";
}

interface ListRequest {
  type: string;
  region: string;
  /** Region and account, added to each page. */
  place: object;
  by: By | undefined;
}

/** Lists a type. If it is listed by parent and there are no parents, the result is one page without rows. */
async function* listType(
  clients: AwsClients,
  request: ListRequest,
  signal: AbortSignal,
): AsyncIterable<JsonObject> {
  const { type, place, by } = request;
  if (by === undefined) return yield* listPages(clients, request, undefined, signal);
  if (by.values.length === 0) yield documentOf({ TypeName: type, ...place, ResourceDescriptions: [] });
  for (const value of by.values) {
    try {
      yield* listPages(clients, request, JSON.stringify({ [by.property]: value }), signal);
    } catch (error) {
      // The parent was deleted during the scan, and its children with it.
      if (!(error instanceof AwsFailure && error.awsCode === GONE)) throw error;
    }
  }
}

async function* listPages(
  clients: AwsClients,
  { type, region, place }: ListRequest,
  model: string | undefined,
  signal: AbortSignal,
): AsyncIterable<JsonObject> {
  const client = clients.cloudControl(region);
  const query = { TypeName: type, ...(model !== undefined && { ResourceModel: model }) };
  const pages = pagesOf((token) =>
    clients.ask({ action: LIST_OF_TYPE, region }, signal, (options) =>
      client.send(new ListResourcesCommand({ ...query, ...(token && { NextToken: token }) }), options),
    ),
  );
  for await (const { ResourceDescriptions = [] } of pages)
    yield documentOf({ TypeName: type, ...place, ResourceDescriptions });
}
