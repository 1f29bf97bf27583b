import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

import { testLog } from "@leeway/shared/testing/testing";

import { startTestGateway, type TestGateway } from "./support/gateway.ts";

const PAGE = "<!doctype html><title>Leeway</title>";
const SCRIPT = "console.log(1);".repeat(100);
const HTML = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

let folder: string;
let gateway: TestGateway;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leeway-dist-"));
  await Bun.write(join(folder, "index.html"), PAGE);
  await Bun.write(join(folder, "assets/main-abc.js"), SCRIPT);
  await Bun.write(join(folder, "assets/main-abc.js.br"), brotliCompressSync(SCRIPT));
  await Bun.write(join(folder, "assets/main-abc.js.gz"), gzipSync(SCRIPT));
  gateway = await startTestGateway({}, testLog(), folder);
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true });
});

test.each(["/", "/orgs/018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90/inventory?q=x", "/anything/at/all"])(
  "a browser that opens %s gets the dashboard page",
  async (path) => {
    const page = await gateway.ask("GET", path, { headers: HTML });
    expect([page.status, page.text]).toEqual([200, PAGE]);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("cache-control")).toBe("no-cache");
  },
);

test("the page's security policy allows nothing unsafe and no framing", async () => {
  const { headers } = await gateway.ask("GET", "/", { headers: HTML });
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|data:|https?:|\*/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
});

test("an unchanged page gives 304", async () => {
  const first = await gateway.ask("GET", "/", { headers: HTML });
  const etag = first.headers.get("etag") ?? "";
  const again = await gateway.ask("GET", "/orgs/x", { headers: { ...HTML, "if-none-match": etag } });
  expect([again.status, again.text]).toEqual([304, ""]);
});

test("an asset with a content hash in its name is cached forever", async () => {
  const { headers, status } = await gateway.ask("GET", "/assets/main-abc.js");
  expect([status, headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
});

test.each([
  ["br, gzip", "br"],
  ["gzip, deflate", "gzip"],
  ["GZIP;q=0.5", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["identity", null],
])("Accept-Encoding %s gives %s", async (accept, encoding) => {
  const sent = await fetch(`${gateway.url}/assets/main-abc.js`, { headers: { "accept-encoding": accept } });
  expect(sent.headers.get("content-encoding")).toBe(encoding);
  expect(await sent.text()).toBe(SCRIPT);
  expect(sent.headers.get("vary")).toBe("Accept-Encoding");
});

test("HEAD is GET without the body", async () => {
  const head = await gateway.ask("HEAD", "/", { headers: HTML });
  expect([head.status, head.text]).toEqual([200, ""]);
});

describe("paths outside the dashboard", () => {
  test.each([
    ["GET", "/api/v2/nowhere"],
    ["GET", "/api"],
    ["GET", "/operator/nothing"],
    ["GET", "/webhooks"],
    ["GET", "/auth/nothing"],
    ["GET", "/assets/gone.js"],
    ["GET", "/assets/..%2findex.html"],
    ["POST", "/"],
    ["PUT", "/orgs/x"],
  ])("%s %s from a browser is a JSON 404", async (method, path) => {
    const refused = await gateway.ask(method, path, { headers: HTML });
    expect(refused).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  test("a client that accepts anything gets a JSON 404 for a mistyped path", async () => {
    const refused = await gateway.ask("GET", "/orgs", { headers: { accept: "*/*" } });
    expect(refused).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  test("the API answers browsers as usual", async () => {
    expect((await gateway.ask("GET", "/api/v2/orgs", { headers: HTML })).status).toBe(401);
    expect((await gateway.ask("GET", "/healthz", { headers: HTML })).status).toBe(200);
  });
});
