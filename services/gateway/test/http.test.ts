import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";

import { currentContext } from "@leeway/shared/platform/context";
import { healthOf } from "@leeway/shared/contracts/common";
import { ListScans } from "@leeway/shared/contracts/inventory/scans";

import { startTestGateway, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
let org: { id: string; key: string };
beforeAll(async () => {
  gateway = await startTestGateway();
  org = await gateway.newOrg();
});
afterAll(() => gateway.stop());
afterEach(() => gateway.others.reset());

describe("an unauthenticated request", () => {
  test.each<[why: string, headers: Record<string, string>]>([
    ["without credentials", {}],
    ["with a password", { authorization: "Basic YTpi" }],
    ["with a key with a wrong checksum", { authorization: `Bearer leeway_00000000_${"0".repeat(38)}` }],
    ["with an empty Bearer token", { authorization: "Bearer " }],
    ["with two tokens", { authorization: "Bearer a b" }],
    ["with a token in the query", {}],
  ])("%s gets 401 with WWW-Authenticate", async (_, headers) => {
    const refused = await gateway.ask("GET", `/api/v2/orgs/${org.id}?access_token=${org.key}`, { headers });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toBe("Bearer");
    expect(refused.body.code).toBe("unauthenticated");
  });

  test("reveals nothing about ids, parameters or bodies", async () => {
    for (const path of ["/api/v2/orgs/7", `/api/v2/orgs/${org.id}/scans?limit=x`]) {
      expect((await gateway.ask("GET", path)).status).toBe(401);
    }
    expect((await gateway.ask("POST", `/api/v2/orgs/${org.id}/scans`, { body: "{" })).status).toBe(401);
  });
});

test("checks run in order: id, membership, role, parameters, body", async () => {
  const { owner, id } = await gateway.newOwnedOrg();
  const viewer = await gateway.newKey(id, owner, "viewer");
  const post = (org: string, path: string, body: string) =>
    gateway.ask("POST", `/api/v2/orgs/${org}${path}`, { as: viewer.key, body });
  expect((await post("7", "/scans", "{")).status).toBe(400);
  expect((await post(crypto.randomUUID(), "/scans/x/cancel", "{")).status).toBe(404);
  expect((await post(id, "/scans/x/cancel", "{")).status).toBe(403);
  const admin = await gateway.newKey(id, owner, "admin");
  const refused = await gateway.ask("PATCH", `/api/v2/orgs/${id}/iac-sources/x`, {
    as: admin.key,
    body: "{",
  });
  expect(refused.body).toMatchObject({ code: "invalid_parameter", details: [{ field: "source_id" }] });
});

describe("errors", () => {
  test("contain a code, its mirror, a message and the request id", async () => {
    const refused = await gateway.ask("GET", "/api/v2/orgs/7", { as: org.key });
    expect(refused.body).toEqual({
      code: "invalid_parameter",
      error: "invalid_parameter",
      message: "id must be a UUID",
      request_id: refused.headers.get("x-request-id"),
      details: [{ field: "id", code: "invalid", message: "must be a UUID" }],
    });
  });

  test.each([
    ["application/problem+json", true],
    ["APPLICATION/Problem+JSON", true],
    ["application/json, application/problem+json", true],
    ["application/problem+json;q=0.5, */*;q=0.1", true],
    ["application/json, application/problem+json;q=0.9", false],
    ["application/json, application/problem+json;q=0", false],
    ["application/problem+json;q=0.5, application/*", false],
    ["application/problem+json;q=0", false],
    ["application/problem+jsonish", false],
    ["*/*", false],
  ])("for Accept %s are problem documents: %p", async (accept, isProblem) => {
    const refused = await gateway.ask("GET", "/api/v2/nowhere", { as: org.key, headers: { accept } });
    const type = isProblem ? "application/problem+json" : "application/json";
    expect(refused.headers.get("content-type")).toBe(type);
  });

  test("are problem documents for clients that accept them", async () => {
    const headers = { accept: "application/problem+json, application/json;q=0.5" };
    const refused = await gateway.ask("GET", "/api/v2/nowhere", { as: org.key, headers });
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
    expect(refused.body).toMatchObject({
      type: "urn:leeway:error:not_found",
      title: "Not Found",
      status: 404,
      detail: refused.body.message,
      instance: `urn:leeway:request:${refused.headers.get("x-request-id")}`,
      code: "not_found",
      error: "not_found",
    });
  });
});

describe("paths and methods", () => {
  test.each([
    "/",
    "/api",
    "/api/v2",
    "/api/v2/nowhere",
    "/api/v1/orgs",
    "/api/v2/orgs/",
    "/api//v2/orgs",
    "/operator",
    "/docs/nothing.js",
    "/docs/..%2fpackage.json",
  ])("%s gives 404", async (path) => {
    const refused = await gateway.ask("GET", path, { as: org.key });
    expect(refused).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  test("an unsupported method gives 405 with the allowed ones", async () => {
    const refused = await gateway.ask("PUT", "/api/v2/orgs", { as: org.key });
    expect(refused).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
    expect(refused.headers.get("allow")).toBe("GET, HEAD, POST");
  });

  test("HEAD is GET without the body", async () => {
    const [head, get] = await Promise.all(
      ["HEAD", "GET"].map((method) => gateway.ask(method, `/api/v2/orgs/${org.id}`, { as: org.key })),
    );
    expect(head?.status).toBe(200);
    expect(head?.text).toBe("");
    expect(head?.headers.get("content-length")).toBe(get?.headers.get("content-length") ?? "none");
    expect(head?.headers.get("content-type")).toBe("application/json");
  });
});

describe("a response too long to be sent with its headers", () => {
  const path = "/api/v2/openapi.json";
  const headers = { "accept-encoding": "identity" };

  test("is complete for an HTTP/1.0 client", async () => {
    const { text } = await gateway.ask("GET", path, { headers });
    expect(text.length).toBeGreaterThan(100_000);
    const [head, body] = (await askBy1_0(path)).split("\r\n\r\n");
    expect(head).toStartWith("HTTP/1.1 200 OK\r\n");
    expect(head).not.toMatch(/^transfer-encoding/im);
    expect(body).toBe(text);
  });

  test("has the same headers for HEAD", async () => {
    const [head, get] = await Promise.all(
      ["HEAD", "GET"].map((method) => gateway.ask(method, path, { headers })),
    );
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head?.headers.get("etag")).toBe(get?.headers.get("etag") ?? "none");
  });
});

test.each([
  ["gzip", "gzip"],
  ["GZIP;q=0.5", "gzip"],
  ["gzip;q=0", null],
  ["identity", null],
])("Accept-Encoding %s gives the reference with encoding %s", async (accept, encoding) => {
  const sent = await fetch(`${gateway.url}/docs`, { headers: { "accept-encoding": accept } });
  expect(sent.headers.get("content-encoding")).toBe(encoding);
});

const idOf = async (given: string) =>
  (await gateway.ask("GET", "/healthz", { headers: { "x-request-id": given } })).headers.get("x-request-id");

describe("headers", () => {
  test("a valid request id is kept, an invalid one is replaced", async () => {
    expect(await idOf("trace-1.a_B")).toBe("trace-1.a_B");
    for (const wrong of ["a b", "x".repeat(65), "<script>", "ü"]) {
      expect(await idOf(wrong)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    }
  });

  test("the request id is passed on to the other services", async () => {
    let seen: string | undefined;
    gateway.others.on(ListScans, () => {
      seen = currentContext()?.requestId;
      return { data: [] };
    });
    const headers = { "x-request-id": "along" };
    await gateway.ask("GET", `/api/v2/orgs/${org.id}/scans`, { as: org.key, headers });
    expect(seen).toBe("along");
  });

  test("every response forbids content sniffing and caching", async () => {
    for (const path of ["/api/v2/orgs", "/nowhere", "/healthz"]) {
      const { headers } = await gateway.ask("GET", path, { as: org.key });
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("strict-transport-security")).toBeNull();
    }
  });

  test("HTTPS deployments send Strict-Transport-Security", async () => {
    const secure = await startTestGateway({ PUBLIC_BASE_URL: "https://api.example.com" });
    const { headers } = await secure.ask("GET", "/healthz");
    expect(headers.get("strict-transport-security")).toStartWith("max-age=");
    expect((await secure.ask("GET", "/api/v2/openapi.json")).body.servers).toEqual([
      { url: "https://api.example.com" },
    ]);
    await secure.stop();
  });
});

describe("health", () => {
  test("the process is alive", async () => {
    expect(await gateway.ask("GET", "/healthz")).toMatchObject({ status: 200, body: { status: "ok" } });
  });

  test("readiness needs all services, and names those that aren't ready or are degraded", async () => {
    expect(await gateway.inside("/readyz")).toMatchObject({
      status: 200,
      body: { status: "ready", not_ready: [], degraded: [] },
    });
    gateway.others.on(healthOf("analyzer"), () => ({ ready: true, degraded: ["analyzer-jobs"] }));
    expect(await gateway.inside("/readyz")).toMatchObject({
      status: 200,
      body: { status: "degraded", not_ready: [], degraded: ["analyzer-jobs"] },
    });
    gateway.others.on(healthOf("quota"), () => ({ ready: false }));
    expect(await gateway.inside("/readyz")).toMatchObject({
      status: 503,
      body: { status: "not_ready", not_ready: ["quota"], degraded: ["analyzer-jobs"] },
    });
  });

  test("metrics contain routes and statuses, but no ids", async () => {
    await gateway.ask("GET", `/api/v2/orgs/${org.id}/scans`, { as: org.key });
    const { text, headers } = await gateway.inside("/metrics");
    expect(headers.get("content-type")).toStartWith("text/plain");
    expect(text).toMatch(
      /leeway_http_request_seconds_count\{[^}]*route="\/api\/v2\/orgs\/:id\/scans",status="200"/,
    );
    expect(text).not.toContain(org.id);
  });
});

test("readiness and metrics are served only on the internal port", async () => {
  for (const path of ["/readyz", "/metrics"]) {
    expect((await gateway.ask("GET", path)).status).toBe(404);
    expect((await gateway.inside(path)).status).toBe(200);
  }
  expect((await gateway.inside("/healthz")).status).toBe(200);
  expect((await gateway.inside(`/api/v2/orgs/${org.id}`)).status).toBe(404);
});

describe("documentation", () => {
  test("the OpenAPI document has an ETag and gives 304 when unchanged", async () => {
    const first = await gateway.ask("GET", "/api/v2/openapi.json");
    expect(first.body.openapi).toStartWith("3.1");
    const etag = first.headers.get("etag") ?? "";
    const again = await gateway.ask("GET", "/api/v2/openapi.json", { headers: { "if-none-match": etag } });
    expect(again).toMatchObject({ status: 304, text: "" });
    expect(first.headers.get("content-encoding")).toBe("gzip");
    const plain = await gateway.ask("GET", "/api/v2/openapi.json", {
      headers: { "accept-encoding": "identity" },
    });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(plain.text).toBe(first.text);
  });

  test("the reference loads nothing from other hosts", async () => {
    const page = await gateway.ask("GET", "/docs");
    expect(page.headers.get("content-type")).toStartWith("text/html");
    expect(page.headers.get("content-security-policy")).toStartWith("default-src 'none'; script-src 'self'");
    const links = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? "");
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) {
      expect(link).toStartWith("/docs/");
      expect((await gateway.ask("GET", link)).status).toBe(200);
    }
  });
});

