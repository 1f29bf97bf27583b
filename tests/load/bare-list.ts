/**
 * Serves pages of resources with the same statement from a single process with only Elysia and postgres.js.
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
    const { json, last } = await listResources(sql, NO_FILTER, { after: query["cursor"], limit: LIMIT });
    const next = last === undefined ? "" : `,"next_cursor":"${last}"`;
    return new Response(`{"data":[${json}]${next}}`, {
      headers: { "content-type": "application/json" },
    });
  })
  .listen(Number(port));
