import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { SubmitPlan } from "@leeway/shared/contracts/analyzer/jobs";
import { CreateAccount } from "@leeway/shared/contracts/inventory/accounts";
import { CreateScan } from "@leeway/shared/contracts/inventory/scans";
import { CreateSchedule } from "@leeway/shared/contracts/inventory/schedules";
import { CreateSource } from "@leeway/shared/contracts/inventory/sources";
import { CreateChannel } from "@leeway/shared/contracts/webhooks/channels";
import { CreateConfig, RotateSecret } from "@leeway/shared/contracts/webhooks/configs";
import { seal } from "@leeway/shared/security/encryption/envelope";
import { AppError, unavailable } from "@leeway/shared/values/errors";
import { parseKeyRing } from "@leeway/shared/security/encryption/keyring";

import { NEW_CHANNEL } from "../src/examples/channels.ts";
import { CLOUD_ACCOUNT } from "../src/examples/common.ts";
import { NEW_SCAN_SCHEDULE } from "../src/examples/schedules.ts";
import { MASTER_KEYS, OPERATOR_TOKEN, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

let gateway: TestGateway;
let org: { id: string; owner: string };
let admin: string;
let accounts: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  org = await gateway.newOwnedOrg();
  admin = (await gateway.newKey(org.id, org.owner, "admin")).key;
  accounts = `/api/v2/orgs/${org.id}/cloud-accounts`;
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.others.reset());

const ACCOUNT = { provider: "aws", external_id: "1" };
const post = (path: string, key: string, body: unknown, as = admin) =>
  gateway.ask("POST", path, { as, body, headers: { "idempotency-key": key } });
/** Removes an answer, as if the gateway had died before answering. */
const loseAnswer = (key: string) => gateway.db.admin`
  update identity.idempotency_keys set sealed_answer = null, created_at = now() - interval '6 minutes' where key = ${key}
`;
const newKey = () => crypto.randomUUID();

