import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { Claims } from "./support/identity-provider.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

interface Joined {
  token: string;
  memberId: string;
}

/** Adds a person with `role` to an organization. */
async function join(orgId: string, owner: string, role: string): Promise<Joined> {
  const { token, email } = await gateway.newPerson();
  const invited = await gateway.ask("POST", `/api/v2/orgs/${orgId}/members`, {
    as: owner,
    body: { email, role },
  });
  expect(invited.status).toBe(201);
  expect((await gateway.ask("GET", `/api/v2/orgs/${orgId}`, { as: token })).body.role).toBe(role);
  return { token, memberId: invited.body.id };
}

const path = (orgId: string, memberId = "") => `/api/v2/orgs/${orgId}/members${memberId && `/${memberId}`}`;

async function memberIdOf(orgId: string, token: string, email: string): Promise<string> {
  const { body } = await gateway.ask("GET", path(orgId), { as: token });
  return body.data.find((member: { email: string }) => member.email === email).id;
}

describe("an invitation", () => {
  test("is refused beyond 10,000 members and invitations", async () => {
    const org = await gateway.newOwnedOrg();
    await gateway.db.admin`
      insert into identity.members (org_id, id, email, role)
      select ${org.id}, gen_random_uuid(), n || '@example.com', 'viewer' from generate_series(2, 9999) n
    `;
    const invite = (email: string) =>
      gateway.ask("POST", path(org.id), { as: org.owner, body: { email, role: "viewer" } });
    expect((await invite("last@example.com")).status).toBe(201);
    expect(await invite("grace@example.com")).toMatchObject({ status: 409, body: { code: "conflict" } });
  });

  test("is accepted by the first sign-in with its verified address, in any case", async () => {
    const org = await gateway.newOwnedOrg();
    const body = { email: "Grace@Example.COM", role: "member" };
    const invited = await gateway.ask("POST", path(org.id), { as: org.owner, body });
    expect(invited.body).toMatchObject({ ...body, status: "invited" });
    expect(invited.headers.get("location")).toBe(path(org.id, invited.body.id));
    const shown = await gateway.ask("GET", path(org.id, invited.body.id), { as: org.owner });
    expect(shown).toMatchObject({ status: 200, body: invited.body });

    const unverified = await gateway.provider.token({ sub: "mallory", email: "grace@example.com" });
    expect((await gateway.ask("GET", `/api/v2/orgs/${org.id}`, { as: unverified })).status).toBe(404);
    const grace = await gateway.provider.token({
      sub: "grace",
      email: "grace@example.com",
      email_verified: true,
    });
    expect((await gateway.ask("GET", `/api/v2/orgs/${org.id}`, { as: grace })).body.role).toBe("member");
    const late = await gateway.provider.token({
      sub: "late",
      email: "grace@example.com",
      email_verified: true,
    });
    expect((await gateway.ask("GET", `/api/v2/orgs/${org.id}`, { as: late })).status).toBe(404);

    const { body: listed } = await gateway.ask("GET", path(org.id), { as: grace });
    expect(listed.data[1]).toMatchObject({
      email: body.email,
      status: "active",
      joined_at: expect.any(String),
    });
    const log = await gateway.ask("GET", `/api/v2/orgs/${org.id}/audit-log`, { as: org.owner });
    expect(log.body.data[0]).toMatchObject({
      action: "member.join",
      actor: { type: "person", name: body.email },
      target: { type: "member", id: invited.body.id },
      details: { email: body.email, role: "member" },
    });
  });

  test("to a member's second address ends at sign-in with it, and restores no removed member", async () => {
    const org = await gateway.newOwnedOrg();
    const one = { email: "one@example.com", email_verified: true };
    const other = { email: "other@example.com", email_verified: true };
    const as = (claims: Claims) => gateway.provider.token({ sub: "of-two-addresses", ...claims });
    const roleBy = async (claims: Claims) =>
      (await gateway.ask("GET", `/api/v2/orgs/${org.id}`, { as: await as(claims) })).body.role;
    const invite = async ({ email }: { email: string }, role: string) =>
      (await gateway.ask("POST", path(org.id), { as: org.owner, body: { email, role } })).body.id;

    const member = await invite(one, "viewer");
    expect(await roleBy(one)).toBe("viewer");
    const invitation = await invite(other, "admin");
    expect(await roleBy({ ...other, email_verified: false })).toBe("viewer");
    expect((await gateway.ask("GET", path(org.id), { as: org.owner })).body.data).toHaveLength(3);

    expect(await roleBy(other)).toBe("viewer");
    const { body: listed } = await gateway.ask("GET", path(org.id), { as: org.owner });
    expect(listed.data).toMatchObject([{ role: "owner" }, { id: member, role: "viewer", status: "active" }]);
    const { body: log } = await gateway.ask("GET", `/api/v2/orgs/${org.id}/audit-log`, { as: org.owner });
    expect(log.data[0]).toMatchObject({
      action: "member.delete",
      actor: { type: "person" },
      target: { id: invitation },
      details: { email: other.email, role: "admin" },
      outcome: "done",
    });

    expect((await gateway.ask("DELETE", path(org.id, member), { as: org.owner })).status).toBe(204);
    for (const claims of [one, other]) expect(await roleBy({ ...claims, jti: "again" })).toBeUndefined();
  });

  test("isn't accepted when the audit log can't be written", async () => {
    const org = await gateway.newOwnedOrg();
    const { token, email } = await gateway.newPerson();
    await gateway.ask("POST", path(org.id), { as: org.owner, body: { email, role: "viewer" } });
    const { admin } = gateway.db;
    await admin.unsafe(`
      create function public.refuse() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$;
      create trigger refuse before insert on identity.audit_log for each row execute function public.refuse()
    `);
    expect((await gateway.ask("GET", path(org.id), { as: token })).status).toBe(500);
    await admin`drop trigger refuse on identity.audit_log`;
    const { body: members } = await gateway.ask("GET", path(org.id), { as: org.owner });
    expect(members.data[1]).toMatchObject({ email, status: "invited" });

    expect((await gateway.ask("GET", path(org.id), { as: token })).status).toBe(200);
    const { body: log } = await gateway.ask("GET", `/api/v2/orgs/${org.id}/audit-log`, { as: org.owner });
    expect(log.data[0]).toMatchObject({ action: "member.join", request_id: expect.any(String) });
  });

  test("to an already invited address is a conflict", async () => {
    const org = await gateway.newOwnedOrg();
    const invite = (email: string) =>
      gateway.ask("POST", path(org.id), { as: org.owner, body: { email, role: "viewer" } });
    expect((await invite("twice@example.com")).status).toBe(201);
    expect(await invite("TWICE@example.com")).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect(await invite(org.ownerEmail)).toMatchObject({
      status: 409,
      body: { message: "a member or invitation with this address already exists" },
    });
  });

  test.each([
    [{ email: "nobody", role: "viewer" }, "email"],
    [{ email: "a@b", role: "boss" }, "role"],
    [{ email: "a@b" }, "role"],
  ])("%j is refused", async (body, field) => {
    const org = await gateway.newOwnedOrg();
    const refused = await gateway.ask("POST", path(org.id), { as: org.owner, body });
    expect(refused).toMatchObject({ status: 400, body: { code: "invalid_parameter", details: [{ field }] } });
  });
});

