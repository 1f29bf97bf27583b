import { member, members, text, type JsonObject } from "@leeway/shared/json";

import { ConnectorError } from "../connector.ts";
import type { RestClient } from "../rest/rest-client.ts";
import type { TokenSource } from "../rest/token-source.ts";
import { LIST_PERMISSION, POLICY_PERMISSION, SEARCH_PERMISSION } from "./gcp-role.ts";
import { googleFailure } from "./google-failure.ts";

/** A way to ask Cloud Asset Inventory for a project's resources, or what is set on them. */
interface AssetQuery {
  /** After the project's URL. */
  path: string;
  /** Where a page has its rows. */
  rows: string;
  parameters: Record<string, string>;
  mostRows: number;
  permission: string;
}

export const LISTING: AssetQuery = {
  path: "/assets",
  rows: "assets",
  parameters: { contentType: "RESOURCE" },
  mostRows: 1000,
  permission: LIST_PERMISSION,
};

/** Asked for all fields, a search has the properties of many types, though not of all. */
export const SEARCH: AssetQuery = {
  path: ":searchAllResources",
  rows: "results",
  parameters: { readMask: "*" },
  mostRows: 500,
  permission: SEARCH_PERMISSION,
};

/** Who may do what with each resource that has a policy. */
export const POLICIES: AssetQuery = {
  ...LISTING,
  parameters: { contentType: "IAM_POLICY" },
  permission: POLICY_PERMISSION,
};

/** A project in Cloud Asset Inventory, and how it is reached. */
export interface AssetSource {
  client: RestClient;
  tokens: TokenSource;
  /** URL without a slash at its end. */
  endpoint: string;
  project: string;
}

/** One page, its rows at `query.rows` even when there are none. @throws {ConnectorError} */
export async function fetchPage(
  { client, tokens, endpoint, project }: AssetSource,
  query: AssetQuery,
  { pageToken, pageSize = query.mostRows }: { pageToken?: string; pageSize?: number },
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
  const found = page[rows] ?? []; // what is empty is left out
  if (!Array.isArray(found)) throw broken("answered without rows");
  return { ...page, [rows]: found };
}

/** All pages: of the listing, or of the search where the listing is denied. @throws {ConnectorError} */
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

/** The policies of all resources that have one, by the resource's name. @throws {ConnectorError} */
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

/** Whether a failure is that something may not be asked. */
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
    if (next === pageToken) throw broken("repeats a page for ever");
    pageToken = next;
    page = await fetchPage(source, query, { pageToken }, signal);
  }
}

function broken(message: string): ConnectorError {
  return new ConnectorError({ code: "internal", message: `Cloud Asset Inventory ${message}` });
}
