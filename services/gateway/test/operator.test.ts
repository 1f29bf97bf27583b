import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { SetPlan } from "@leeway/shared/contracts/quota/plans";
import { unavailable } from "@leeway/shared/errors";

import { PLAN_SETTINGS } from "../src/openapi/examples.ts";
import { OPERATOR_TOKEN, startTestGateway, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.others.reset());

const as = OPERATOR_TOKEN;

describe("making an organization for somebody", () => {
  test("gives it with an admin key; whoever logs in with the owner's address owns it", async () => {
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

  test("without a plan asks nobody", async () => {
    expect((await gateway.ask("POST", "/operator/orgs", { as, body: { name: "x" } })).status).toBe(201);
    expect(gateway.others.asked).toEqual([]);
  });

  test("whose plan can't be set makes none", async () => {
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

  test("that can't be kept leaves no plan behind", async () => {
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
    "%j is refused",
    async (body) => {
      expect((await gateway.ask("POST", "/operator/orgs", { as, body })).status).toBe(400);
    },
  );
});

test("an organization is shown with its plan, which can be set", async () => {
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
])("%s of an organization that doesn't exist is not found", async (method, path) => {
  const ask = (id: string) =>
    gateway.ask(method, `/operator/orgs/${id}${path}`, {
      as,
      body: method === "PUT" ? { plan: "free" } : undefined,
    });
  expect((await ask(crypto.randomUUID())).status).toBe(404);
  expect((await ask("7")).status).toBe(400);
});

describe("to everybody else there are no such paths", () => {
  const paths: [method: string, path: string][] = [
    ["POST", "/operator/orgs"],
    ["GET", `/operator/orgs/${crypto.randomUUID()}`],
    ["PUT", `/operator/orgs/${crypto.randomUUID()}/plan`],
  ];
  const nothing = { status: 404, body: { code: "not_found", message: "there is nothing at this path" } };

  test.each(paths)("%s %s with a wrong token, a key, or nothing", async (method, path) => {
    const { key } = await gateway.newOrg();
    for (const wrong of [undefined, "wrong", `${OPERATOR_TOKEN}x`, key]) {
      const ask = { ...(wrong !== undefined && { as: wrong }), body: method === "GET" ? undefined : "{" };
      expect(await gateway.ask(method, path, ask)).toMatchObject(nothing);
    }
  });

  test("nor are there others for the operator", async () => {
    for (const [method, path] of [
      ["GET", "/operator/orgs"],
      ["DELETE", paths[1]?.[1] ?? ""],
      ["GET", "/operator"],
    ] as const) {
      expect(await gateway.ask(method, path, { as })).toMatchObject(nothing);
    }
  });

  test("when no token is set, not even an empty one opens them", async () => {
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

  test("a token may have any character but a blank", async () => {
    const token = `it's-"one"!#$%&()*,:;<>?@[]^{|}`;
    const opened = await startTestGateway({ OPERATOR_TOKEN: token });
    const made = await opened.ask("POST", "/operator/orgs", { as: token, body: { name: "x" } });
    expect(made.status).toBe(201);
    await opened.stop();
  });

  test("the operator's token opens nothing else", async () => {
    const { id } = await gateway.newOrg();
    expect((await gateway.ask("GET", `/api/v2/orgs/${id}`, { as })).status).toBe(401);
  });
});
