import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.others.reset());

describe("creating an organization", () => {
  test("makes the person its owner", async () => {
    const { token } = await gateway.newPerson();
    const made = await gateway.ask("POST", "/api/v2/orgs", { as: token, body: { name: "Example Ltd" } });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: "Example Ltd", role: "owner" });
    expect(made.headers.get("location")).toBe(`/api/v2/orgs/${made.body.id}`);
    const seen = await gateway.ask("GET", `/api/v2/orgs/${made.body.id}`, { as: token });
    expect(seen.body).toEqual(made.body);
  });

  test("is forbidden to API keys", async () => {
    const { key } = await gateway.newOrg();
    const refused = await gateway.ask("POST", "/api/v2/orgs", { as: key, body: { name: "x" } });
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ code: "forbidden", error: "forbidden" });
  });

  test.each([[{}], [{ name: "" }], [{ name: "   " }], [{ name: 7 }], [[]], [null], ["text"]])(
    "with %j is refused",
    async (body) => {
      const { token } = await gateway.newPerson();
      const refused = await gateway.ask("POST", "/api/v2/orgs", { as: token, body: JSON.stringify(body) });
      expect(refused.status).toBe(400);
      expect(refused.body.code).toBe("invalid_parameter");
    },
  );
});

test("a person lists their organizations page by page, with their role in each", async () => {
  const { token } = await gateway.newPerson();
  for (const name of ["a", "b", "c"])
    await gateway.ask("POST", "/api/v2/orgs", { as: token, body: { name } });
  const first = await gateway.ask("GET", "/api/v2/orgs?limit=2", { as: token });
  expect(first.body.data.map(({ name }: { name: string }) => name)).toEqual(["a", "b"]);
  const link = first.headers.get("link") ?? "";
  const second = await gateway.ask("GET", link.slice(1, link.indexOf(">")), { as: token });
  expect(second.body).toEqual({ data: [expect.objectContaining({ name: "c", role: "owner" })] });
  expect(second.headers.get("link")).toBeNull();
});

test("a page isn't cut short by an organization that another gateway just deleted", async () => {
  const own = await startTestGateway();
  const { token } = await own.newPerson();
  const ids: string[] = [];
  for (const name of ["a", "b", "c"])
    ids.push((await own.ask("POST", "/api/v2/orgs", { as: token, body: { name } })).body.id);
  await own.ask("GET", "/api/v2/orgs", { as: token }); // fills this gateway's cache, which lasts a second
  await own.db.admin`update identity.organizations set deleted_at = now() where org_id = ${ids[0] ?? ""}`;
  const { body } = await own.ask("GET", "/api/v2/orgs?limit=1", { as: token });
  expect(body).toEqual({ data: [expect.objectContaining({ name: "b" })], next_cursor: expect.any(String) });
  await own.stop();
});

test("a key sees only its own organization", async () => {
  const { id, key } = await gateway.newOrg();
  const listed = await gateway.ask("GET", "/api/v2/orgs", { as: key });
  expect(listed.body.data).toEqual([expect.objectContaining({ id, role: "admin" })]);
});

test("an admin can rename an organization, a member can't", async () => {
  const { id, owner } = await gateway.newOwnedOrg();
  const admin = await gateway.newKey(id, owner, "admin");
  const member = await gateway.newKey(id, owner, "member");
  const renamed = await gateway.ask("PATCH", `/api/v2/orgs/${id}`, { as: admin.key, body: { name: "New" } });
  expect(renamed.body).toMatchObject({ id, name: "New", role: "admin" });
  const refused = await gateway.ask("PATCH", `/api/v2/orgs/${id}`, {
    as: member.key,
    body: { name: "Newer" },
  });
  expect(refused.status).toBe(403);
  const empty = await gateway.ask("PATCH", `/api/v2/orgs/${id}`, { as: admin.key, body: {} });
  expect(empty).toMatchObject({ status: 400, body: { code: "empty_update" } });
});

async function rowsOf(orgId: string): Promise<number> {
  const [row] = await gateway.db.admin<{ count: number }[]>`
    select (select count(*) from identity.members where org_id = ${orgId})
         + (select count(*) from identity.api_keys where org_id = ${orgId})
         + (select count(*) from identity.api_key_secrets where org_id = ${orgId})
         + (select count(*) from identity.audit_log where org_id = ${orgId}) as count
  `;
  return Number(row?.count);
}

describe("deleting an organization", () => {
  test("hides it, revokes its keys and purges it from every service", async () => {
    const { id, owner } = await gateway.newOwnedOrg();
    const { key } = await gateway.newKey(id, owner, "admin");
    expect((await gateway.ask("DELETE", `/api/v2/orgs/${id}`, { as: key })).status).toBe(403);
    expect((await gateway.ask("DELETE", `/api/v2/orgs/${id}`, { as: owner })).status).toBe(204);
    expect((await gateway.ask("GET", `/api/v2/orgs/${id}`, { as: owner })).status).toBe(404);
    expect((await gateway.ask("GET", `/api/v2/orgs/${id}`, { as: key })).status).toBe(401);
    await until(async () => (await rowsOf(id)) === 0);
    expect(gateway.others.asked.map(({ subject }) => subject)).toEqual([
      "inventory.orgs.purge",
      "webhooks.orgs.purge",
      "analyzer.orgs.purge",
      "quota.orgs.purge",
    ]);
    expect(new Set(gateway.others.asked.map(({ input }) => input["org_id"]))).toEqual(new Set([id]));
  });

  test.each([
    ["a key", "/api-keys", { name: "late", role: "viewer" }],
    ["a key rotation", "/api-keys/:key/rotate", {}],
    ["an invitation", "/members", { email: "late@example.com", role: "viewer" }],
  ])("makes a concurrent request for %s a 404 and leaves no rows", async (_, path, body) => {
    const { admin } = gateway.db;
    const { id, owner } = await gateway.newOwnedOrg();
    const { id: keyId } = await gateway.newKey(id, owner, "viewer");
    const before = await rowsOf(id);
    const asked = await admin.begin(async (tx) => {
      await tx`update identity.organizations set deleted_at = now() where org_id = ${id}`;
      const asking = gateway.ask("POST", `/api/v2/orgs/${id}${path.replace(":key", keyId)}`, {
        as: owner,
        body,
      });
      await Promise.race([asking, until(isWaiting)]);
      return { asking };
    });
    expect(await asked.asking).toMatchObject({
      status: 404,
      body: { message: "the organization doesn't exist" },
    });
    expect(await rowsOf(id)).toBe(before);
  });
});

/** Reports whether a transaction waits for the organization's row. */
async function isWaiting(): Promise<boolean> {
  const waiting = await gateway.db.admin`
    select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like '%identity.organizations%'
  `;
  return waiting.length > 0;
}
