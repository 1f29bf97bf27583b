import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { openBodies } from "@leeway/shared/bus/bodies";
import { currentContext } from "@leeway/shared/context";
import type { RequestContract } from "@leeway/shared/contract";
import { CreateAccount, ListAccounts } from "@leeway/shared/contracts/inventory/accounts";
import { ListResources } from "@leeway/shared/contracts/inventory/resources";
import { CreateScan, ListScans } from "@leeway/shared/contracts/inventory/scans";
import { PushState } from "@leeway/shared/contracts/inventory/sources";
import { AppError, unavailable } from "@leeway/shared/errors";
import { isObject, text } from "@leeway/shared/json";

import { DRIFT_SNAPSHOT } from "../src/openapi/drift-examples.ts";
import { CLOUD_ACCOUNT, IAC_SOURCE, ID, LIVE_RESOURCE, SCAN } from "../src/openapi/examples.ts";
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

describe("what other services answer", () => {
  test("a cursor is for them to judge, however long", async () => {
    const cursor = "x".repeat(5_000);
    await gateway.ask("GET", `${base}/resources?cursor=${cursor}`, { as: admin });
    expect(lastAsked()?.input).toMatchObject({ cursor });
  });

  test.each(cases)(
    "%s asks it as its contract says",
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
    "%s: any member reads what isn't for admins, admins change",
    async (_, { ask: [method, path, body], status, secretive = method !== "GET" }) => {
      const expected = secretive ? 403 : status;
      for (const as of [member, viewer]) {
        expect((await gateway.ask(method, base + path, { as, body })).status).toBe(expected);
      }
      if (expected === 403) expect(gateway.others.asked).toEqual([]);
    },
  );

  test("what is made is said to be where it is found", async () => {
    const location = async (path: string, body: unknown) =>
      (await gateway.ask("POST", base + path, { as: admin, body })).headers.get("location");
    expect(await location("/cloud-accounts", { provider: "aws", external_id: "1" })).toBe(
      `${base}/cloud-accounts/${CLOUD_ACCOUNT.id}`,
    );
    expect(await location("/iac-sources", { name: "n" })).toBe(`${base}/iac-sources/${IAC_SOURCE.id}`);
    expect(await location("/scans", {})).toBe(`${base}/scans/${SCAN.id}`);
  });

  test("answers go through byte for byte", async () => {
    const { body } = await gateway.ask("GET", `${base}/drift-snapshots`, { as: viewer });
    expect(body).toEqual({ data: [DRIFT_SNAPSHOT] });
  });

  test("an organization's id may be written in capitals", async () => {
    const path = `/api/v2/orgs/${org.id.toUpperCase()}/posture`;
    expect((await gateway.ask("GET", path, { as: viewer })).status).toBe(200);
    expect(lastAsked()?.input).toEqual({ org_id: org.id });
  });
});

describe("what is wrong is refused before anybody is asked", () => {
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

  test("a member that isn't known has the exact body that Go clients look for", async () => {
    const body = { provider: "aws", external_id: "1", llm_config: {}, zone: 1 };
    const refused = await gateway.ask("POST", `${base}/cloud-accounts`, { as: admin, body });
    expect(refused.status).toBe(400);
    expect(refused.text).toBe('{"error":"invalid request body: json: unknown field \\"llm_config\\""}');
  });

  test.each(["/cloud-accounts/", "/iac-sources/"])("PATCH %s with nothing to change", async (path) => {
    const refused = await gateway.ask("PATCH", `${base}${path}${ID.account}`, { as: admin, body: {} });
    expect(refused).toMatchObject({ status: 400, body: { code: "empty_update" } });
  });
});

describe("pages", () => {
  test("a page that another follows leads there with the same filters", async () => {
    gateway.others.on(ListResources, () => ({ data: [LIVE_RESOURCE], next_cursor: "1.next.mac" }));
    const path = `${base}/resources?limit=1&match=matched&cursor=1.a.b`;
    const { headers, body } = await gateway.ask("GET", path, { as: viewer });
    expect(body.next_cursor).toBe("1.next.mac");
    expect(headers.get("link")).toBe(
      `<${base}/resources?limit=1&match=matched&cursor=1.next.mac>; rel="next"`,
    );
  });

  test("limits are clamped, page_size is the same, what isn't known is ignored", async () => {
    await gateway.ask("GET", `${base}/scans?page_size=1000&colour=blue`, { as: viewer });
    expect(lastAsked()?.input).toEqual({ org_id: org.id, limit: 500 });
    gateway.others.on(ListScans, () => ({ data: [] }));
    const { headers } = await gateway.ask("GET", `${base}/scans`, { as: viewer });
    expect(headers.get("link")).toBeNull();
  });
});

