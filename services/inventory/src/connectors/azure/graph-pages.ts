import { text, type JsonObject } from "@leeway/shared/json";

import { ConnectorError } from "../connector.ts";
import { jsonPost, type RestClient } from "../rest/rest-client.ts";
import type { TokenSource } from "../rest/token-source.ts";
import { azureFailure } from "./azure-failure.ts";
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
  { client, tokens, endpoint, subscription }: GraphSource,
  query: string,
  signal: AbortSignal,
): AsyncGenerator<JsonObject> {
  for (let skipToken: string | undefined; ;) {
    const options = {
      resultFormat: "objectArray",
      $top: MOST_ROWS,
      ...(skipToken !== undefined && { $skipToken: skipToken }),
    };
    const page = await client.call(
      {
        url: `${endpoint}${PATH}`,
        init: jsonPost({ subscriptions: [subscription], query, options }),
        tokens,
        failureOf: (answer) => azureFailure(answer, { action: GRAPH_ACTION, subscription }),
      },
      signal,
    );
    if (!Array.isArray(page["data"])) throw broken("answered without rows");
    yield page;
    const next = text(page, "$skipToken");
    if (next === undefined) {
      if (text(page, "resultTruncated") === "true") throw broken("cuts its answer off");
      return;
    }
    if (next === skipToken) throw broken("repeats a page for ever");
    skipToken = next;
  }
}

function broken(message: string): ConnectorError {
  return new ConnectorError({ code: "internal", message: `Resource Graph ${message}` });
}
