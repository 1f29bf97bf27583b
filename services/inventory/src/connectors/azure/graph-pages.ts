import { text, type JsonObject } from "@leeway/shared/json";

import { ConnectorError } from "../connector.ts";
import { jsonPost, type RestClient } from "../rest/rest-client.ts";
import type { TokenSource } from "../rest/token-source.ts";
import { azureFailure, codesOf } from "./azure-failure.ts";
import { GRAPH_ACTION } from "./azure-role.ts";

const PATH = "/providers/Microsoft.ResourceGraph/resources?api-version=2022-10-01";
const MOST_ROWS = 1000;

/** A subscription in Resource Graph, and how it is reached. */
export interface GraphSource {
  client: RestClient;
  tokens: TokenSource;
  /** URL without a slash at its end. */
  endpoint: string;
  subscription: string;
}

/** Runs a query (KQL) on the subscription, and gives all its pages. @throws {ConnectorError} */
export async function* graphPages(
  source: GraphSource,
  query: string,
  signal: AbortSignal,
): AsyncGenerator<JsonObject> {
  const window: Window = { rows: MOST_ROWS, skipToken: undefined };
  for (;;) {
    const { skipToken } = window;
    const page = await fittingPage(source, { query, window }, signal);
    if (!Array.isArray(page["data"])) throw broken("answered without rows");
    yield page;
    const next = text(page, "$skipToken");
    if (next === undefined) {
      if (text(page, "resultTruncated") === "true") throw broken("cuts its answer off");
      return;
    }
    if (next === skipToken) throw broken("repeats a page for ever");
    window.skipToken = next;
  }
}

/** Where a page begins, and how many rows are asked for. */
interface Window {
  rows: number;
  skipToken: string | undefined;
}

/** Resource Graph refuses pages of more than 16 MiB: from then on fewer rows are asked for. */
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
