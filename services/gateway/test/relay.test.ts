import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { openBodies } from "@leeway/shared/bus/bodies";
import { currentContext } from "@leeway/shared/platform/context";
import type { RequestContract } from "@leeway/shared/contracts/contract";
import { CreateAccount, ListAccounts } from "@leeway/shared/contracts/inventory/accounts";
import { ListResources } from "@leeway/shared/contracts/inventory/resources";
import { CreateScan, ListScans } from "@leeway/shared/contracts/inventory/scans";
import { PushState } from "@leeway/shared/contracts/inventory/sources";
import { AppError, unavailable } from "@leeway/shared/values/errors";
import { isObject, text } from "@leeway/shared/values/json";

import { DRIFT_SNAPSHOT } from "../src/examples/drift.ts";
import { CLOUD_ACCOUNT, IAC_SOURCE, ID, LIVE_RESOURCE, SCAN } from "../src/examples/common.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { RELAYED } from "./support/relayed.ts";

let gateway: TestGateway;
let org: { id: string; owner: string };
let admin: string;
let member: string;
let viewer: string;
let base: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  org = await gateway.newOwnedOrg();
  base = `/api/v2/orgs/${org.id}`;
  admin = (await gateway.newKey(org.id, org.owner, "admin")).key;
  member = (await gateway.newKey(org.id, org.owner, "member")).key;
  viewer = (await gateway.newKey(org.id, org.owner, "viewer")).key;
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.others.reset());

const lastAsked = () => gateway.others.asked.at(-1);

const cases = RELAYED.map((relayed) => [relayed.ask.slice(0, 2).join(" "), relayed] as const);

describe("relaying to other services", () => {
  test("leaves long cursors for them to check", async () => {
    const cursor = "x".repeat(5_000);
    await gateway.ask("GET", `${base}/resources?cursor=${cursor}`, { as: admin });
    expect(lastAsked()?.input).toMatchObject({ cursor });
  });

  test.each(cases)(
    "%s sends the request of its contract",
    async (_, { ask: [method, path, body], ...expected }) => {
      const answered = await gateway.ask(method, base + path, { as: admin, body });
      expect(answered.status).toBe(expected.status);
      expect(lastAsked()?.subject).toBe(expected.subject);
      const { requested_by: by, created_by: maker = by, ...input } = lastAsked()?.input ?? {};
      expect(input).toEqual({ org_id: org.id, ...expected.input });
      if (maker) expect(maker).toEqual({ type: "api_key", id: expect.any(String) });
    },
  );

  test.each(cases)(
    "%s can be read by members unless admin-only, and changed by admins",
    async (_, { ask: [method, path, body], status, secretive = method !== "GET" }) => {
      const expected = secretive ? 403 : status;
      for (const as of [member, viewer]) {
        expect((await gateway.ask(method, base + path, { as, body })).status).toBe(expected);
      }
      if (expected === 403) expect(gateway.others.asked).toEqual([]);
    },
  );

  test("gives the location of a created resource", async () => {
    const location = async (path: string, body: unknown) =>
      (await gateway.ask("POST", base + path, { as: admin, body })).headers.get("location");
    expect(await location("/cloud-accounts", { provider: "aws", external_id: "1" })).toBe(
      `${base}/cloud-accounts/${CLOUD_ACCOUNT.id}`,
    );
    expect(await location("/iac-sources", { name: "n" })).toBe(`${base}/iac-sources/${IAC_SOURCE.id}`);
    expect(await location("/scans", {})).toBe(`${base}/scans/${SCAN.id}`);
  });

  test("returns their answers unchanged", async () => {
    const { body } = await gateway.ask("GET", `${base}/drift-snapshots`, { as: viewer });
    expect(body).toEqual({ data: [DRIFT_SNAPSHOT] });
  });

  test("accepts an organization id in capitals", async () => {
    const path = `/api/v2/orgs/${org.id.toUpperCase()}/posture`;
    expect((await gateway.ask("GET", path, { as: viewer })).status).toBe(200);
    expect(lastAsked()?.input).toEqual({ org_id: org.id });
  });
});

