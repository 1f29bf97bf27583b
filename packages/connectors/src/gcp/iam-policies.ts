import { catalog } from "@leeway/clouds/gcp/catalog";
import { memberTypeOn } from "@leeway/clouds/gcp/iam";
import { isObject, text, type JsonObject } from "@leeway/shared/values/json";

import { ConnectorError } from "../connector.ts";
import { remembered } from "../remembered.ts";
import { fetchPolicies, isDenied, type AssetSource } from "./asset-pages.ts";

/** IAM policies of a project's resources, if they are readable. */
interface Policies {
  byName: ReadonlyMap<string, JsonObject> | undefined;
  denied?: ConnectorError;
}

/** Adds IAM policies to listed resources. */
export interface PolicyReader {
  /**
   * Yields the pages of a listing with the policies of their resources. A resource without a policy gets an empty one.
   * If policies are denied, the rest is still listed.
   * @throws {ConnectorError} at the end if policies are denied; otherwise as `pages` does
   */
  addTo(
    pages: AsyncIterable<{ page: JsonObject; rows: string }>,
    signal: AbortSignal,
  ): AsyncGenerator<JsonObject>;
}

/** Creates a reader. Concurrent listings share the policies, which are dropped after the last listing. */
export function createPolicyReader(source: AssetSource): PolicyReader {
  let listings = 0;
  const policiesNow = () => remembered((signal) => readPolicies(source, signal));
  let policies = policiesNow();
  return {
    async *addTo(pages, signal) {
      listings += 1;
      try {
        const { byName, denied } = await policies(signal);
        for await (const { page, rows } of pages) yield byName ? withPolicies(page, rows, byName) : page;
        if (denied) throw denied;
      } finally {
        listings -= 1;
        if (listings === 0) policies = policiesNow();
      }
    },
  };
}

async function readPolicies(source: AssetSource, signal: AbortSignal): Promise<Policies> {
  try {
    return { byName: await fetchPolicies(source, signal) };
  } catch (error) {
    if (!isDenied(error)) throw error;
    const failure = { ...error.failure, types: ["IAM policies"], unreadProperties: ["iamPolicy"] };
    return { byName: undefined, denied: new ConnectorError(failure, { cause: error }) };
  }
}

function withPolicies(page: JsonObject, rows: string, policies: ReadonlyMap<string, JsonObject>): JsonObject {
  const listed = page[rows];
  if (!Array.isArray(listed)) return page;
  return { ...page, [rows]: listed.map((row) => (isObject(row) ? withPolicy(row, policies) : row)) };
}

function withPolicy(row: JsonObject, policies: ReadonlyMap<string, JsonObject>): JsonObject {
  const entry = catalog.byType(text(row, "assetType") ?? "");
  if (!entry || memberTypeOn(entry) === undefined) return row;
  return { ...row, iamPolicy: policies.get(text(row, "name") ?? "") ?? {} };
}
