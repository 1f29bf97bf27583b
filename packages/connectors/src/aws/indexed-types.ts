import { ListSupportedResourceTypesCommand } from "@aws-sdk/client-resource-explorer-2";

import { catalog } from "@leeway/clouds/aws/types";
import type { CatalogEntry } from "@leeway/clouds/catalog";
import type { AwsClients } from "./clients.ts";
import { AwsFailure } from "./failure.ts";
import { pagesOf } from "./pages.ts";

export const LIST_INDEXED_TYPES = "resource-explorer-2:ListSupportedResourceTypes";

/** Returns the types that Resource Explorer doesn't index, or none if the role may not ask. @throws {AwsFailure} */
export async function unindexedTypes(clients: AwsClients, signal: AbortSignal): Promise<string[]> {
  const indexed = await indexedTypes(clients, signal).catch(noneWhenRefused);
  if (indexed.length === 0) return [];
  const forms = indexed.map(segmentsOf);
  return catalog.entries
    .filter((entry) => entry.listed && !arnFormsOf(entry).some((form) => forms.some(isPartOf(form))))
    .map(({ type }) => type);
}

/**
 * Returns indexed types in Resource Explorer's notation: `ec2:instance`, `elasticloadbalancing:loadbalancer/app`.
 * @throws {AwsFailure}
 */
export async function indexedTypes(clients: AwsClients, signal: AbortSignal): Promise<string[]> {
  const client = clients.explorer(clients.home);
  const pages = pagesOf((token) =>
    clients.ask({ action: LIST_INDEXED_TYPES, region: clients.home }, signal, (options) =>
      client.send(
        new ListSupportedResourceTypesCommand({ MaxResults: 1000, ...(token && { NextToken: token }) }),
        options,
      ),
    ),
  );
  const types: string[] = [];
  for await (const { ResourceTypes = [] } of pages)
    types.push(...ResourceTypes.flatMap(({ ResourceType }) => ResourceType ?? []));
  return types;
}

/** Returns no types if the role may not ask, so that the scan still uses the index. */
function noneWhenRefused(error: unknown): string[] {
  if (error instanceof AwsFailure && error.missing !== undefined) return [];
  throw error;
}

function arnFormsOf({ path = "" }: CatalogEntry): string[][] {
  return path.split(",").map(segmentsOf);
}

/** Splits a type or the form of an ARN into its fixed segments. */
function segmentsOf(form: string): string[] {
  return form
    .toLowerCase()
    .split(/[:/]/)
    .filter((segment) => segment !== "" && !segment.includes("{"));
}

/** Reports whether one form is a prefix of the other: `sqs` from an ARN matches `sqs:queue`. */
function isPartOf(one: readonly string[]): (other: readonly string[]) => boolean {
  return (other) =>
    Array.from({ length: Math.min(one.length, other.length) }, (_, at) => one[at] === other[at]).every(
      Boolean,
    );
}
