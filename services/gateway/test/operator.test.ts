import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { SetPlan } from "@leeway/shared/contracts/quota/plans";
import { unavailable } from "@leeway/shared/values/errors";

import { PLAN_SETTINGS } from "../src/examples/common.ts";
import { OPERATOR_TOKEN, startTestGateway, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.others.reset());

const as = OPERATOR_TOKEN;

describe("creating an organization as the operator", () => {
  test("returns an admin key, and the person with the owner's address becomes the owner", async () => {
    const body = { name: "Example Ltd", owner_email: "owner@example.com", plan: "enterprise" };
    const made = await gateway.ask("POST", "/operator/orgs", { as, body });
    expect(made.status).toBe(201);
    expect(made.body.org).toMatchObject({ name: "Example Ltd" });
    expect(made.body.api_key).toMatchObject({ role: "admin", created_by: { type: "operator" } });
    expect(gateway.others.asked).toEqual([
      { subject: "quota.plans.set", input: { org_id: made.body.org.id, plan: "enterprise" } },
    ]);
    const path = `/api/v2/orgs/${made.body.org.id}`;
    expect((await gateway.ask("GET", path, { as: made.body.api_key.key })).body.role).toBe("admin");
    const owner = await gateway.provider.token({
      sub: "owner",
      email: "owner@example.com",
      email_verified: true,
    });
    expect((await gateway.ask("GET", path, { as: owner })).body.role).toBe("owner");
  });

  test("without a plan calls no service", async () => {
    expect((await gateway.ask("POST", "/operator/orgs", { as, body: { name: "x" } })).status).toBe(201);
    expect(gateway.others.asked).toEqual([]);
  });

  test("fails when its plan can't be set", async () => {
    gateway.others.on(SetPlan, () => {
      throw unavailable("the database is gone");
    });
    const count = () => gateway.db.admin`select count(*) from identity.organizations`;
    const before = await count();
    expect(
      (await gateway.ask("POST", "/operator/orgs", { as, body: { name: "x", plan: "team" } })).status,
    ).toBe(503);
    expect(await count()).toEqual(before);
  });

  test("stores no plan when the organization can't be stored", async () => {
    await gateway.db
      .admin`alter table identity.organizations add constraint no_such check (name <> 'refused')`;
    const refused = await gateway.ask("POST", "/operator/orgs", {
      as,
      body: { name: "refused", plan: "team" },
    });
    expect(refused.status).toBe(500);
    expect(gateway.others.asked).toEqual([]);
  });

  test.each([[{}], [{ name: "x", plan: "gold" }], [{ name: "x", owner_email: "nobody" }]])(
    "with %j is refused",
    async (body) => {
      expect((await gateway.ask("POST", "/operator/orgs", { as, body })).status).toBe(400);
    },
  );
});

test("an organization is returned with its plan, which can be changed", async () => {
  const { id } = await gateway.newOrg();
  expect((await gateway.ask("GET", `/operator/orgs/${id}`, { as })).body).toMatchObject({
    id,
    name: "Test",
    ...PLAN_SETTINGS,
  });
  const plan = { plan: "enterprise", hourly_platform_llm_limit: 200 };
  expect(await gateway.ask("PUT", `/operator/orgs/${id}/plan`, { as, body: plan })).toMatchObject({
    status: 200,
    body: PLAN_SETTINGS,
  });
  expect(gateway.others.asked.at(-1)?.input).toEqual({ org_id: id, ...plan });
  expect((await gateway.ask("PUT", `/operator/orgs/${id}/plan`, { as, body: { plan: "gold" } })).status).toBe(
    400,
  );
  expect(
    (
      await gateway.ask("PUT", `/operator/orgs/${id}/plan`, {
        as,
        body: { ...plan, weekly_platform_llm_quota: -2 },
      })
    ).status,
  ).toBe(400);
});

test.each([
  ["GET", ""],
  ["PUT", "/plan"],
])("%s of an unknown organization gets 404", async (method, path) => {
  const ask = (id: string) =>
    gateway.ask(method, `/operator/orgs/${id}${path}`, {
      as,
      body: method === "PUT" ? { plan: "free" } : undefined,
    });
  expect((await ask(crypto.randomUUID())).status).toBe(404);
  expect((await ask("7")).status).toBe(400);
});

