import { expect, test } from "bun:test";

import { createClient, dataOf, LeewayError, rows } from "./client.ts";

const ORG = { path: { id: "0192e4a0-7c1e-7a33-9d55-6f1f0c2b8a10" } };
const AT_ONCE = { "retry-after": "0" };

interface Sent {
  method: string;
  key: string | null;
  body: string;
}

/** A server that answers with each reply in turn. */
function serve(...replies: (() => Response)[]) {
  const sent: Sent[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { method, headers } = request;
      sent.push({ method, key: headers.get("idempotency-key"), body: await request.text() });
      return replies.shift()?.() ?? Response.json({ code: "not_found" }, { status: 404 });
    },
  });
  const client = createClient({ url: `${server.url.origin}/`, token: "leeway_key", tries: 3 });
  return { sent, client, [Symbol.dispose]: () => void server.stop(true) };
}

const error =
  (status: number, code: string, headers = {}) =>
  () =>
    Response.json({ code, error: code, message: "why", request_id: "req-1" }, { status, headers });

test("a failure has the server's code, message and request id", async () => {
  using server = serve(error(403, "forbidden"));
  const failure = await dataOf(server.client.GET("/api/v2/orgs/{id}/posture", { params: ORG })).catch(
    (e) => e,
  );
  expect(failure).toBeInstanceOf(LeewayError);
  expect(failure).toMatchObject({ status: 403, code: "forbidden", message: "why", requestId: "req-1" });
});

test("a busy server is asked again, and a POST takes effect once", async () => {
  using server = serve(error(503, "unavailable", AT_ONCE), error(429, "rate_limited", AT_ONCE), () =>
    Response.json({ id: "1" }, { status: 201 }),
  );
  const body = { name: "network" };
  const made = await dataOf(server.client.POST("/api/v2/orgs/{id}/iac-sources", { params: ORG, body }));
  expect(made).toMatchObject({ id: "1" });
  expect(server.sent.map(({ body }) => body)).toEqual(Array.from({ length: 3 }, () => JSON.stringify(body)));
  expect(new Set(server.sent.map(({ key }) => key)).size).toBe(1);
  expect(server.sent[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
});

test("the last try's answer counts, and a wait of an hour is the caller's", async () => {
  const busy = error(503, "unavailable", AT_ONCE);
  using server = serve(busy, busy, busy);
  const failure = await dataOf(server.client.GET("/api/v2/orgs", {})).catch((e) => e);
  expect([failure.code, server.sent.length]).toEqual(["unavailable", 3]);
  using quota = serve(error(429, "weekly_quota_exhausted", { "retry-after": "3600" }));
  expect(await dataOf(quota.client.GET("/api/v2/orgs", {})).catch((e) => e.code)).toBe(
    "weekly_quota_exhausted",
  );
  expect(quota.sent).toHaveLength(1);
});

test("a server that can't be reached is an error after all tries", async () => {
  let tries = 0;
  const fetch = async (): Promise<Response> => {
    tries += 1;
    throw new TypeError("fetch failed");
  };
  const client = createClient({ url: "https://leeway.example.com", token: "t", tries: 2, fetch });
  expect(client.GET("/api/v2/orgs", {})).rejects.toThrow("fetch failed");
  await client.GET("/api/v2/orgs", {}).catch(() => undefined);
  expect(tries).toBeGreaterThanOrEqual(2);
});

test("rows of all pages are read in order", async () => {
  using server = serve(
    () => Response.json({ data: [{ id: "1" }, { id: "2" }], next_cursor: "c1" }),
    () => Response.json({ data: [{ id: "3" }] }),
  );
  const all = rows((next) =>
    server.client.GET("/api/v2/orgs/{id}/cloud-accounts", { params: { ...ORG, query: { ...next } } }),
  );
  expect((await Array.fromAsync(all)).map(({ id }) => id)).toEqual(["1", "2", "3"]);
});
