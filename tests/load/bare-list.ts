/**
 * A bare single process of Elysia and postgres.js that serves pages of resources by the same statement.
 * `bun tests/load/bare-list.ts <database> <organization> <port>`
 */
import type { OrgStatements } from "@leeway/shared/database/database";
import { Elysia } from "elysia";
import postgres from "postgres";

import { listResources } from "../../services/inventory/src/resources/store.ts";

const [, , url = "", orgId = "", port = "0"] = Bun.argv;
const LIMIT = 100;
const part = postgres(url, { max: 10, fetch_types: false });
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the driver's own tag, without our door
const sql = Object.assign((...statement: Parameters<typeof part>) => part(...statement), {
  part,
  orgId,
}) as unknown as OrgStatements;
const NO_FILTER = {
  accountId: undefined,
  normalizedType: undefined,
  providerType: undefined,
  match: undefined,
  enrichmentStatus: undefined,
  q: undefined,
  seenSince: undefined,
};

new Elysia()
  .get("/resources", async ({ query }) => {
    const rows = await listResources(sql, NO_FILTER, { after: query["cursor"], limit: LIMIT + 1 });
    const shown = rows.slice(0, LIMIT);
    const last = rows.length > LIMIT ? shown.at(-1) : undefined;
    const next = last ? `,"next_cursor":"${last.id}"` : "";
    return new Response(`{"data":[${shown.map(({ json }) => json).join(",")}]${next}}`, {
      headers: { "content-type": "application/json" },
    });
  })
  .listen(Number(port));
