import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { ID } from "../src/examples/common.ts";
import { OPERATOR_TOKEN, startTestGateway, type TestGateway } from "./support/gateway.ts";

interface Entry {
  action: string;
  actor: { type: string; name?: string };
}

let gateway: TestGateway;
let org: { id: string; owner: string };
let admin: string;
let member: string;
let base: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  org = await gateway.newOwnedOrg();
  base = `/api/v2/orgs/${org.id}`;
  admin = (await gateway.newKey(org.id, org.owner, "admin")).key;
  member = (await gateway.newKey(org.id, org.owner, "member")).key;
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.others.reset());

const entries = async () => (await gateway.ask("GET", `${base}/audit-log`, { as: org.owner })).body.data;

describe("the audit log", () => {
  test("names people by address, even after they leave, and keys by name until deleted", async () => {
    const { id, owner, ownerEmail } = await gateway.newOwnedOrg();
    const path = `/api/v2/orgs/${id}`;
    const guest = await gateway.newPerson();
    const role = "admin";
    const { body: invited } = await gateway.ask("POST", `${path}/members`, {
      as: owner,
      body: { email: guest.email, role },
    });
    const made = await gateway.newKey(id, guest.token, role);
    await gateway.ask("PATCH", path, { as: made.key, body: { name: "Renamed" } });
    await gateway.ask("DELETE", `${path}/members/${invited.id}`, { as: owner });
    const namesOf = async (key: string) => {
      const { body } = await gateway.ask("GET", `${path}/audit-log`, { as: key });
      return body.data.map(({ action, actor }: Entry) => [action, actor.type, actor.name]);
    };
    const expected = [
      ["member.delete", "person", ownerEmail],
      ["organization.update", "api_key", role],
      ["api_key.create", "person", guest.email],
      ["member.join", "person", guest.email],
      ["member.create", "person", ownerEmail],
      ["organization.create", "person", ownerEmail],
    ];
    expect(await namesOf(owner)).toEqual(expected);
    await gateway.ask("DELETE", `${path}/api-keys/${made.id}`, { as: owner });
    const [, ...rest] = await namesOf(owner);
    expect(rest[1]).toEqual(["organization.update", "api_key", undefined]);
  });

  test("doesn't take the name of a former member from their token", async () => {
    const { id, owner } = await gateway.newOwnedOrg();
    const path = `/api/v2/orgs/${id}`;
    const sub = crypto.randomUUID();
    const mallory = { sub, email: `${sub}@example.com`, email_verified: true, name: "Mallory" };
    const victim = { sub, email: "ceo@example.com", name: "The CEO" };
    const body = { email: mallory.email, role: "admin" };
    await gateway.ask("POST", `${path}/members`, { as: owner, body });
    const token = await gateway.provider.token(mallory);
    await gateway.ask("PATCH", path, { as: token, body: { name: "Renamed" } });
    await gateway.ask("DELETE", `${path}/members/me`, { as: await gateway.provider.token(victim) });
    expect((await gateway.ask("GET", path, { as: await gateway.provider.token(victim) })).status).toBe(404);
    const { body: log } = await gateway.ask("GET", `${path}/audit-log`, { as: owner });
    const named = log.data.map(({ action, actor }: Entry) => [action, actor.name]);
    expect(named.slice(0, 3)).toEqual([
      ["member.delete", mallory.email],
      ["organization.update", mallory.email],
      ["member.join", mallory.email],
    ]);
  });

  test("leaves out absent facts, and says that a key without limits covers all repositories", async () => {
    await gateway.newKey(org.id, org.owner, "viewer");
    expect((await entries())[0].details).toEqual({
      name: "viewer",
      role: "viewer",
      repositories: "all",
    });

    const body = { name: "Example Ltd" };
    const { body: made } = await gateway.ask("POST", "/operator/orgs", { as: OPERATOR_TOKEN, body });
    const listed = await gateway.ask("GET", `/api/v2/orgs/${made.org.id}/audit-log`, {
      as: made.api_key.key,
    });
    expect(listed.body.data).toMatchObject([{ action: "organization.create", details: body }]);
    expect(listed.text).not.toContain("null");
  });

  test("records the stored id of a target, whatever case the request used", async () => {
    const { id } = await gateway.newKey(org.id, org.owner, "viewer");
    const path = `${base}/api-keys/${id.toUpperCase()}`;
    expect((await gateway.ask("DELETE", path, { as: org.owner })).status).toBe(204);
    const [key] = await entries();
    expect(key).toMatchObject({ action: "api_key.delete", target: { id } });
  });

  test("filters by action and by actor, page by page", async () => {
    const { id, owner } = await gateway.newOwnedOrg();
    const path = `/api/v2/orgs/${id}`;
    const made = await gateway.newKey(id, owner, "admin");
    for (const name of ["One", "Two", "Three"]) {
      await gateway.ask("PATCH", path, { as: made.key, body: { name } });
    }
    await gateway.ask("PATCH", path, { as: owner, body: { name: "Four" } });
    const read = async (query: string) =>
      (await gateway.ask("GET", `${path}/audit-log?${query}`, { as: owner })).body;
    const of = async (query: string) =>
      (await read(query)).data.map(({ action, actor }: Entry) => `${action} ${actor.type}`);

    expect(await of("action=api_key.create")).toEqual(["api_key.create person"]);
    expect(await of(`actor_id=${made.id}`)).toEqual(Array(3).fill("organization.update api_key"));
    expect(await of(`action=api_key.create&actor_id=${made.id}`)).toEqual([]);

    const filtered = `action=organization.update&actor_id=${made.id}&limit=2`;
    const { data, next_cursor: cursor } = await read(filtered);
    const rest = await read(`${filtered}&cursor=${cursor}`);
    expect([data.length, rest.data.length, rest.next_cursor]).toEqual([2, 1, undefined]);
    expect(await read(`action=api_key.create&cursor=${cursor}`)).toMatchObject({ code: "invalid_cursor" });
  });

  test.each([
    ["action=organization.paint", "action"],
    ["action=", "action"],
    ["actor_id=", "actor_id"],
  ])("refuses the filter %s", async (query, field) => {
    const refused = await gateway.ask("GET", `${base}/audit-log?${query}`, { as: admin });
    expect([refused.status, refused.body.code]).toEqual([400, "invalid_parameter"]);
    expect(refused.body.details[0].field).toBe(field);
  });

  test("is for owners and admins only, with any filter", async () => {
    for (const query of ["", "?action=member.create", `?actor_id=${ID.person}`]) {
      expect((await gateway.ask("GET", `${base}/audit-log${query}`, { as: admin })).status).toBe(200);
      expect((await gateway.ask("GET", `${base}/audit-log${query}`, { as: member })).status).toBe(403);
    }
  });

  test("returns nothing of another organization for any filter", async () => {
    const other = await gateway.newOwnedOrg();
    const [{ actor }] = (await gateway.ask("GET", `/api/v2/orgs/${other.id}/audit-log`, { as: other.owner }))
      .body.data;
    const { body } = await gateway.ask("GET", `${base}/audit-log?actor_id=${actor.id}`, { as: org.owner });
    expect(body.data).toEqual([]);
  });

  test("is read-only", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const refused = await gateway.ask(method, `${base}/audit-log`, { as: org.owner });
      expect(refused.status).toBe(405);
      expect(refused.headers.get("allow")).toBe("GET, HEAD");
    }
  });
});