describe("invalid input is refused before any service is called", () => {
  test.each([
    ["GET", "/resources?account_id=7", undefined, "account_id"],
    ["GET", "/resources?match=perhaps", undefined, "match"],
    ["GET", "/resources?seen_since=yesterday", undefined, "seen_since"],
    ["GET", "/resources?include=everything", undefined, "include"],
    ["GET", `/resources?q=${"x".repeat(201)}`, undefined, "q"],
    ["GET", "/resources?q=a%00b", undefined, "q"],
    ["GET", `/resources/${"x".repeat(2001)}`, undefined, "resource_id"],
    ["GET", "/scans?status=lost", undefined, "status"],
    ["GET", "/scans/latest", undefined, "scan_id"],
    ["GET", "/scans?limit=0", undefined, "limit"],
    ["POST", "/scans", { kind: "quick" }, "kind"],
    ["POST", "/cloud-accounts", { provider: "AWS", external_id: "1" }, "provider"],
    ["POST", "/cloud-accounts", { provider: "aws", external_id: "1 2" }, "external_id"],
    ["POST", "/cloud-accounts", { provider: "aws", external_id: "1", regions: ["a", "a"] }, "regions"],
    [
      "POST",
      "/cloud-accounts",
      { provider: "aws", external_id: "1", credentials: { kind: "aws_role" } },
      "credentials",
    ],
    ["PATCH", "/exclusion-rules/r", { enabled: "no" }, "enabled"],
  ])("%s %s with %j", async (method, path, body, field) => {
    const refused = await gateway.ask(method, base + path, { as: admin, body });
    expect(refused.status).toBe(400);
    const details = [{ field: expect.stringMatching(new RegExp(`^${field}\\b`)) }];
    expect(refused.body).toMatchObject({ code: "invalid_parameter", details });
    expect(gateway.others.asked).toEqual([]);
  });

  test("an unknown field has the exact body that Go clients expect", async () => {
    const body = { provider: "aws", external_id: "1", llm_config: {}, zone: 1 };
    const refused = await gateway.ask("POST", `${base}/cloud-accounts`, { as: admin, body });
    expect(refused.status).toBe(400);
    expect(refused.text).toBe('{"error":"invalid request body: json: unknown field \\"llm_config\\""}');
  });

  test.each(["/cloud-accounts/", "/iac-sources/"])("PATCH %s without a change", async (path) => {
    const refused = await gateway.ask("PATCH", `${base}${path}${ID.account}`, { as: admin, body: {} });
    expect(refused).toMatchObject({ status: 400, body: { code: "empty_update" } });
  });
});

describe("pages", () => {
  test("link to the next page with the same filters", async () => {
    gateway.others.on(ListResources, () => ({ data: [LIVE_RESOURCE], next_cursor: "1.next.mac" }));
    const path = `${base}/resources?limit=1&match=matched&cursor=1.a.b`;
    const { headers, body } = await gateway.ask("GET", path, { as: viewer });
    expect(body.next_cursor).toBe("1.next.mac");
    expect(headers.get("link")).toBe(
      `<${base}/resources?limit=1&match=matched&cursor=1.next.mac>; rel="next"`,
    );
  });

  test("are filtered by several values of one parameter", async () => {
    gateway.others.on(ListResources, () => ({ data: [LIVE_RESOURCE], next_cursor: "1.next.mac" }));
    const query = "match=undeclared&match=unchecked&region=!eu-west-1";
    const { headers } = await gateway.ask("GET", `${base}/resources?${query}`, { as: viewer });
    expect(lastAsked()?.input).toMatchObject({ match: ["undeclared", "unchecked"], region: "!eu-west-1" });
    expect(headers.get("link")).toContain("match=undeclared&match=unchecked");
    const csv = { as: viewer, headers: { accept: "text/csv" } };
    gateway.others.on(ListResources, () => ({ data: [LIVE_RESOURCE] }));
    expect((await gateway.ask("GET", `${base}/resources?${query}`, csv)).status).toBe(200);
    expect(lastAsked()?.input).toMatchObject({ match: ["undeclared", "unchecked"] });
    const refused = await gateway.ask("GET", `${base}/resources?match=matched&match=sure`, { as: viewer });
    expect(refused).toMatchObject({ status: 400, body: { code: "invalid_parameter" } });
    expect(refused.body.message).toStartWith("match must be one of");
  });

  test("have a maximum size, and page_size is an alias", async () => {
    await gateway.ask("GET", `${base}/scans?page_size=1000`, { as: viewer });
    expect(lastAsked()?.input).toEqual({ org_id: org.id, limit: 500 });
    gateway.others.on(ListScans, () => ({ data: [] }));
    const { headers } = await gateway.ask("GET", `${base}/scans`, { as: viewer });
    expect(headers.get("link")).toBeNull();
  });
});

