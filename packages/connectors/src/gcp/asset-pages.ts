import { member, members, text, type JsonObject } from "@leeway/shared/values/json";

import { ConnectorError } from "../connector.ts";
import type { RestClient } from "../rest/rest-client.ts";
import type { TokenSource } from "../rest/token-source.ts";
import { LIST_PERMISSION, POLICY_PERMISSION, SEARCH_PERMISSION } from "./gcp-role.ts";
import { googleFailure } from "./google-failure.ts";

/** A query of Cloud Asset Inventory for a project's resources or their policies. */
interface AssetQuery {
  /** Path below the project's URL. */
  path: string;
  /** Name of the field with a page's rows. */
  rows: string;
  parameters: Record<string, string>;
  maxRows: number;
  permission: string;
}

export const LISTING: AssetQuery = {
  path: "/assets",
  rows: "assets",
  parameters: { contentType: "RESOURCE" },
  maxRows: 1000,
  permission: LIST_PERMISSION,
};

/** A search for all fields returns the properties of many types, but not of all. */
export const SEARCH: AssetQuery = {
  path: ":searchAllResources",
  rows: "results",
  parameters: { readMask: "*" },
  maxRows: 500,
  permission: SEARCH_PERMISSION,
};

/** IAM policies of all resources that have one. */
export const POLICIES: AssetQuery = {
  ...LISTING,
  parameters: { contentType: "IAM_POLICY" },
  permission: POLICY_PERMISSION,
};

/** A project in Cloud Asset Inventory, and how to reach it. */
export interface AssetSource {
  client: RestClient;
  tokens: TokenSource;
  /** URL without a trailing slash. */
  endpoint: string;
  project: string;
}

/** Fetches one page; its rows are at `query.rows`, even if empty. @throws {ConnectorError} */
export async function fetchPage(
  { client, tokens, endpoint, project }: AssetSource,
  query: AssetQuery,
  { pageToken, pageSize = query.maxRows }: { pageToken?: string; pageSize?: number },
  signal: AbortSignal,
): Promise<JsonObject> {
  const { path, rows, permission } = query;
  const parameters = new URLSearchParams({ ...query.parameters, pageSize: String(pageSize) });
  if (pageToken !== undefined) parameters.set("pageToken", pageToken);
  const page = await client.call(
    {
      url: `${endpoint}/v1/projects/${encodeURIComponent(project)}${path}?${parameters.toString()}`,
      tokens,
      failureOf: (answer) => googleFailure(answer, { service: "cloudasset", permission, project }),
    },
    signal,
  );
  const found = page[rows] ?? []; // Google omits empty fields
  if (!Array.isArray(found)) throw broken("returned no rows");
  return { ...page, [rows]: found };
}

/** Yields all pages of the listing, or of the search if listing is denied. @throws {ConnectorError} */
export async function* assetPages(
  source: AssetSource,
  signal: AbortSignal,
): AsyncGenerator<{ page: JsonObject; rows: string }> {
  let query = LISTING;
  const first = await fetchPage(source, query, {}, signal).catch(async (denied: unknown) => {
    if (!isDenied(denied)) throw denied;
    query = SEARCH;
    return fetchPage(source, query, {}, signal);
  });
  for await (const page of pagesFrom(first, source, query, signal)) yield { page, rows: query.rows };
}

/** Returns the IAM policies of all resources that have one, by resource name. @throws {ConnectorError} */
export async function fetchPolicies(
  source: AssetSource,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, JsonObject>> {
  const policies = new Map<string, JsonObject>();
  const first = await fetchPage(source, POLICIES, {}, signal);
  for await (const page of pagesFrom(first, source, POLICIES, signal)) {
    for (const asset of members(page, POLICIES.rows)) {
      const [name, policy] = [text(asset, "name"), member(asset, "iamPolicy")];
      if (name !== undefined && policy) policies.set(name, policy);
    }
  }
  return policies;
}

/** Reports whether a failure is a missing permission. */
export function isDenied(error: unknown): error is ConnectorError {
  return error instanceof ConnectorError && error.failure.code === "permission_denied";
}

async function* pagesFrom(
  first: JsonObject,
  source: AssetSource,
  query: AssetQuery,
  signal: AbortSignal,
): AsyncGenerator<JsonObject> {
  let page = first;
  for (let pageToken; ;) {
    yield page;
    const next = text(page, "nextPageToken");
    if (next === undefined) return;
    if (next === pageToken) throw broken("returned the same page twice");
    pageToken = next;
    page = await fetchPage(source, query, { pageToken }, signal);
  }
}

function broken(message: string): ConnectorError {
  return new ConnectorError({ code: "internal", message: `Cloud Asset Inventory ${message}` });
}
