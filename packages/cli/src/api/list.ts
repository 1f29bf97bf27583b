import { members, text, type JsonObject } from "@leeway/shared/values/json";

import type { Api } from "./client.ts";
import { expectOk } from "./refusal.ts";

const PAGE = "500";

/** Yields all rows of a paged list; `what` names them in error messages. */
export async function* listAll(
  api: Api,
  place: string,
  what: string,
  filters: Readonly<Record<string, string | undefined>> = {},
): AsyncGenerator<JsonObject> {
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ limit: PAGE });
    for (const [name, value] of Object.entries({ ...filters, cursor })) if (value) query.set(name, value);
    const { body } = expectOk(
      await api.ask({ method: "GET", path: `${place}?${query.toString()}` }),
      `the list of ${what}`,
    );
    yield* members(body, "data");
    cursor = text(body, "next_cursor");
  } while (cursor !== undefined);
}
