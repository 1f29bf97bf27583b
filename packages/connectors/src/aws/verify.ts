import { GetResourceCommand, ListResourcesCommand } from "@aws-sdk/client-cloudcontrol";
import { GetResourcesCommand } from "@aws-sdk/client-resource-groups-tagging-api";
import { AssumeRoleCommand } from "@aws-sdk/client-sts";
import { unavailable } from "@leeway/shared/values/errors";

import type { Verification } from "../connector.ts";
import { optionalCheck } from "../optional-check.ts";
import { tryAudit } from "./audit.ts";
import type { AwsClients } from "./clients.ts";
import { LIST_OF_TYPE } from "./cloud-control.ts";
import { GET_RESOURCE } from "./enrich.ts";
import {
  emptyWhenRefused,
  emptyWhereNone,
  indexState,
  listIndexes,
  unfinishedIndexes,
  viewFilter,
} from "./explorer.ts";
import { AwsFailure } from "./failure.ts";
import { callerIdentity, mismatch } from "./identity.ts";
import { indexedTypes } from "./indexed-types.ts";
import { entriesOf, routesOf } from "./network-tables.ts";
import { enabledRegions } from "./regions.ts";
import { GET_TAGGED } from "./tagging.ts";
import { recordsOf } from "./zone-records.ts";

type Check = Verification["checks"][number];

/** Makes one cheap call; returns a remark if it works but something is noteworthy. */
type Call = (clients: AwsClients, signal: AbortSignal) => Promise<string | undefined>;

const ASSUME_ROLE = "sts:AssumeRole";
const SHORTEST_SESSION_SECONDS = 900;
/** A type that exists in every region and takes one call to list. */
const SAMPLE_TYPE = "AWS::Logs::LogGroup";
/** Errors for a missing resource or an invalid id. */
const UNKNOWN = /^(?:ResourceNotFoundException|NoSuchHostedZone|Invalid\w+I[Dd]\.(?:NotFound|Malformed))$/;

/**
 * Tries the permissions for scans and enrichments, service by service.
 * @throws {AppError} `unavailable` when AWS doesn't answer
 */
export async function verify(
  clients: AwsClients,
  accountId: string,
  signal: AbortSignal,
): Promise<Verification> {
  let identity: string | undefined;
  let wrong: string | undefined;
  const check = await checkOf("sts", [
    async () => {
      const { arn, account } = await callerIdentity(clients, signal);
      identity = arn;
      wrong = mismatch(account, accountId);
      return wrong;
    },
  ]);
  if (identity === undefined) return { checks: [check] };
  if (wrong !== undefined) return { identity, checks: [{ ...check, ok: false }] };
  const services = clients.role ? { "external id": [tryAsStranger], ...SERVICES } : SERVICES;
  const tried = (name: string, calls: readonly Call[], until: AbortSignal): Promise<Check> =>
    checkOf(
      name,
      calls.map((call) => () => call(clients, until)),
    );
  const checks = await Promise.all(
    Object.entries(services).map(([name, calls]) => tried(name, calls, signal)),
  );
  const optional = await Promise.all(
    Object.entries(OPTIONAL).map(([name, calls]) =>
      optionalCheck(name, signal, (either) => tried(name, calls, either)),
    ),
  );
  return { identity, checks: [check, ...checks, ...optional] };
}

async function checkOf(name: string, calls: readonly (() => Promise<string | undefined>)[]): Promise<Check> {
  const results = await Promise.allSettled(calls.map((call) => call()));
  const failures = results.flatMap((result) =>
    result.status === "rejected" ? failureOf(result.reason) : [],
  );
  const said = results.flatMap((result) => (result.status === "fulfilled" ? (result.value ?? []) : []));
  const missing = failures.flatMap((failure) => failure.missing ?? []);
  const message = [...failures.map((failure) => failure.message), ...said].join("; ");
  return {
    name,
    ok: failures.length === 0,
    ...(missing.length > 0 && { missing }),
    ...(message !== "" && { message }),
  };
}

function failureOf(error: unknown): AwsFailure {
  if (!(error instanceof AwsFailure)) throw error;
  if (error.failure.code === "timeout") throw unavailable(error.message, error.cause);
  return error;
}