describe("a repeat with the same key", () => {
  test("gets the first response with its headers, and creates nothing", async () => {
    const key = newKey();
    const first = await post(accounts, key, ACCOUNT);
    const again = await post(accounts, key, ACCOUNT);
    expect(again.status).toBe(201);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    expect(gateway.others.asked).toHaveLength(1);
  });

  test("shows a new API key again, which is stored only encrypted", async () => {
    const key = newKey();
    const path = `/api/v2/orgs/${org.id}/api-keys`;
    const made = await post(path, key, { name: "x", role: "viewer" }, org.owner);
    const again = await post(path, key, { name: "x", role: "viewer" }, org.owner);
    expect(again.body).toEqual(made.body);
    const rows = await gateway.db
      .admin`select sealed_answer from identity.idempotency_keys where key = ${key}`;
    expect(rows).toHaveLength(1);
    expect(Buffer.from(rows[0]?.["sealed_answer"]).toString("latin1")).not.toContain(made.body.prefix);
  });

  test("gets the refusal that an older version stored", async () => {
    const key = newKey();
    await post(accounts, key, ACCOUNT);
    const { admin: sql } = gateway.db;
    const [row] = await sql`select caller from identity.idempotency_keys where key = ${key}`;
    const place = { orgId: org.id, table: "identity.idempotency_keys", rowId: `${row?.["caller"]} ${key}` };
    const refusal = JSON.stringify({ code: "not_found", message: "no such account" });
    const sealed = seal(parseKeyRing(MASTER_KEYS), place, refusal);
    await sql`update identity.idempotency_keys set sealed_answer = ${sealed} where key = ${key}`;
    const again = await post(accounts, key, ACCOUNT);
    expect(again).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  test("creates one organization, for a person and for the operator", async () => {
    for (const [path, as] of [
      ["/api/v2/orgs", org.owner],
      ["/operator/orgs", OPERATOR_TOKEN],
    ] as const) {
      const key = newKey();
      const [first, again] = [
        await post(path, key, { name: "x" }, as),
        await post(path, key, { name: "x" }, as),
      ];
      expect(first.status).toBe(201);
      expect(again.body).toEqual(first.body);
      await loseAnswer(key);
      const { status, headers } = await post(path, key, { name: "x" }, as);
      expect([status, headers.get("location")]).toEqual([201, first.headers.get("location")]);
    }
  });
});

test("a client that disconnects gets the response by repeating the request", async () => {
  gateway.others.on(CreateAccount, async () => {
    await Bun.sleep(50);
    return CLOUD_ACCOUNT;
  });
  const keys = Array.from({ length: 20 }, newKey);
  await Promise.all(
    keys.map(async (key, index) => {
      const signal = AbortSignal.timeout(5 + index * 5);
      const headers = { authorization: `Bearer ${admin}`, "idempotency-key": key };
      const body = JSON.stringify(ACCOUNT);
      await fetch(gateway.url + accounts, { method: "POST", headers, body, signal }).catch(() => undefined);
    }),
  );
  for (const key of keys) {
    let answer = await post(accounts, key, ACCOUNT);
    while (answer.status === 409) {
      expect(answer.headers.get("retry-after")).toBe("1");
      await Bun.sleep(20);
      answer = await post(accounts, key, ACCOUNT);
    }
    expect(answer.status).toBe(201);
  }
  expect(gateway.others.asked).toHaveLength(keys.length);
});

test("a request that failed with a server error can be repeated", async () => {
  gateway.others.on(CreateAccount, () => {
    throw unavailable("the database is gone");
  });
  const key = newKey();
  expect((await post(accounts, key, ACCOUNT)).status).toBe(503);
  gateway.others.reset();
  expect((await post(accounts, key, ACCOUNT)).status).toBe(201);
});

test.each([
  ["webhooks", CreateConfig, { source: "planner" }, "config_id"],
  ["notification-channels", CreateChannel, NEW_CHANNEL, "channel_id"],
  ["scan-schedules", CreateSchedule, NEW_SCAN_SCHEDULE, "schedule_id"],
  ["scans", CreateScan, {}, "scan_id"],
  ["cloud-accounts", CreateAccount, ACCOUNT, "account_id"],
  ["iac-sources", CreateSource, { name: "shop" }, "source_id"],
] as const)("a retry for %s after a failure uses the same id", async (path, contract, body, name) => {
  gateway.others.on(contract, () => {
    throw unavailable("it didn't answer in time");
  });
  const key = newKey();
  for (const each of [key, key, newKey()]) {
    expect((await post(`/api/v2/orgs/${org.id}/${path}`, each, body)).status).toBe(503);
  }
  const [first, again, other] = gateway.others.asked.map(({ input }) => input[name]);
  expect(first).toBeString();
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

const jobIds = () => gateway.others.asked.map(({ input }) => input["job_id"]);
const submit = (key: string, ref = "main") =>
  post(`/api/v2/orgs/${org.id}/analyze`, key, { plan: { format_version: "1.2" }, ref });

describe("a plan submitted again after an unclear failure", () => {
  beforeEach(() =>
    gateway.others.on(SubmitPlan, () => {
      throw unavailable("it didn't answer in time");
    }),
  );

  test("is the same job with the same key, and another job with another key", async () => {
    const key = newKey();
    for (const each of [key, key, newKey()]) expect((await submit(each)).status).toBe(503);
    const [first, again, other] = jobIds();
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  test("is another job for another plan, or a day later", async () => {
    const key = newKey();
    await submit(key);
    await submit(key, "other");
    await gateway.db.admin`
      update identity.idempotency_keys set created_at = now() - interval '25 hours' where key = ${key}
    `;
    await submit(key, "other");
    expect(new Set(jobIds()).size).toBe(3);
  });
});

test.each([
  [409, "scan_in_progress", "one is under way"],
  [404, "not_found", "there is no such account"],
  [403, "forbidden", "only an owner may do this"],
] as const)("a request refused with %d is tried again", async (status, code, message) => {
  gateway.others.on(CreateScan, () => {
    throw new AppError(code, message);
  });
  const key = newKey();
  const path = `/api/v2/orgs/${org.id}/scans`;
  expect((await post(path, key, {})).status).toBe(status);
  gateway.others.reset();
  expect((await post(path, key, {})).status).toBe(202);
  expect((await post(path, key, {})).headers.get("idempotent-replayed")).toBe("true");
});

test("a webhook config is created by the next attempt after a host or token failed", async () => {
  const key = newKey();
  const path = `/api/v2/orgs/${org.id}/webhooks`;
  const config = { source: "vcs", api_token: "glpat-expired" };
  for (const message of ["instance unreachable", "api_token is expired"]) {
    gateway.others.on(CreateConfig, () => {
      throw new AppError("invalid_parameter", message);
    });
    expect(await post(path, key, config)).toMatchObject({ status: 400, body: { message } });
  }
  gateway.others.reset();
  expect((await post(path, key, { ...config, api_token: "glpat-new" })).status).toBe(201);
});

test("a retried rotation of a webhook secret uses the same rotation id", async () => {
  gateway.others.on(RotateSecret, () => {
    throw unavailable("it didn't answer in time");
  });
  const path = `/api/v2/orgs/${org.id}/webhooks/${newKey()}/rotate-secret`;
  const key = newKey();
  for (const each of [key, key, newKey()]) expect((await post(path, each, {})).status).toBe(503);
  const [first, again, other] = gateway.others.asked.map(({ input }) => input["rotation_id"]);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

test("another request with the same key is refused", async () => {
  const key = newKey();
  await post(accounts, key, ACCOUNT);
  const refused = { status: 422, body: { code: "idempotency_key_reused" } };
  expect(await post(accounts, key, { ...ACCOUNT, external_id: "2" })).toMatchObject(refused);
  expect(await post(`/api/v2/orgs/${org.id}/iac-sources`, key, { name: "n" })).toMatchObject(refused);
});

test("the same key from another caller is a different key", async () => {
  const key = newKey();
  const other = (await gateway.newKey(org.id, org.owner, "admin")).key;
  await post(accounts, key, ACCOUNT);
  expect((await post(accounts, key, { ...ACCOUNT, external_id: "2" }, other)).status).toBe(201);
});

test("one of many concurrent requests runs, the others get 409 or its response", async () => {
  gateway.others.on(CreateAccount, async () => {
    await Bun.sleep(100);
    return CLOUD_ACCOUNT;
  });
  const key = newKey();
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(accounts, key, ACCOUNT)));
  expect(gateway.others.asked).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(1);
  for (const { status, body, headers } of answers) {
    if (status !== 201) {
      expect(body.code).toBe("conflict");
      expect(headers.get("retry-after")).toBe("1");
    }
  }
});

test("a crashed gateway's attempt is retried after five minutes, responses are kept for a day", async () => {
  const key = newKey();
  await post(accounts, key, ACCOUNT);
  await gateway.db.admin`
    update identity.idempotency_keys set sealed_answer = null, created_at = now() - interval '4 minutes' where key = ${key}
  `;
  expect((await post(accounts, key, ACCOUNT)).status).toBe(409);
  await gateway.db.admin`
    update identity.idempotency_keys set created_at = now() - interval '6 minutes' where key = ${key}
  `;
  expect((await post(accounts, key, ACCOUNT)).status).toBe(201);
  await gateway.db.admin`
    update identity.idempotency_keys set created_at = now() - interval '25 hours' where key = ${key}
  `;
  expect((await post(accounts, key, ACCOUNT)).headers.get("idempotent-replayed")).toBeNull();
});

describe("an API key whose response was lost", () => {
  const path = `/api/v2/orgs`;
  const opens = async (key: string) => (await gateway.ask("GET", `${path}/${org.id}`, { as: key })).status;

  test("is created once, and only the delivered secret works", async () => {
    const [key, keys] = [newKey(), `${path}/${org.id}/api-keys`];
    const lost = await post(keys, key, { name: "x", role: "admin" }, org.owner);
    await loseAnswer(key);
    const made = await post(keys, key, { name: "x", role: "admin" }, org.owner);
    expect(made).toMatchObject({ status: 201, body: { id: lost.body.id, name: "x" } });
    await until(async () => (await opens(lost.body.key)) === 401);
    expect(await opens(made.body.key)).toBe(200);
  });

  test("is rotated once, and the secret in use works during the overlap", async () => {
    const [key, used] = [newKey(), await gateway.newKey(org.id, org.owner, "member")];
    const rotate = () =>
      post(`${path}/${org.id}/api-keys/${used.id}/rotate`, key, { overlap_hours: 24 }, org.owner);
    const lost = await rotate();
    await loseAnswer(key);
    const rotated = await rotate();
    expect(rotated.status).toBe(200);
    await until(async () => (await opens(lost.body.key)) === 401);
    expect(await Promise.all([used.key, rotated.body.key].map(opens))).toEqual([200, 200]);
  });

  test("isn't created again when it was rotated in between", async () => {
    const [key, keys] = [newKey(), `${path}/${org.id}/api-keys`];
    const lost = await post(keys, key, { name: "x", role: "admin" }, org.owner);
    await post(`${keys}/${lost.body.id}/rotate`, newKey(), { overlap_hours: 0 }, org.owner);
    await loseAnswer(key);
    const again = await post(keys, key, { name: "x", role: "admin" }, org.owner);
    expect(again).toMatchObject({
      status: 409,
      body: { message: "the key was already created and has been rotated since" },
    });
  });
});

test("an invitation whose response was lost is created once", async () => {
  const [key, members] = [newKey(), `/api/v2/orgs/${org.id}/members`];
  const invite = () => post(members, key, { email: "new@example.com", role: "viewer" }, org.owner);
  const lost = await invite();
  await loseAnswer(key);
  expect(await invite()).toMatchObject({ status: 201, body: lost.body });
});

test.each(["", "x".repeat(256), "a b", "ä"])("%j isn't a valid key", async (key) => {
  const refused = await post(accounts, key, ACCOUNT);
  expect(refused).toMatchObject({ status: 400, body: { details: [{ field: "Idempotency-Key" }] } });
});

test("a caller without permission is refused before the key is looked up", async () => {
  const viewer = await gateway.newKey(org.id, org.owner, "viewer");
  const key = newKey();
  await post(accounts, key, ACCOUNT);
  expect((await post(accounts, key, ACCOUNT, viewer.key)).status).toBe(403);
});
