import { isObject, text, type JsonObject } from "@leeway/shared/json";

import { catalog } from "../../clouds/gcp/catalog.ts";
import { memberTypeOn } from "../../clouds/gcp/iam.ts";
import { ConnectorError } from "../connector.ts";
import { remembered } from "../remembered.ts";
import { fetchPolicies, isDenied, type AssetSource } from "./asset-pages.ts";

/** What a project's resources grant, as far as that may be read. */
interface Policies {
  byName: ReadonlyMap<string, JsonObject> | undefined;
  denied?: ConnectorError;
}

/** Puts to listed resources who may do what with them. */
export interface PolicyReader {
  /**
   * The pages of a listing with the policies of their resources. What can have one and has none grants nothing. Where
   * policies are denied all else is listed.
   * @throws {ConnectorError} in the end, for policies that are denied; else as `pages` does
   */
  addTo(
    pages: AsyncIterable<{ page: JsonObject; rows: string }>,
    signal: AbortSignal,
  ): AsyncGenerator<JsonObject>;
}

/** Listings that go on at the same time share what is read, which is forgotten with the last of them. */
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
    const failure = { ...error.failure, types: ["IAM policies"], untold: ["iamPolicy"] };
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