const SERVICES: Readonly<Record<string, readonly Call[]>> = {
  account: [
    async (clients, signal) => {
      await enabledRegions(clients, signal);
      return undefined;
    },
  ],
  "resource-explorer-2": [tryExplorer],
  cloudcontrol: [tryListing, tryReading],
  tagging: [
    async (clients, signal) => {
      await clients.ask({ action: GET_TAGGED, region: clients.home }, signal, (options) =>
        clients.tagging(clients.home).send(new GetResourcesCommand({ ResourcesPerPage: 1 }), options),
      );
      return undefined;
    },
  ],
};

/** Returns a call that checks the permission to read a resource's lists, with an id that doesn't exist. */
const lists =
  (read: typeof recordsOf, identifier: string): Call =>
  (clients, signal) =>
    unlessUnknown(read(clients, { identifier, region: clients.home, patienceMs: Infinity }, signal));

/** Checks of permissions that scans can do without. */
const OPTIONAL: Readonly<Record<string, readonly Call[]>> = {
  "index contents": [tryIndexState, tryIndexedTypes],
  ec2: [lists(routesOf, "rtb-00000000000000000"), lists(entriesOf, "acl-00000000000000000")],
  route53: [lists(recordsOf, "Z00000000LEEWAY00000")],
  cloudtrail: [tryAudit],
};

/** Checks that the role requires the external id. Otherwise every organization here could claim the role. */
async function tryAsStranger(clients: AwsClients, signal: AbortSignal): Promise<string | undefined> {
  const { home: region, role } = clients;
  if (!role) return undefined;
  const session = { RoleSessionName: "leeway-verification", DurationSeconds: SHORTEST_SESSION_SECONDS };
  const command = new AssumeRoleCommand({ RoleArn: role.arn, ...session });
  try {
    await clients.ask({ action: ASSUME_ROLE, region }, signal, (options) =>
      role.assumer.send(command, options),
    );
    return "the role can be assumed without the external id; require it in the trust policy";
  } catch (error) {
    if (error instanceof AwsFailure && error.missing === ASSUME_ROLE) return undefined;
    throw error;
  }
}

async function tryExplorer(clients: AwsClients, signal: AbortSignal): Promise<string | undefined> {
  const indexes = await listIndexes(clients, signal).catch(emptyWhereNone);
  const [asked] = indexes.values();
  if (asked === undefined) return "Resource Explorer is off; resources are listed type by type";
  const [unfinished] = await unfinishedIndexes(clients, indexes, signal);
  if (unfinished !== undefined)
    return `the index in ${unfinished} isn't complete yet; until then, resources are listed type by type`;
  const filter = await viewFilter(clients, asked, signal);
  return filter === ""
    ? undefined
    : `the default view in ${asked} has a filter; resources are listed type by type`;
}

/** Checks the permission to see whether an index is finished. */
async function tryIndexState(clients: AwsClients, signal: AbortSignal): Promise<undefined> {
  const [region] = (await listIndexes(clients, signal).catch(emptyWhenRefused)).keys();
  if (region !== undefined) await indexState(clients, region, signal);
}

/** Checks the permission to list indexed types. */
async function tryIndexedTypes(clients: AwsClients, signal: AbortSignal): Promise<undefined> {
  const indexes = await listIndexes(clients, signal).catch(emptyWhenRefused);
  if (indexes.size > 0) await indexedTypes(clients, signal);
}

/** Ignores "not found" errors: they prove that the call is allowed. */
async function unlessUnknown(asking: Promise<unknown>): Promise<undefined> {
  try {
    await asking;
  } catch (error) {
    if (!(error instanceof AwsFailure && UNKNOWN.test(error.awsCode))) throw error;
  }
}

async function tryListing(clients: AwsClients, signal: AbortSignal): Promise<undefined> {
  const command = new ListResourcesCommand({ TypeName: SAMPLE_TYPE, MaxResults: 1 });
  await clients.ask({ action: LIST_OF_TYPE, region: clients.home }, signal, (options) =>
    clients.cloudControl(clients.home).send(command, options),
  );
}

async function tryReading(clients: AwsClients, signal: AbortSignal): Promise<undefined> {
  const command = new GetResourceCommand({ TypeName: SAMPLE_TYPE, Identifier: "leeway-verification" });
  return unlessUnknown(
    clients.ask({ action: GET_RESOURCE, region: clients.home }, signal, (options) =>
      clients.cloudControl(clients.home).send(command, options),
    ),
  );
}