test("a membership names its person once they have joined", async () => {
  const org = await gateway.newOwnedOrg();
  const joined = await join(org.id, org.owner, "viewer");
  const body = { email: "later@example.com", role: "viewer" };
  const invited = (await gateway.ask("POST", path(org.id), { as: org.owner, body })).body;
  const read = async (id: string) =>
    (await gateway.ask("GET", path(org.id, id), { as: joined.token })).body.person_id;
  const [row] = await gateway.db.admin`
    select person_id from identity.members where id = ${joined.memberId}
  `;
  expect([await read(joined.memberId), await read(invited.id)]).toEqual([row?.["person_id"], undefined]);
});

describe("permissions", () => {
  test("a viewer and a key can read members but change none", async () => {
    const org = await gateway.newOwnedOrg();
    const viewer = await join(org.id, org.owner, "viewer");
    const { key } = await gateway.newKey(org.id, org.owner, "admin");
    for (const as of [viewer.token, key]) {
      for (const memberId of ["", viewer.memberId])
        expect((await gateway.ask("GET", path(org.id, memberId), { as })).status).toBe(200);
      const body = { email: "x@example.com", role: "viewer" };
      expect((await gateway.ask("POST", path(org.id), { as, body })).status).toBe(403);
      expect(
        (await gateway.ask("PATCH", path(org.id, viewer.memberId), { as, body: { role: "owner" } })).status,
      ).toBe(403);
      expect((await gateway.ask("DELETE", path(org.id, viewer.memberId), { as })).status).toBe(403);
    }
  });

  test("an admin changes and removes members, but can't create or change owners", async () => {
    const org = await gateway.newOwnedOrg();
    const admin = await join(org.id, org.owner, "admin");
    const viewer = await join(org.id, org.owner, "viewer");
    const owner = await memberIdOf(org.id, org.owner, org.ownerEmail);
    const change = (id: string, role: string) =>
      gateway.ask("PATCH", path(org.id, id), { as: admin.token, body: { role } });
    expect((await change(viewer.memberId, "member")).body.role).toBe("member");
    expect((await change(viewer.memberId, "owner")).status).toBe(403);
    expect((await change(admin.memberId, "owner")).status).toBe(403);
    expect((await change(owner, "viewer")).status).toBe(403);
    expect((await gateway.ask("DELETE", path(org.id, owner), { as: admin.token })).status).toBe(403);
    const body = { email: "boss@example.com", role: "owner" };
    expect((await gateway.ask("POST", path(org.id), { as: admin.token, body })).status).toBe(403);
    expect((await gateway.ask("DELETE", path(org.id, viewer.memberId), { as: admin.token })).status).toBe(
      204,
    );
    expect((await gateway.ask("GET", `/api/v2/orgs/${org.id}`, { as: viewer.token })).status).toBe(404);
  });
});

