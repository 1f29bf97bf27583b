import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { ENDPOINTS } from "../src/endpoints.ts";
import { isVersioned, type Endpoint } from "../src/http/endpoint.ts";
import { placeholders } from "../src/http/parameters.ts";
import { FINGERPRINT } from "../src/examples/analyzer.ts";
import { DRIFT_FINGERPRINT } from "../src/examples/drift.ts";
import { ID } from "../src/examples/common.ts";
import { startTestGateway, type Answered, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
let org: { id: string; owner: string };
let key: string;
let base: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  org = await gateway.newOwnedOrg();
  key = (await gateway.newKey(org.id, org.owner, "admin")).key;
  base = `/api/v2/orgs/${org.id}`;
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.others.reset());

const lastAsked = () => gateway.others.asked.at(-1)?.input;
const versioned = ENDPOINTS.filter(isVersioned);

/** Sends a request as an allowed caller, valid except for `query`. */
function ask(endpoint: Endpoint, query: string): Promise<Answered> {
  const fingerprint = endpoint.path.includes("plan-noise") ? FINGERPRINT : DRIFT_FINGERPRINT;
  const path = placeholders(endpoint.path).reduce((path, [name]) => {
    const step = name === "id" ? org.id : name === "fingerprint" ? fingerprint : crypto.randomUUID();
    return path.replace(`:${name}`, step);
  }, endpoint.path);
  return gateway.ask(endpoint.method, path + query, {
    as: endpoint.only === "api_key" ? key : org.owner,
    body: endpoint.bodyExample ?? (endpoint.upload && "[]"),
  });
}

describe("an unknown query parameter is refused", () => {
  test("by every operation of the API, before anything is done", async () => {
    expect(versioned.length).toBeGreaterThan(80);
    for (const endpoint of versioned) {
      const { status, body } = await ask(endpoint, "?nosuch=1");
      expect([endpoint.operationId, status, body?.code]).toEqual([
        endpoint.operationId,
        400,
        "invalid_parameter",
      ]);
      expect(body.details).toEqual([
        { field: "nosuch", code: "unknown", message: expect.stringMatching(/^is unknown; /) },
      ]);
    }
    expect(gateway.others.asked).toEqual([]);
  });

  test.each([
    ["/resources?mtach=undeclared", "mtach", "did you mean match?"],
    ["/iac-resources?acount_id=x", "acount_id", "did you mean account_id?"],
    ["/resources?page_sise=5", "page_sise", "did you mean page_size?"],
    ["/posture?account_id=x", "account_id", "this operation has no query parameters"],
    ["/cloud-accounts?zone=x", "zone", "known parameters: limit, cursor, provider, page_size"],
    ["/resources?limit=1&q=a&MATCH=x", "MATCH", "did you mean match?"],
  ])("%s", async (path, name, advice) => {
    const { status, body } = await gateway.ask("GET", base + path, { as: key });
    expect([status, body.message]).toEqual([400, `unknown query parameter ${name}; ${advice}`]);
    expect(body.details).toEqual([{ field: name, code: "unknown", message: `is unknown; ${advice}` }]);
  });

  test("with a long name shortened", async () => {
    const { body } = await gateway.ask("GET", `${base}/posture?${"x".repeat(5_000)}=1`, { as: key });
    expect(body.message.length).toBeLessThan(200);
  });

  test("but ignored outside the versioned API", async () => {
    for (const path of ["/healthz?nosuch=1", "/docs?nosuch=1"]) {
      expect((await gateway.ask("GET", path)).status).toBe(200);
    }
    const event = await gateway.ask("POST", `/webhooks/planner/${org.id}?nosuch=1`, { body: {} });
    expect(event.status).toBe(202);
  });
});

test.each([
  [
    "account_id",
    "account_id must be a UUID; ! before a value leaves it out, and at most 50 different values",
  ],
  ["limit", "limit was given more than once"],
  ["cursor", "cursor was given more than once"],
])("a duplicate %s is refused", async (name, message) => {
  const query = `?${name}=${ID.account}&${name}=${ID.account}`;
  const { status, body } = await gateway.ask("GET", `${base}/resources${query}`, { as: key });
  expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
});

describe("accounts and sources are accepted by the parameter names used in responses", () => {
  const account = ID.account;
  const source = ID.source;
  const other = crypto.randomUUID();

  test.each<[string, object]>([
    [`/iac-resources?iac_source_id=${source}`, { source_id: source }],
    [
      `/iac-resources?cloud_account_id=${account}&source_id=${source}`,
      { account_id: account, source_id: source },
    ],
    [`/resources?cloud_account_id=${account}`, { account_id: account }],
    [`/drift-changes?cloud_account_id=${account}`, { account_id: account }],
    [`/drift-snapshots?cloud_account_id=${account}&account_id=${account}`, { account_id: account }],
    [
      `/posture/trend?account_id=${account}&cloud_account_id=${account.toUpperCase()}`,
      { account_id: account },
    ],
  ])("in the query %s", async (path, input) => {
    expect((await gateway.ask("GET", base + path, { as: key })).status).toBe(200);
    expect(lastAsked()).toMatchObject(input);
    expect(lastAsked()).not.toContainAnyKeys(["cloud_account_id", "iac_source_id"]);
  });

  test.each<[string, string, object, object]>([
    ["POST", "/scans", { cloud_account_id: account }, { account_id: account }],
    [
      "POST",
      "/scan-schedules",
      { cloud_account_id: account, cron: "@daily" },
      { account_id: account, cron: "@daily" },
    ],
    ["POST", "/iac-sources", { name: "n", account_id: account }, { name: "n", cloud_account_id: account }],
    ["PATCH", `/iac-sources/${source}`, { account_id: null }, { cloud_account_id: null }],
  ])("in the body of %s %s", async (method, path, body, input) => {
    const { status } = await gateway.ask(method, base + path, { as: key, body });
    expect(status).toBeWithin(200, 300);
    expect(lastAsked()).toMatchObject(input);
  });

  test("but not with two different values", async () => {
    const asked = [
      await gateway.ask("GET", `${base}/resources?account_id=${account}&cloud_account_id=${other}`, {
        as: key,
      }),
      await gateway.ask("POST", `${base}/scans`, {
        as: key,
        body: { account_id: account, cloud_account_id: other },
      }),
    ];
    for (const { status, body } of asked) {
      expect([status, body.message]).toEqual([400, "cloud_account_id must equal account_id or be left out"]);
    }
    expect(gateway.others.asked).toEqual([]);
  });

  test("and a missing one is reported by its main name", async () => {
    const { status, body } = await gateway.ask("POST", `${base}/scan-schedules`, {
      as: key,
      body: { cron: "@daily" },
    });
    expect([status, body.message]).toEqual([400, "account_id is required"]);
    const wrong = await gateway.ask("GET", `${base}/resources?cloud_account_id=7`, { as: key });
    expect([wrong.status, wrong.body.message]).toEqual([
      400,
      expect.stringContaining("cloud_account_id must be a UUID"),
    ]);
  });
});
