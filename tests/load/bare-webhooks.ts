/**
 * Verifies the same signature and inserts the same row in a single process with only Elysia and postgres.js.
 * `bun tests/load/bare-webhooks.ts <database> <organization> <secret> <port>`
 */
import { timingSafeEqual } from "node:crypto";

import { Elysia } from "elysia";
import postgres from "postgres";

const [, , url = "", orgId = "", secret = "", port = "0"] = Bun.argv;
const sql = postgres(url, { max: 10, fetch_types: false });
await sql`
  create table if not exists bare_deliveries (
    org_id uuid not null, id uuid not null, config_id uuid not null, source text not null, kind text,
    body_sha256 bytea not null, size integer not null, outcome text not null, body bytea not null,
    received_at timestamptz not null default now(), primary key (org_id, id),
    unique (org_id, source, body_sha256)
  )
`;

new Elysia()
  .post(
    "/webhooks",
    async ({ request }) => {
      const body = Buffer.from(await request.arrayBuffer());
      const given = Buffer.from(
        request.headers.get("x-planner-signature")?.slice("sha256=".length) ?? "",
        "hex",
      );
      const right = new Bun.CryptoHasher("sha256", secret).update(body).digest();
      if (given.length !== right.length || !timingSafeEqual(given, right))
        return new Response(null, { status: 401 });
      const hash = new Bun.CryptoHasher("sha256").update(body).digest();
      const id = Bun.randomUUIDv7();
      const { event } = JSON.parse(body.toString("utf8"));
      await sql`
        insert into bare_deliveries (org_id, id, config_id, source, kind, body_sha256, size, outcome, body)
        values (${orgId}, ${id}, ${orgId}, 'planner', ${event}, ${hash}, ${body.length}, 'pending', ${body})
        on conflict (org_id, source, body_sha256) do nothing
      `;
      return Response.json({ status: "accepted", delivery_id: id }, { status: 202 });
    },
    { parse: "none" },
  )
  .listen(Number(port));
