import { text, type JsonObject } from "@leeway/shared/values/json";

import { ConnectorError } from "../connector.ts";
import { jsonPost, type RestClient } from "../rest/rest-client.ts";
import type { TokenSource } from "../rest/token-source.ts";
import { azureFailure, codesOf } from "./azure-failure.ts";
import { GRAPH_ACTION } from "./azure-role.ts";

const PATH = "/providers/Microsoft.ResourceGraph/resources?api-version=2022-10-01";
const MAX_ROWS = 1000;

/** A subscription in Resource Graph, and how to reach it. */
export interface GraphSource {
  client: RestClient;
  tokens: TokenSource;
  /** URL without a trailing slash. */
  endpoint: string;
  subscription: string;
}

/** Runs a KQL query on the subscription and yields all pages. @throws {ConnectorError} */
export async function* graphPages(
  source: GraphSource,
  query: string,
  signal: AbortSignal,
): AsyncGenerator<JsonObject> {
  const window: Window = { rows: MAX_ROWS, skipToken: undefined };
  for (;;) {
    const { skipToken } = window;
    const page = await fittingPage(source, { query, window }, signal);
    if (!Array.isArray(page["data"])) throw broken("returned no rows");
    yield page;
    const next = text(page, "$skipToken");
    if (next === undefined) {
      if (text(page, "resultTruncated") === "true") throw broken("truncated its response");
      return;
    }
    if (next === skipToken) throw broken("returned the same page twice");
    window.skipToken = next;
  }
}

/** Start and size of the next page. */
interface Window {
  rows: number;
  skipToken: string | undefined;
}

/** Fetches a page. Resource Graph refuses pages over 16 MiB, so this page and all later ones get fewer rows. */
async function fittingPage(
  { client, tokens, endpoint, subscription }: GraphSource,
  { query, window }: { query: string; window: Window },
  signal: AbortSignal,
): Promise<JsonObject> {
  for (;;) {
    let isTooLarge = false;
    const options = {
      resultFormat: "objectArray",
      $top: window.rows,
      ...(window.skipToken !== undefined && { $skipToken: window.skipToken }),
    };
    try {
      return await client.call(
        {
          url: `${endpoint}${PATH}`,
          init: jsonPost({ subscriptions: [subscription], query, options }),
          tokens,
          failureOf(answer) {
            isTooLarge = codesOf(answer).includes("ResponsePayloadTooLarge");
            return azureFailure(answer, { action: GRAPH_ACTION, subscription });
          },
        },
        signal,
      );
    } catch (error) {
      if (!isTooLarge || window.rows === 1) throw error;
      window.rows = Math.ceil(window.rows / 4);
    }
  }
}

function broken(message: string): ConnectorError {
  return new ConnectorError({ code: "internal", message: `Resource Graph ${message}` });
}
