import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { heapStats } from "bun:jsc";

import { testDatabase, type TestDatabase } from "@leeway/shared/testing/testing";

import { createRateLimits } from "../src/limits/rate-limits.ts";
import { SCHEMA } from "../src/schema.ts";
import { forgetExpired } from "../src/organizations/store.ts";
import { OPERATOR_TOKEN, startTestGateway } from "./support/gateway.ts";
import { ampleMinute } from "./support/minute.ts";
import { until } from "./support/until.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
});
afterAll(() => db.drop());

const LIMIT = { policy: "requests", most: 10, per: "minute" } as const;
const MINUTE = 60_000;
const NOW = Math.floor(Date.now() / MINUTE) * MINUTE + 20_000;

function objects(): number {
  Bun.gc(true);
  return heapStats().objectCount;
}

describe("a rate limit", () => {
  test("allows the configured number, reports the rest, and resets with the next minute", () => {
    const limits = createRateLimits(db.open("gateway"));
    const taken = Array.from({ length: 12 }, () => limits.take(LIMIT, "a", NOW));
    expect(taken.map(({ allowed }) => allowed)).toEqual([...Array<boolean>(10).fill(true), false, false]);
    expect(taken[0]?.headers).toEqual({
      "ratelimit-policy": '"requests";q=10;w=60',
      ratelimit: '"requests";r=9;t=40',
    });
    expect(taken[11]).toMatchObject({ retryAfterSeconds: 40, headers: { ratelimit: '"requests";r=0;t=40' } });
    expect(limits.take(LIMIT, "a", NOW + 40_000).allowed).toBe(true);
  });

  test("for one subject or policy doesn't affect another", () => {
    const limits = createRateLimits(db.open("gateway"));
    for (let count = 0; count < 10; count += 1) limits.take(LIMIT, "a", NOW);
    expect(limits.take(LIMIT, "b", NOW).allowed).toBe(true);
    expect(limits.take({ ...LIMIT, policy: "logins" }, "a", NOW).allowed).toBe(true);
  });

  test("of zero disables it, without headers", () => {
    const limits = createRateLimits(db.open("gateway"));
    expect(limits.take({ ...LIMIT, most: 0 }, "a", NOW)).toMatchObject({ allowed: true, headers: {} });
  });

  test("per day holds until midnight UTC on every gateway, after limits per minute are deleted", async () => {
    const DAY = 24 * 60 * MINUTE;
    const midnight = Math.floor(NOW / DAY) * DAY + DAY;
    const daily = { policy: "daily", most: 2, per: "day" } as const;
    const [one, other] = [createRateLimits(db.open("gateway")), createRateLimits(db.open("gateway"))];
    one.take(daily, "ada", midnight - DAY);
    one.take(LIMIT, "ada", NOW - 5 * MINUTE);
    await one.exchange(NOW - 5 * MINUTE);
    await forgetExpired(db.open("gateway").system);
    const rows = await db.admin`select subject from identity.rate_windows where subject like '%:ada'`;
    expect(rows.map(({ subject }) => subject)).toEqual(["daily:ada"]);
    const taken = other.take(daily, "ada", NOW);
    expect(taken).toMatchObject({ allowed: true, retryAfterSeconds: (midnight - NOW) / 1_000 });
    expect(taken.headers["ratelimit-policy"]).toBe('"daily";q=2;w=86400');
    await other.exchange(NOW);
    expect(other.take(daily, "ada", NOW).allowed).toBe(false);
    expect(other.take(daily, "ada", midnight).allowed).toBe(true);
  });

  test("is refunded only in the minute of the request", () => {
    const limits = createRateLimits(db.open("gateway"));
    const taken = limits.take(LIMIT, "back", NOW);
    taken.refund();
    expect(limits.take(LIMIT, "back", NOW).headers["ratelimit"]).toBe('"requests";r=9;t=40');
    taken.refund();
    for (let count = 0; count < 10; count += 1) limits.take(LIMIT, "back", NOW + 40_000);
    expect(limits.take(LIMIT, "back", NOW + 40_000).allowed).toBe(false);
  });

  test("keeps no memory for subjects whose requests were all refunded", () => {
    const limits = createRateLimits(db.open("gateway"));
    const before = objects();
    for (let count = 0; count < 50_000; count += 1) limits.take(LIMIT, `${count}`, NOW).refund();
    expect(objects() - before).toBeLessThan(25_000);
    expect(limits.take(LIMIT, "0", NOW).headers["ratelimit"]).toBe('"requests";r=9;t=40');
  });

  test("applies across gateways once they have exchanged counts", async () => {
    const [one, other] = [createRateLimits(db.open("gateway")), createRateLimits(db.open("gateway"))];
    for (let count = 0; count < 6; count += 1) one.take(LIMIT, "shared", NOW);
    for (let count = 0; count < 3; count += 1) other.take(LIMIT, "shared", NOW);
    await one.exchange(NOW);
    await other.exchange(NOW);
    expect(other.take(LIMIT, "shared", NOW).headers["ratelimit"]).toBe('"requests";r=0;t=40');
    expect(other.take(LIMIT, "shared", NOW).allowed).toBe(false);
    expect(one.take(LIMIT, "shared", NOW).allowed).toBe(true); // it doesn't know the other's count yet
    await one.exchange(NOW);
    expect(one.take(LIMIT, "shared", NOW).allowed).toBe(false);
  });

  test("works with known counts during a database outage, and stores them later", async () => {
    const database = db.open("gateway");
    const system = database.system;
    const limits = createRateLimits(database);
    Object.assign(database, {
      system: Object.assign(() => Promise.reject(new Error("gone")), { part: system.part }),
    });
    for (let count = 0; count < 4; count += 1) limits.take(LIMIT, "away", NOW);
    expect(await limits.exchange(NOW).catch(String)).toContain("gone");
    expect(limits.take(LIMIT, "away", NOW).headers["ratelimit"]).toBe('"requests";r=5;t=40');
    Object.assign(database, { system });
    await limits.exchange(NOW);
    const [row] = await db.admin`select used from identity.rate_windows where subject = 'requests:away'`;
    expect(row?.["used"]).toBe(5);
  });

  test("adds up the counts of twenty gateways", async () => {
    const gateways = Array.from({ length: 20 }, () => createRateLimits(db.open("gateway")));
    for (const limits of gateways) {
      for (const subject of ["x", "y", "z"]) limits.take({ ...LIMIT, most: 1_000 }, subject, NOW);
    }
    await Promise.all(gateways.map((limits) => limits.exchange(NOW)));
    const rows =
      await db.admin`select used from identity.rate_windows where subject in ('requests:x', 'requests:y', 'requests:z')`;
    expect(rows.map(({ used }) => used)).toEqual([20, 20, 20]);
  });
});