test("an invalid port in Host doesn't break pagination or idempotency", async () => {
  const { id, owner } = await gateway.newOwnedOrg();
  const keys = `/api/v2/orgs/${id}/api-keys`;
  const headers = { host: "h:99999", "idempotency-key": crypto.randomUUID() };
  const body = { name: "a", role: "member" };
  const made = await gateway.ask("POST", keys, { as: owner, body, headers });
  expect(made.status).toBe(201);
  const again = await gateway.ask("POST", keys, { as: owner, body, headers });
  expect(again.text).toBe(made.text);
  await gateway.newKey(id, owner, "admin");
  const page = await gateway.ask("GET", `${keys}?limit=1`, { as: owner, headers });
  expect(page.headers.get("link")).toStartWith(`<${keys}?limit=1&cursor=`);
});

test.each(["", "Host: \r\n", "Host: a/b\r\n", "Host: a?b\r\n", "Host: a b\r\n"])(
  "a request with Host line %j can't reach another path",
  async (host) => {
    for (const path of ["/docs/aaaaaa/metrics", "/docs/aaaaaaaaaa/metrics", "/docs?a=/aaaaaaaa/metrics"]) {
      const answer = await askBy1_0(path, host);
      expect(answer).toStartWith("HTTP/1.1 400 ");
      expect(answer).toContain('"message":"Host must be a valid host"');
    }
    expect(await askBy1_0("/healthz", host)).toStartWith("HTTP/1.1 200 ");
  },
);

test.each(["my_gateway:8080", "[::1]:8080", "10.0.0.1", "LEEWAY.example.com."])(
  "Host %s is accepted",
  async (host) => {
    expect(await askBy1_0("/api/v2/openapi.json", `Host: ${host}\r\n`)).toStartWith("HTTP/1.1 200 ");
  },
);

/** Sends an HTTP/1.0 request and returns the whole answer. */
async function askBy1_0(of: string, host = "host: localhost\r\n"): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  const { hostname, port } = new URL(gateway.url);
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_, chunk) => void chunks.push(Buffer.from(chunk)),
      close: () => resolve(Buffer.concat(chunks).toString()),
    },
  });
  socket.write(`GET ${of} HTTP/1.0\r\n${host}\r\n`);
  return promise;
}