describe("a service's error is passed on", () => {
  test("with its code, its own fields and its Retry-After", async () => {
    gateway.others.on(CreateScan, () => {
      throw new AppError(
        "scan_in_progress",
        "another scan of this account is in progress; retry when it has ended",
        {
          fields: { scan_id: ID.scan },
        },
      );
    });
    const refused = await gateway.ask("POST", `${base}/scans`, { as: admin, body: {} });
    expect(refused.status).toBe(409);
    expect(refused.body).toEqual({
      code: "scan_in_progress",
      error: "scan_in_progress",
      message: "another scan of this account is in progress; retry when it has ended",
      request_id: refused.headers.get("x-request-id"),
      scan_id: ID.scan,
    });
    gateway.others.on(ListAccounts, () => {
      throw unavailable("the database can't be reached");
    });
    const away = await gateway.ask("GET", `${base}/cloud-accounts`, { as: viewer });
    expect(away.status).toBe(503);
    expect(away.headers.get("retry-after")).toBe("1");
  });

  test("but without details of an internal error", async () => {
    gateway.others.on(ListAccounts, () => {
      throw new TypeError("select * from secrets");
    });
    const failed = await gateway.ask("GET", `${base}/cloud-accounts`, { as: viewer });
    expect(failed).toMatchObject({
      status: 500,
      body: { code: "internal", message: "internal error; include the request id when you report it" },
    });
    expect(failed.text).not.toContain("secrets");
  });
});

