import { members, text, type JsonObject } from "@leeway/shared/json";

import type { Api } from "./client.ts";
import { expectOk } from "./refusal.ts";

const PAGE = "500";

/** The rows of a list that has pages, one after the other; `what` says what they are. */
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
      `to list ${what}`,
    );
    yield* members(body, "data");
    cursor = text(body, "next_cursor");
  } while (cursor !== undefined);
}