describe("leaving", () => {
  test("is allowed to members of any role", async () => {
    const org = await gateway.newOwnedOrg();
    const viewer = await join(org.id, org.owner, "viewer");
    expect((await gateway.ask("DELETE", path(org.id, "me"), { as: viewer.token })).status).toBe(204);
    expect((await gateway.ask("GET", `/api/v2/orgs/${org.id}`, { as: viewer.token })).status).toBe(404);
    expect((await gateway.ask("DELETE", path(org.id, "me"), { as: viewer.token })).status).toBe(404);
    const { body: log } = await gateway.ask("GET", `/api/v2/orgs/${org.id}/audit-log`, { as: org.owner });
    const entry = { action: "member.delete", target: { type: "member", id: viewer.memberId } };
    expect(log.data).toContainEqual(expect.objectContaining(entry));
    expect((await gateway.ask("GET", path(org.id, viewer.memberId), { as: org.owner })).status).toBe(404);
  });

  test("is refused for the last owner and for keys", async () => {
    const org = await gateway.newOwnedOrg();
    const { key } = await gateway.newKey(org.id, org.owner, "admin");
    const last = await gateway.ask("DELETE", path(org.id, "me"), { as: org.owner });
    expect(last).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect((await gateway.ask("DELETE", path(org.id, "me"), { as: key })).status).toBe(403);
    await join(org.id, org.owner, "owner");
    expect((await gateway.ask("DELETE", path(org.id, "me"), { as: org.owner })).status).toBe(204);
  });
});

describe("owners", () => {
  test("can't leave or be demoted when they are the last, even with an owner invited", async () => {
    const org = await gateway.newOwnedOrg();
    const owner = await memberIdOf(org.id, org.owner, org.ownerEmail);
    const body = { email: "heir@example.com", role: "owner" };
    const heir = await gateway.ask("POST", path(org.id), { as: org.owner, body });
    const refused = { status: 409, body: { code: "conflict" } };
    expect(await gateway.ask("DELETE", path(org.id, owner), { as: org.owner })).toMatchObject(refused);
    expect(
      await gateway.ask("PATCH", path(org.id, owner), { as: org.owner, body: { role: "admin" } }),
    ).toMatchObject(refused);
    expect((await gateway.ask("DELETE", path(org.id, heir.body.id), { as: org.owner })).status).toBe(204);
  });

  test("hand over by adding another owner and leaving", async () => {
    const org = await gateway.newOwnedOrg();
    const heir = await join(org.id, org.owner, "owner");
    const owner = await memberIdOf(org.id, org.owner, org.ownerEmail);
    expect((await gateway.ask("DELETE", path(org.id, owner), { as: org.owner })).status).toBe(204);
    expect((await gateway.ask("GET", `/api/v2/orgs/${org.id}`, { as: org.owner })).status).toBe(404);
    expect((await gateway.ask("GET", `/api/v2/orgs/${org.id}`, { as: heir.token })).body.role).toBe("owner");
  });

  test("can't all be removed by concurrent requests at two gateways", async () => {
    const org = await gateway.newOwnedOrg();
    const other = await join(org.id, org.owner, "owner");
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    const { promise: free, resolve: release } = Promise.withResolvers<void>();
    const elsewhere = gateway.db.admin.begin(async (sql) => {
      await sql`select from identity.organizations where org_id = ${org.id} for update`;
      hold();
      await free;
      await sql`delete from identity.members where org_id = ${org.id} and id = ${other.memberId}`;
    });
    await held;
    const owner = await memberIdOf(org.id, org.owner, org.ownerEmail);
    const removing = gateway.ask("DELETE", path(org.id, owner), { as: org.owner });
    await Bun.sleep(100);
    release();
    await elsewhere;
    expect((await removing).status).toBe(409);
  });

  test("that remove each other at the same time leave one", async () => {
    const org = await gateway.newOwnedOrg();
    const other = await join(org.id, org.owner, "owner");
    const owner = await memberIdOf(org.id, org.owner, org.ownerEmail);
    const removed = await Promise.all([
      gateway.ask("DELETE", path(org.id, owner), { as: other.token }),
      gateway.ask("DELETE", path(org.id, other.memberId), { as: org.owner }),
    ]);
    expect(removed.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409]);
  });
});

test("an unknown member isn't found", async () => {
  const org = await gateway.newOwnedOrg();
  const nobody = path(org.id, crypto.randomUUID());
  expect((await gateway.ask("GET", nobody, { as: org.owner })).status).toBe(404);
  expect((await gateway.ask("DELETE", nobody, { as: org.owner })).status).toBe(404);
  expect((await gateway.ask("PATCH", nobody, { as: org.owner, body: { role: "viewer" } })).status).toBe(404);
  expect((await gateway.ask("DELETE", path(org.id, "7"), { as: org.owner })).status).toBe(400);
});