test("a key over its limit gets 429 with Retry-After, other keys aren't affected", async () => {
  const gateway = await startTestGateway({ RATE_LIMIT_KEY_PER_MINUTE: "3" });
  await ampleMinute();
  const [one, other] = [await gateway.newOrg(), await gateway.newOrg()];
  const asks = [];
  for (let count = 0; count < 4; count += 1)
    asks.push(await gateway.ask("GET", "/api/v2/orgs", { as: one.key }));
  expect(asks.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(asks[0]?.headers.get("ratelimit-policy")).toBe('"requests";q=3;w=60');
  expect(asks[3]?.body.code).toBe("rate_limited");
  expect(Number(asks[3]?.headers.get("retry-after"))).toBeWithin(1, 61);
  expect((await gateway.ask("GET", "/api/v2/orgs", { as: other.key })).status).toBe(200);
  expect((await gateway.ask("GET", "/healthz")).headers.get("ratelimit")).toBeNull();
  await gateway.stop();
});

test("the limit of an organization covers all its keys, and no other organization", async () => {
  const gateway = await startTestGateway({ RATE_LIMIT_ORGANIZATION_PER_MINUTE: "4" });
  await ampleMinute();
  const [one, other] = [await gateway.newOwnedOrg(), await gateway.newOrg()];
  const path = `/api/v2/orgs/${one.id}`;
  const { key } = await gateway.newKey(one.id, one.owner, "viewer");
  const asks = [];
  for (const as of [key, one.owner, key, key]) asks.push(await gateway.ask("GET", path, { as }));
  expect(asks.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(asks[3]?.headers.get("ratelimit-policy")).toBe('"organization";q=4;w=60');
  expect((await gateway.ask("GET", path, { as: other.key })).status).toBe(404); // doesn't count against the limit
  expect((await gateway.ask("GET", `/api/v2/orgs/${other.id}`, { as: other.key })).status).toBe(200);
  await gateway.stop();
});

test("trial calls to hosts and addresses that an organization chooses are limited per minute", async () => {
  const gateway = await startTestGateway({ RATE_LIMIT_TRIAL_PER_MINUTE: "6" });
  await ampleMinute();
  const [one, other] = [await gateway.newOrg(), await gateway.newOrg()];
  const id = crypto.randomUUID();
  const channel = `notification-channels/${id}`;
  const trials: [method: string, below: string, body?: object][] = [
    ["POST", `${channel}/test`],
    ["POST", `${channel}/deliveries/${id}/redeliver`],
    ["POST", `cloud-accounts/${id}/verify`],
    ["POST", "webhooks", { source: "vcs", api_token: "token", provider_base_url: "https://git.example.com" }],
    ["PATCH", `webhooks/${id}`, { api_token: "token" }],
    ["PUT", "llm-config", { provider: "anthropic", api_key: "key" }],
  ];
  const tryAs = async ({ id: orgId, key }: typeof one, [method, below, body]: (typeof trials)[number]) =>
    gateway.ask(method, `/api/v2/orgs/${orgId}/${below}`, { as: key, ...(body && { body }) });
  for (const trial of trials) expect((await tryAs(one, trial)).status).toBeLessThan(300);
  for (const trial of trials)
    expect(await tryAs(one, trial)).toMatchObject({ status: 429, body: { code: "rate_limited" } });
  for (const trial of trials) expect((await tryAs(other, trial)).status).toBeLessThan(300);
  expect((await tryAs(one, ["GET", "webhooks"])).status).toBe(200);
  await gateway.stop();
});

test("the number of organizations a person creates per day is limited", async () => {
  const gateway = await startTestGateway({ RATE_LIMIT_ORGANIZATIONS_PER_DAY: "2" });
  const [one, other] = [await gateway.newPerson(), await gateway.newPerson()];
  const make = ({ token }: typeof one) =>
    gateway.ask("POST", "/api/v2/orgs", { as: token, body: { name: "One of many" } });
  const made = [await make(one), await make(one), await make(one)];
  expect(made.map(({ status }) => status)).toEqual([201, 201, 429]);
  expect(made[2]?.body).toMatchObject({
    code: "rate_limited",
    message: "too many requests in this day; retry after the time in Retry-After",
  });
  expect(Number(made[2]?.headers.get("retry-after"))).toBeWithin(1, 86_401);
  const first = `/api/v2/orgs/${made[0]?.body.id}`;
  expect((await gateway.ask("DELETE", first, { as: one.token })).status).toBe(204);
  expect((await make(one)).status).toBe(429);
  expect((await make(other)).status).toBe(201);
  await gateway.stop();
});

test("wrong operator tokens are rate limited, the right one still works", async () => {
  const gateway = await startTestGateway({ RATE_LIMIT_LOGIN_PER_MINUTE: "3" });
  await ampleMinute();
  const path = `/operator/orgs/${(await gateway.newOrg()).id}`;
  const guesses = [];
  for (let count = 0; count < 5; count += 1) guesses.push(await gateway.ask("GET", path, { as: "wrong" }));
  expect(guesses.map(({ status }) => status)).toEqual([404, 404, 404, 429, 429]);
  expect(Number(guesses[4]?.headers.get("retry-after"))).toBeWithin(1, 61);
  expect((await gateway.ask("GET", path, { as: OPERATOR_TOKEN })).status).toBe(200);
  expect((await gateway.ask("GET", path)).status).toBe(404);
  await gateway.stop();
});

test("failed sign-ins are counted by address without port, and by IPv6 network", async () => {
  const gateway = await startTestGateway({ RATE_LIMIT_LOGIN_PER_MINUTE: "2", TRUSTED_PROXIES: "1" });
  await ampleMinute();
  const fail = async (from: string) =>
    (await gateway.ask("GET", "/api/v2/orgs", { as: "wrong", headers: { "x-forwarded-for": from } })).status;
  const statuses = [];
  for (const from of ["1.1.1.1:1000", "1.1.1.1:1001", "1.1.1.1:1002", "2001:db8::1", "2001:db8::2"])
    statuses.push(await fail(from));
  expect(statuses).toEqual([401, 401, 429, 401, 401]);
  expect(await fail("[2001:db8::3]:1000")).toBe(429);
  expect(await fail("2001:db8:0:1::1")).toBe(401);
  await gateway.stop();
});

test("failed sign-ins are rate limited, valid keys from the same address still work", async () => {
  const gateway = await startTestGateway({ RATE_LIMIT_LOGIN_PER_MINUTE: "3", TRUSTED_PROXIES: "1" });
  await ampleMinute();
  const { key } = await gateway.newOrg();
  const ask = async (as: string | undefined, from: string) =>
    (await gateway.ask("GET", "/api/v2/orgs", { ...(as && { as }), headers: { "x-forwarded-for": from } }))
      .status;
  const statuses = [];
  for (let count = 0; count < 5; count += 1) statuses.push(await ask("wrong", "1.1.1.1"));
  expect(statuses).toEqual([401, 401, 401, 429, 429]);
  expect(await ask("wrong", "2.2.2.2")).toBe(401);
  expect(await ask(key, "1.1.1.1")).toBe(200);
  expect(await ask(undefined, "1.1.1.1")).toBe(401);
  await gateway.stop();
});

test("a person may upload 64 large bodies at once, while small ones still pass", async () => {
  const gateway = await startTestGateway();
  const [slow, other] = [
    await gateway.provider.token({ sub: "slow" }),
    await gateway.provider.token({ sub: "other" }),
  ];
  const begin = async () => {
    const { port } = gateway.serving;
    const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data: () => undefined } });
    const headers = `host: localhost\r\nauthorization: Bearer ${slow}\r\ncontent-length: 100000`;
    socket.write(`POST /api/v2/orgs HTTP/1.1\r\n${headers}\r\n\r\n{`);
    return socket;
  };
  const large = `{"name": "x"${" ".repeat(100_000)}}`;
  const make = async (as: string, body: string) =>
    (await gateway.ask("POST", "/api/v2/orgs", { as, body })).status;
  const stalled = await Promise.all(Array.from({ length: 64 }, begin));
  await until(async () => (await make(slow, large)) === 429);
  expect(await make(slow, '{"name": "x"}')).toBe(201);
  expect(await make(other, large)).toBe(201);
  for (const socket of stalled) socket.end();
  await until(async () => (await make(slow, large)) === 201);
  await gateway.stop();
});