describe("the operator API", () => {
  const paths: [method: string, path: string][] = [
    ["POST", "/operator/orgs"],
    ["GET", `/operator/orgs/${crypto.randomUUID()}`],
    ["PUT", `/operator/orgs/${crypto.randomUUID()}/plan`],
    ["POST", `/operator/orgs/${crypto.randomUUID()}/api-keys`],
  ];
  const nothing = { status: 404, body: { code: "not_found", message: "there is nothing at this path" } };

  test.each(paths)("%s %s gives 404 with a wrong token, an API key or no token", async (method, path) => {
    const { key } = await gateway.newOrg();
    for (const wrong of [undefined, "wrong", `${OPERATOR_TOKEN}x`, key]) {
      const ask = { ...(wrong !== undefined && { as: wrong }), body: method === "GET" ? undefined : "{" };
      expect(await gateway.ask(method, path, ask)).toMatchObject(nothing);
    }
  });

  test("delays further tries after failures, from any address", async () => {
    const opened = await startTestGateway({ TRUSTED_PROXIES: "1" });
    const take = async (as: string, address: string): Promise<{ ms: number; status: number }> => {
      const started = performance.now();
      const headers = { "x-forwarded-for": address };
      const { status } = await opened.ask("GET", `/operator/orgs/${crypto.randomUUID()}`, { as, headers });
      return { ms: performance.now() - started, status };
    };
    for (let guess = 1; guess <= 8; guess += 1) await take(`guess-${guess}`, `192.0.2.${guess}`);
    const right = await take(OPERATOR_TOKEN, "198.51.100.7");
    expect(right.status).toBe(404); // the token was accepted, and the organization doesn't exist
    expect(right.ms).toBeGreaterThan(990);
    const { body } = await opened.ask("POST", "/operator/orgs", { as: OPERATOR_TOKEN, body: { name: "x" } });
    expect(body.org).toMatchObject({ name: "x" });
    await opened.stop();
  });

  test("has no other paths", async () => {
    for (const [method, path] of [
      ["GET", "/operator/orgs"],
      ["DELETE", paths[1]?.[1] ?? ""],
      ["GET", "/operator"],
    ] as const) {
      expect(await gateway.ask(method, path, { as })).toMatchObject(nothing);
    }
  });

  test("is closed when no token is set, even to an empty one", async () => {
    const closed = await startTestGateway({ OPERATOR_TOKEN: "" });
    for (const [method, path] of paths) {
      for (const token of [undefined, OPERATOR_TOKEN]) {
        const ask = {
          ...(token !== undefined && { as: token }),
          headers: { authorization: `Bearer ${token ?? ""}` },
        };
        expect(await closed.ask(method, path, ask)).toMatchObject(nothing);
      }
    }
    await closed.stop();
  });

  test("accepts any token without spaces", async () => {
    const token = `it's-"one"!#$%&()*,:;<>?@[]^{|}~~~~`;
    const opened = await startTestGateway({ OPERATOR_TOKEN: token });
    const made = await opened.ask("POST", "/operator/orgs", { as: token, body: { name: "x" } });
    expect(made.status).toBe(201);
    await opened.stop();
  });

  test("has a token that doesn't open the versioned API", async () => {
    const { id } = await gateway.newOrg();
    expect((await gateway.ask("GET", `/api/v2/orgs/${id}`, { as })).status).toBe(401);
  });
});

describe("an API key that the operator creates", () => {
  test("works with its role and repositories, and is in the audit log", async () => {
    const { id, key } = await gateway.newOrg();
    const body = { name: "pipelines", role: "member", repositories: ["acme/*"] };
    const made = await gateway.ask("POST", `/operator/orgs/${id}/api-keys`, { as, body });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ ...body, created_by: { type: "operator" } });
    const path = `/api/v2/orgs/${id}`;
    expect((await gateway.ask("GET", path, { as: made.body.key })).body.role).toBe("member");
    const { body: log } = await gateway.ask("GET", `${path}/audit-log`, { as: key });
    expect(log.data[0]).toMatchObject({ action: "api_key.create", target: { id: made.body.id } });
  });

  test("needs the operator's token, an existing organization and a known role", async () => {
    const { id, key } = await gateway.newOrg();
    const path = `/operator/orgs/${id}/api-keys`;
    const body = { name: "x", role: "member" };
    expect((await gateway.ask("POST", path, { as: key, body })).status).toBe(404);
    const unknown = `/operator/orgs/${crypto.randomUUID()}/api-keys`;
    expect((await gateway.ask("POST", unknown, { as, body })).status).toBe(404);
    expect((await gateway.ask("POST", path, { as, body: { name: "x", role: "owner" } })).status).toBe(400);
  });
});
