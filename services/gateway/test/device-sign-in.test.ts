import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { startIdentityProvider, type Claims, type IdentityProvider } from "./support/identity-provider.ts";
import { startTestGateway, type Answered, type TestGateway } from "./support/gateway.ts";

const CLIENT = "leeway-cli";
const PATH = "/api/v2/auth/device";

let stranger: IdentityProvider;
let gateway: TestGateway;
let org: { id: string; owner: string; ownerEmail: string };
let keys: string;

beforeAll(async () => {
  [gateway, stranger] = await Promise.all([
    startTestGateway({ OIDC_CLI_CLIENT_ID: CLIENT }),
    startIdentityProvider(),
  ]);
});
afterAll(() => Promise.all([gateway.stop(), stranger.stop()]));
beforeEach(async () => {
  org = await gateway.newOwnedOrg();
  keys = `/api/v2/orgs/${org.id}/api-keys`;
});

/** Returns an id token for the command line, of the person with this address. */
function idToken(email: string, claims: Claims = {}, provider = gateway.provider): Promise<string> {
  const [sub] = email.split("@");
  const person = { sub, email, email_verified: true, name: sub, jti: crypto.randomUUID() };
  return provider.token({ aud: CLIENT, ...person, ...claims });
}
async function signIn(email: string, more: object = {}): Promise<Answered> {
  const body = { id_token: await idToken(email), name: "leeway on laptop", ...more };
  return gateway.ask("POST", PATH, { body });
}
/** Adds a member with `role`. */
async function newMember(role: string): Promise<{ id: string; email: string }> {
  const { email } = await gateway.newPerson();
  const body = { email, role };
  const made = await gateway.ask("POST", `/api/v2/orgs/${org.id}/members`, { as: org.owner, body });
  return { id: made.body.id, email };
}

describe("an id token of the command line", () => {
  test("becomes a key of the member for 30 days, which is listed and audited", async () => {
    const { status, body } = await signIn(org.ownerEmail);
    expect(status).toBe(201);
    expect(body).toMatchObject({ org_id: org.id, role: "admin" });
    expect((Date.parse(body.expires_at) - Date.now()) / 86_400_000).toBeWithin(29.9, 30.1);
    const listed = await gateway.ask("GET", keys, { as: body.key });
    const [row] = listed.body.data;
    expect(row).toMatchObject({ name: "leeway on laptop", role: "admin", expires_at: body.expires_at });
    expect(row.person_id).toBe(row.created_by.id);
    const log = await gateway.ask("GET", `/api/v2/orgs/${org.id}/audit-log?action=api_key.create`, {
      as: org.owner,
    });
    expect(log.body.data).toMatchObject([
      { actor: { type: "person", name: org.ownerEmail }, target: { id: row.id } },
    ]);
  });

  test("gives the rights of an admin to an owner's key, but not those of an owner", async () => {
    const { key } = (await signIn(org.ownerEmail)).body;
    const body = { name: "ci", role: "member" };
    expect((await gateway.ask("POST", keys, { as: key, body })).status).toBe(201);
    expect((await gateway.ask("DELETE", `/api/v2/orgs/${org.id}`, { as: key })).status).toBe(403);
  });

  test("gives no more than the role that was asked for", async () => {
    const { body } = await signIn(org.ownerEmail, { role: "viewer" });
    expect(body.role).toBe("viewer");
    const made = await gateway.ask("POST", keys, { as: body.key, body: { name: "ci", role: "viewer" } });
    expect(made.status).toBe(403);
  });

  test("works once", async () => {
    const body = { id_token: await idToken(org.ownerEmail), name: "leeway" };
    expect((await gateway.ask("POST", PATH, { body })).status).toBe(201);
    const again = await gateway.ask("POST", PATH, { body });
    expect(again).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
  });

  test.each<[string, Claims]>([
    ["for another client", { aud: "dashboard" }],
    ["that has expired", { exp: 1_000_000_000 }],
  ])("%s is refused", async (_, claims) => {
    const body = { id_token: await idToken(org.ownerEmail, claims), name: "leeway" };
    expect((await gateway.ask("POST", PATH, { body })).status).toBe(401);
  });

  test("of another provider is refused", async () => {
    const body = { id_token: await idToken(org.ownerEmail, {}, stranger), name: "leeway" };
    expect((await gateway.ask("POST", PATH, { body })).status).toBe(401);
  });

  test("of somebody without an organization, or for another one, finds none", async () => {
    const other = await gateway.newOwnedOrg();
    expect((await signIn(org.ownerEmail, { org_id: other.id })).status).toBe(404);
    expect((await signIn((await gateway.newPerson()).email)).status).toBe(404);
  });

  test("of a member of several organizations needs a choice, and the error names them", async () => {
    const second = await gateway.ask("POST", "/api/v2/orgs", { as: org.owner, body: { name: "Second" } });
    const { status, body } = await signIn(org.ownerEmail);
    expect([status, body.code]).toEqual([400, "org_required"]);
    expect(body.message).toContain(`Second (${second.body.id})`);
    expect((await signIn(org.ownerEmail, { org_id: second.body.id })).body.org_id).toBe(second.body.id);
  });
});

describe("a key of leeway login", () => {
  test("has the member's current role, and ends with the membership", async () => {
    const member = await newMember("admin");
    const { key } = (await signIn(member.email)).body;
    const create = () =>
      gateway.ask("POST", keys, { as: key, body: { name: crypto.randomUUID(), role: "viewer" } });
    expect((await create()).status).toBe(201);
    const path = `/api/v2/orgs/${org.id}/members/${member.id}`;
    await gateway.ask("PATCH", path, { as: org.owner, body: { role: "viewer" } });
    expect((await create()).status).toBe(403);
    await gateway.ask("DELETE", path, { as: org.owner });
    expect((await create()).status).toBe(401);
    expect((await gateway.ask("GET", keys, { as: org.owner })).body.data).toHaveLength(1);
  });

  test("signs itself out, and other keys can't", async () => {
    const { key } = (await signIn(org.ownerEmail)).body;
    const other = await gateway.newKey(org.id, org.owner, "admin");
    expect((await gateway.ask("DELETE", PATH, { as: other.key })).status).toBe(403);
    expect((await gateway.ask("DELETE", PATH, { as: key })).status).toBe(204);
    expect((await gateway.ask("GET", keys, { as: key })).status).toBe(401);
    const log = `/api/v2/orgs/${org.id}/audit-log?action=api_key.delete`;
    const { body } = await gateway.ask("GET", log, { as: org.owner });
    expect(body.data).toMatchObject([{ actor: { name: org.ownerEmail } }]);
  });

  test("can't be rotated, which would give it to somebody else", async () => {
    const { email } = await newMember("member");
    await signIn(email);
    const [row] = (await gateway.ask("GET", keys, { as: org.owner })).body.data;
    const rotated = await gateway.ask("POST", `${keys}/${row.id}/rotate`, { as: org.owner, body: {} });
    expect(rotated).toMatchObject({ status: 409, body: { code: "conflict" } });
  });
});

test("the command line finds the provider and its own client", async () => {
  expect((await gateway.ask("GET", PATH)).body).toEqual({
    issuer: gateway.provider.issuer,
    client_id: CLIENT,
  });
});