/** Reports whether a call of `contract` is cancelled after the client has disconnected. */
async function isCalledOff(contract: RequestContract, method: string, body?: unknown): Promise<boolean> {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const { promise: over, resolve: end } = Promise.withResolvers<boolean>();
  gateway.others.on(contract, async () => {
    const signal = currentContext()?.signal;
    signal?.addEventListener("abort", () => end(true));
    resolve();
    await Bun.sleep(300);
    end(signal?.aborted === true);
    return CLOUD_ACCOUNT;
  });
  const client = new AbortController();
  const gone = fetch(`${gateway.url}${base}/cloud-accounts`, {
    method,
    headers: { authorization: `Bearer ${admin}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: client.signal,
  });
  await asked;
  client.abort();
  expect(gone).rejects.toThrow();
  return over;
}

describe("work for a client that disconnects", () => {
  test("is cancelled for a read", async () => {
    expect(await isCalledOff(ListAccounts, "GET")).toBe(true);
  });

  test("continues when it creates something", async () => {
    expect(await isCalledOff(CreateAccount, "POST", { provider: "aws", external_id: "1" })).toBe(false);
  });
});

const push = (path: string, body: unknown, headers = {}) =>
  gateway.ask("PUT", `${base}${path}`, { as: admin, body, headers });

/** Returns the stored body for the reference that the inventory received. */
async function stored(): Promise<string> {
  const body: unknown = lastAsked()?.input["body"];
  const stream = await openBodies(gateway.bus, "inventory").open((isObject(body) && text(body, "ref")) || "");
  return new Response(stream).text();
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(20);
}

describe("an upload", () => {
  const listing = `/cloud-accounts/${ID.account}/listing`;
  const state = `/iac-sources/${ID.source}/state`;

  test("of a listing is stored as sent, and returns its scan", async () => {
    const body = '{"provider_resource_id":"a"}\n{"provider_resource_id":"b"}\n';
    const answered = await push(`${listing}?allow_empty=true`, body, {
      "content-type": "application/x-ndjson",
    });
    expect(answered.status).toBe(202);
    expect(answered.headers.get("location")).toBe(`${base}/scans/${SCAN.id}`);
    expect(lastAsked()).toMatchObject({
      subject: "inventory.listings.push",
      input: {
        account_id: ID.account,
        allow_empty: true,
        requested_by: { type: "api_key" },
      },
    });
    expect(await stored()).toBe(body);
  });

  test("of a state may be compressed, and is stored so", async () => {
    const body = Bun.gzipSync(new TextEncoder().encode('{"version":4}'));
    const answered = await push(state, body, { "content-encoding": "gzip" });
    expect(answered).toMatchObject({ status: 200, body: IAC_SOURCE });
    expect(lastAsked()?.input).toMatchObject({ source_id: ID.source });
  });

  test("of many megabytes is streamed in full", async () => {
    const body = Buffer.alloc(20 << 20, "0123456789abcdef");
    expect((await push(state, body)).status).toBe(200);
    expect((await stored()) === body.toString()).toBe(true);
  });

  test.each([
    [{ "content-encoding": "br" }, 415, "unsupported_media_type"],
    [{ "content-type": "multipart/form-data; boundary=x" }, 415, "unsupported_media_type"],
    [{ "content-type": "application/xml" }, 415, "unsupported_media_type"],
  ])("with %j is refused", async (headers, status, code) => {
    expect(await push(listing, "{}", headers)).toMatchObject({ status, body: { code } });
    expect(gateway.others.asked).toEqual([]);
  });

  test("without a body is refused", async () => {
    expect(await push(listing, "")).toMatchObject({ status: 400, body: { details: [{ field: "body" }] } });
  });

  test.each([["allow_empty=yes"], ["allow_empty="]])("with ?%s is refused", async (query) => {
    expect(await push(`${listing}?${query}`, "[]")).toMatchObject({
      status: 400,
      body: { code: "invalid_parameter" },
    });
  });

  test("over 256 MiB is refused, with or without Content-Length", async () => {
    const announced = await rawPut(Buffer.alloc(0), { "content-length": String((256 << 20) + 1) });
    expect(announced).toStartWith("HTTP/1.1 413");
    expect(announced).toContain('"code":"payload_too_large"');
  });

  /** Sends the headers of a PUT and only `body`, whatever length they announce. */
  async function rawPut(body: Buffer, headers: Record<string, string>): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    let answer = "";
    const lines = Object.entries({ host: "localhost", authorization: `Bearer ${admin}`, ...headers });
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port: gateway.serving.port,
      socket: {
        data(_, chunk) {
          answer += chunk.toString();
          if (answer.includes("}")) resolve(answer);
        },
        close: () => resolve(answer),
      },
    });
    socket.write(
      `PUT ${base}${listing} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join("\r\n")}\r\n\r\n`,
    );
    socket.write(body);
    const text = await promise;
    socket.end();
    return text;
  }

  test("is refused while 64 of the same organization are in progress", async () => {
    const stalled = await Promise.all(Array.from({ length: 64 }, () => stalledPut()));
    await until(async () => (await push(listing, "[]")).status === 429);
    const refused = await push(listing, "[]");
    expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(refused.headers.get("retry-after")).toBe("5");
    const other = await gateway.newOrg();
    const path = `/api/v2/orgs/${other.id}${listing}`;
    expect(await gateway.ask("PUT", path, { as: other.key, body: "[]" })).toMatchObject({ status: 202 });
    for (const socket of stalled) socket.end();
    await until(async () => (await push(listing, "[]")).status === 202);
  });

  /** Sends half of a listing. */
  async function stalledPut() {
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port: gateway.serving.port,
      socket: { data: () => undefined },
    });
    const headers = `host: localhost\r\nauthorization: Bearer ${admin}\r\ncontent-length: 2`;
    socket.write(`PUT ${base}${listing} HTTP/1.1\r\n${headers}\r\n\r\n[`);
    return socket;
  }

  test("is refused when the service refuses it", async () => {
    gateway.others.on(PushState, () => {
      throw new AppError("stale_state", "a newer state was already pushed", {
        fields: { current_serial: 43 },
      });
    });
    expect(await push(state, "{}")).toMatchObject({
      status: 409,
      body: { code: "stale_state", current_serial: 43 },
    });
  });
});
