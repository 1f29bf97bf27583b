import { members, text, type JsonObject } from "@leeway/shared/values/json";

import { ConnectorError } from "../connector.ts";
import { azureFailure } from "./azure-failure.ts";
import type { GraphSource } from "./graph-pages.ts";

/** A call to Resource Manager about a subscription. */
interface Question {
  /** Path below the subscription's URL. */
  path: string;
  /** Required permission. */
  action: string;
}

/** Returns one object. @throws {ConnectorError} */
export function readOne(
  source: GraphSource,
  { path, action }: Question,
  signal: AbortSignal,
): Promise<JsonObject> {
  return get(source, { url: `${subscriptionUrl(source)}${path}`, action }, signal);
}

/** Returns all rows of a list, from all pages. @throws {ConnectorError} */
export async function readAll(
  source: GraphSource,
  { path, action }: Question,
  signal: AbortSignal,
): Promise<JsonObject[]> {
  const rows: JsonObject[] = [];
  let url = `${subscriptionUrl(source)}${path}`;
  for (;;) {
    const page = await get(source, { url, action }, signal);
    rows.push(...members(page, "value"));
    const next = text(page, "nextLink") ?? "";
    if (next === "") return rows;
    if (next === url || !isOf(source, next))
      throw new ConnectorError({
        code: "internal",
        message: "Azure returned an invalid link to the next page",
      });
    url = next;
  }
}

/** Checks that a link stays on the host that may receive the token. */
function isOf({ endpoint }: GraphSource, link: string): boolean {
  return URL.canParse(link) && new URL(link).origin === new URL(endpoint).origin;
}

function subscriptionUrl({ endpoint, subscription }: GraphSource): string {
  return `${endpoint}/subscriptions/${subscription}`;
}

function get(
  { client, tokens, subscription }: GraphSource,
  { url, action }: { url: string; action: string },
  signal: AbortSignal,
): Promise<JsonObject> {
  return client.call(
    { url, tokens, failureOf: (answer) => azureFailure(answer, { action, subscription }) },
    signal,
  );
}
