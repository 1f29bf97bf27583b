import { ListSupportedResourceTypesCommand } from "@aws-sdk/client-resource-explorer-2";

import { catalog } from "../../clouds/aws/types.ts";
import type { CatalogEntry } from "../../clouds/catalog.ts";
import type { AwsClients } from "./clients.ts";
import { AwsFailure } from "./failure.ts";
import { pagesOf } from "./pages.ts";

export const LIST_INDEXED_TYPES = "resource-explorer-2:ListSupportedResourceTypes";

/** The types that no index of Resource Explorer has, as far as that may be asked. @throws {AwsFailure} */
export async function unindexedTypes(clients: AwsClients, signal: AbortSignal): Promise<string[]> {
  const indexed = await indexedTypes(clients, signal).catch(noneWhenRefused);
  if (indexed.length === 0) return [];
  const forms = indexed.map(segmentsOf);
  return catalog.entries
    .filter((entry) => entry.listed && !arnFormsOf(entry).some((form) => forms.some(isPartOf(form))))
    .map(({ type }) => type);
}

/** In Resource Explorer's words: `ec2:instance`, `elasticloadbalancing:loadbalancer/app`. @throws {AwsFailure} */
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

/** A role that may not ask is read by an index all the same. */
function noneWhenRefused(error: unknown): string[] {
  if (error instanceof AwsFailure && error.missing !== undefined) return [];
  throw error;
}

function arnFormsOf({ path = "" }: CatalogEntry): string[][] {
  return path.split(",").map(segmentsOf);
}

/** The words of a type or of an ARN's form, without what is different in each. */
function segmentsOf(form: string): string[] {
  return form
    .toLowerCase()
    .split(/[:/]/)
    .filter((segment) => segment !== "" && !segment.includes("{"));
}

/** Whether one says what the other does, and maybe more: `sqs` of an ARN is `sqs:queue`. */
function isPartOf(one: readonly string[]): (other: readonly string[]) => boolean {
  return (other) =>
    Array.from({ length: Math.min(one.length, other.length) }, (_, at) => one[at] === other[at]).every(
      Boolean,
    );
}