describe("what the owner refuses is passed on", () => {
  test("with its code, its own members and its Retry-After", async () => {
    gateway.others.on(CreateScan, () => {
      throw new AppError("scan_in_progress", "a scan of this account is under way", {
        fields: { scan_id: ID.scan },
      });
    });
    const refused = await gateway.ask("POST", `${base}/scans`, { as: admin, body: {} });
    expect(refused.status).toBe(409);
    expect(refused.body).toEqual({
      code: "scan_in_progress",
      error: "scan_in_progress",
      message: "a scan of this account is under way",
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

  test("but of a bug nothing shows", async () => {
    gateway.others.on(ListAccounts, () => {
      throw new TypeError("select * from secrets");
    });
    const failed = await gateway.ask("GET", `${base}/cloud-accounts`, { as: viewer });
    expect(failed).toMatchObject({
      status: 500,
      body: { code: "internal", message: "something went wrong here" },
    });
    expect(failed.text).not.toContain("secrets");
  });
});

/** Whether `contract` is called off once the client of such a request has left. */
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

describe("work for a client that goes away", () => {
  test("is called off", async () => {
    expect(await isCalledOff(ListAccounts, "GET")).toBe(true);
  });

  test("goes on when it makes something, which is made whole or not at all", async () => {
    expect(await isCalledOff(CreateAccount, "POST", { provider: "aws", external_id: "1" })).toBe(false);
  });
});

const push = (path: string, body: unknown, headers = {}) =>
  gateway.ask("PUT", `${base}${path}`, { as: admin, body, headers });

/** What lies in the store under the reference that the inventory was given. */
async function stored(): Promise<string> {
  const body: unknown = lastAsked()?.input["body"];
  const stream = await openBodies(gateway.bus, 1).open((isObject(body) && text(body, "ref")) || "");
  return new Response(stream).text();
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(20);
}

describe("pushing", () => {
  const listing = `/cloud-accounts/${ID.account}/listing`;
  const state = `/iac-sources/${ID.source}/state`;

  test("a listing is kept as it was sent, and answered with the scan that takes it in", async () => {
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

  test("a state may be compressed, and stays so", async () => {
    const body = Bun.gzipSync(new TextEncoder().encode('{"version":4}'));
    const answered = await push(state, body, { "content-encoding": "gzip" });
    expect(answered).toMatchObject({ status: 200, body: IAC_SOURCE });
    expect(lastAsked()?.input).toMatchObject({ source_id: ID.source });
    const [entry] = (await gateway.ask("GET", `${base}/audit-log`, { as: admin })).body.data;
    expect(entry).toMatchObject({
      action: "iac_source.push",
      details: { lineage: IAC_SOURCE.lineage, serial: IAC_SOURCE.last_serial },
    });
  });

  test("megabytes stream through whole", async () => {
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

  test("nothing at all is refused", async () => {
    expect(await push(listing, "")).toMatchObject({ status: 400, body: { details: [{ field: "body" }] } });
  });

  test.each([["allow_empty=yes"], ["allow_empty="]])("?%s is refused", async (query) => {
    expect(await push(`${listing}?${query}`, "[]")).toMatchObject({
      status: 400,
      body: { code: "invalid_parameter" },
    });
  });

  test("more than 256 MiB is refused, announced or not", async () => {
    const announced = await rawPut(Buffer.alloc(0), { "content-length": String((256 << 20) + 1) });
    expect(announced).toStartWith("HTTP/1.1 413");
    expect(announced).toContain('"code":"payload_too_large"');
  });

  /** Sends the head of a PUT and no more than `body`, whatever it announces. */
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

  test("of one organization no more than 64 come in at once, and then others do", async () => {
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

  test("what the owner refuses is refused", async () => {
    gateway.others.on(PushState, () => {
      throw new AppError("stale_state", "a newer state has been pushed", { fields: { current_serial: 43 } });
    });
    expect(await push(state, "{}")).toMatchObject({
      status: 409,
      body: { code: "stale_state", current_serial: 43 },
    });
  });
});
