import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { crc32 } from "node:zlib";

import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

let gateway: TestGateway;
let org: { id: string; owner: string };
let keys: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  org = await gateway.newOwnedOrg();
  keys = `/api/v2/orgs/${org.id}/api-keys`;
});
afterAll(() => gateway.stop());

const lists = async (key: string) => (await gateway.ask("GET", keys, { as: key })).status;

describe("creating a key", () => {
  test("shows its secret once and stores only a hash", async () => {
    const made = await gateway.ask("POST", keys, { as: org.owner, body: { name: "ci", role: "member" } });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: "ci", role: "member", created_by: { type: "person" } });
    const { id, key, prefix } = made.body;
    expect(key).toStartWith(`${prefix}_`);
    expect(made.headers.get("location")).toBe(`${keys}/${id}`);
    expect(await lists(key)).toBe(200);

    const { key: _, ...shown } = made.body;
    for (const as of [org.owner, key]) {
      expect(await gateway.ask("GET", `${keys}/${id}`, { as })).toMatchObject({ status: 200, body: shown });
    }
    const listed = await gateway.ask("GET", keys, { as: org.owner });
    expect(listed.body.data.find((row: { id: string }) => row.id === id)).toMatchObject({ prefix });
    expect(listed.text).not.toContain(key);
    const dump = await gateway.db.admin`
      select (select jsonb_agg(s) from identity.api_key_secrets s)::text
          || (select jsonb_agg(a) from identity.audit_log a)::text as text
    `;
    expect(dump[0]?.["text"]).not.toContain(key.slice(prefix.length + 1));
  });

  test.each([
    [{ role: "member" }, "name"],
    [{ name: "x", role: "owner" }, "role"],
    [{ name: "x", role: "viewer", expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
    [{ name: "x", role: "viewer", expires_at: "tomorrow" }, "expires_at"],
  ])("with %j is refused, naming the wrong field", async (body, field) => {
    const refused = await gateway.ask("POST", keys, { as: org.owner, body });
    expect(refused).toMatchObject({ status: 400, body: { code: "invalid_parameter", details: [{ field }] } });
  });

  test("is refused beyond 1,000 keys until one is deleted", async () => {
    const many = await gateway.newOwnedOrg();
    const path = `/api/v2/orgs/${many.id}/api-keys`;
    const make = () => gateway.ask("POST", path, { as: many.owner, body: { name: "ci", role: "viewer" } });
    const { body: last } = await make();
    await gateway.db.admin`
      insert into identity.api_keys (org_id, id, name, role, created_by)
      select org_id, gen_random_uuid(), name, role, created_by
        from identity.api_keys, generate_series(1, 999)
       where org_id = ${many.id}
    `;
    const refused = {
      status: 409,
      body: { code: "conflict", message: expect.stringContaining("1000 API keys") },
    };
    expect(await make()).toMatchObject(refused);
    expect((await gateway.ask("DELETE", `${path}/${last.id}`, { as: many.owner })).status).toBe(204);
    expect((await make()).status).toBe(201);
  });

  test("is forbidden to keys of any role, and so are rotating and deleting", async () => {
    const { id, key } = await gateway.newKey(org.id, org.owner, "admin");
    const body = { name: "x", role: "viewer" };
    expect((await gateway.ask("POST", keys, { as: key, body })).status).toBe(403);
    expect((await gateway.ask("POST", `${keys}/${id}/rotate`, { as: key })).status).toBe(403);
    expect((await gateway.ask("DELETE", `${keys}/${id}`, { as: key })).status).toBe(403);
  });
});

test.each(["2096-02-30T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "2090-01-01T00:00:00+23:59"])(
  "an expiry of %s is accepted or refused, never a server error",
  async (expires_at) => {
    const made = await gateway.ask("POST", keys, {
      as: org.owner,
      body: { name: "x", role: "viewer", expires_at },
    });
    expect(made.status).toBeOneOf([201, 400]);
  },
);

test("a key works until it expires", async () => {
  const body = { name: "short", role: "viewer", expires_at: new Date(Date.now() + 5_000).toISOString() };
  const { body: made } = await gateway.ask("POST", keys, { as: org.owner, body });
  expect(await lists(made.key)).toBe(200);
  await Bun.sleep(5_000);
  await until(async () => (await lists(made.key)) === 401);
});

describe("rotating a key", () => {
  test("leaves the old secret valid until the overlap ends", async () => {
    const { id, key } = await gateway.newKey(org.id, org.owner, "viewer");
    const rotated = await gateway.ask("POST", `${keys}/${id}/rotate`, {
      as: org.owner,
      body: { overlap_hours: 1 },
    });
    expect(rotated.status).toBe(200);
    expect(rotated.body.id).toBe(id);
    expect(await lists(rotated.body.key)).toBe(200);
    expect(await lists(key)).toBe(200);
    await gateway.db
      .admin`update identity.api_key_secrets set retired_at = now() where retired_at is not null`;
    await until(async () => (await lists(key)) === 401);
    expect(await lists(rotated.body.key)).toBe(200);
  });

  test("without an overlap, refuses the old secret at once", async () => {
    const { id, key } = await gateway.newKey(org.id, org.owner, "viewer");
    expect(await lists(key)).toBe(200);
    await gateway.ask("POST", `${keys}/${id}/rotate`, { as: org.owner, body: { overlap_hours: 0 } });
    expect(await lists(key)).toBe(401);
  });

  test("twice leaves only the two newest secrets valid", async () => {
    const { id, key: first } = await gateway.newKey(org.id, org.owner, "viewer");
    const rotate = async () =>
      (await gateway.ask("POST", `${keys}/${id}/rotate`, { as: org.owner })).body.key;
    const second = await rotate();
    const third = await rotate();
    expect(await Promise.all([first, second, third].map(lists))).toEqual([401, 200, 200]);
  });

  test("ten times at once leaves one current secret", async () => {
    const { id } = await gateway.newKey(org.id, org.owner, "viewer");
    const rotated = await Promise.all(
      Array.from({ length: 10 }, () => gateway.ask("POST", `${keys}/${id}/rotate`, { as: org.owner })),
    );
    expect(rotated.map(({ status }) => status)).toEqual(Array<number>(10).fill(200));
    const rows = await gateway.db.admin`
      select from identity.api_key_secrets where key_id = ${id} and retired_at is null
    `;
    expect(rows).toHaveLength(1);
  });

  test("that has expired is refused and changes nothing", async () => {
    const { id } = await gateway.newKey(org.id, org.owner, "viewer");
    await gateway.db.admin`update identity.api_keys set expires_at = now() where id = ${id}`;
    const secrets = () => gateway.db.admin`select * from identity.api_key_secrets where key_id = ${id}`;
    const before = await secrets();
    expect(await gateway.ask("POST", `${keys}/${id}/rotate`, { as: org.owner })).toMatchObject({
      status: 409,
      body: { code: "conflict", message: "the key has expired; create a new one" },
    });
    expect(await secrets()).toEqual(before);
  });

  test.each([[{ overlap_hours: 169 }], [{ overlap_hours: -1 }], [{ overlap_hours: 1.5 }]])(
    "with %j is refused",
    async (body) => {
      const { id } = await gateway.newKey(org.id, org.owner, "viewer");
      expect((await gateway.ask("POST", `${keys}/${id}/rotate`, { as: org.owner, body })).status).toBe(400);
    },
  );
});

test("a known lookup id with a wrong secret is refused", async () => {
  const { key } = await gateway.newKey(org.id, org.owner, "viewer");
  expect(await lists(withChecksum(`${key.slice(0, 16)}${"0".repeat(32)}`))).toBe(401);
  expect(await lists(withChecksum(key.slice(0, -6)))).toBe(200);
});

/** Appends the checksum to a guessed key. */
function withChecksum(unchecked: string): string {
  let rest = crc32(unchecked);
  let digits = "";
  for (let place = 0; place < 6; place += 1) {
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return unchecked + digits;
}

test("a deleted key is refused at once, and can't be deleted twice", async () => {
  const { id, key } = await gateway.newKey(org.id, org.owner, "viewer");
  expect(await lists(key)).toBe(200);
  expect((await gateway.ask("DELETE", `${keys}/${id}`, { as: org.owner })).status).toBe(204);
  expect(await lists(key)).toBe(401);
  for (const method of ["GET", "DELETE"])
    expect((await gateway.ask(method, `${keys}/${id}`, { as: org.owner })).status).toBe(404);
  expect((await gateway.ask("POST", `${keys}/${id}/rotate`, { as: org.owner })).status).toBe(404);
});

test("a key that another gateway deleted is refused within one second", async () => {
  const { id, key } = await gateway.newKey(org.id, org.owner, "viewer");
  expect(await lists(key)).toBe(200);
  await gateway.db.admin`delete from identity.api_keys where id = ${id}`;
  await Bun.sleep(1_000);
  expect(await lists(key)).toBe(401);
});

async function lastUseOf(id: string): Promise<string | undefined> {
  const { body } = await gateway.ask("GET", `${keys}/${id}`, { as: org.owner });
  return body.last_used_at;
}

test("the last use of a key is recorded", async () => {
  const { id, key } = await gateway.newKey(org.id, org.owner, "viewer");
  expect(await lastUseOf(id)).toBeUndefined();
  await lists(key);
  await until(async () => (await lastUseOf(id)) !== undefined);
});

test("the last use of keys is recorded while another transaction locks one of them", async () => {
  const changed = await gateway.newKey(org.id, org.owner, "viewer");
  const other = await gateway.newKey(org.id, org.owner, "viewer");
  await gateway.db.admin.begin(async (elsewhere) => {
    await elsewhere`select from identity.api_keys where id = ${changed.id} for update`;
    await Promise.all([lists(changed.key), lists(other.key)]);
    await until(async () => (await lastUseOf(other.id)) !== undefined);
  });
});

test("list pages link to the next page", async () => {
  for (let count = 0; count < 3; count += 1) await gateway.newKey(org.id, org.owner, "viewer");
  const seen: string[] = [];
  let path = `${keys}?limit=2`;
  for (;;) {
    const { body, headers } = await gateway.ask("GET", path, { as: org.owner });
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    if (body.next_cursor === undefined) break;
    path = headers.get("link")?.slice(1, -'>; rel="next"'.length) ?? "";
    expect(path).toBe(`${keys}?limit=2&cursor=${body.next_cursor}`);
  }
  const [row] = await gateway.db
    .admin`select count(*)::int as count from identity.api_keys where org_id = ${org.id}`;
  expect(new Set(seen).size).toBe(row?.["count"]);
});

test("a cursor works only for its own list and organization", async () => {
  const other = await gateway.newOwnedOrg();
  for (const owner of [org, other]) {
    for (let count = 0; count < 2; count += 1) await gateway.newKey(owner.id, owner.owner, "viewer");
  }
  const { body } = await gateway.ask("GET", `${keys}?limit=1`, { as: org.owner });
  const cursor = body.next_cursor;
  const refused = { status: 400, body: { code: "invalid_cursor" } };
  expect(
    await gateway.ask("GET", `/api/v2/orgs/${org.id}/members?cursor=${cursor}`, { as: org.owner }),
  ).toMatchObject(refused);
  expect(
    await gateway.ask("GET", `/api/v2/orgs/${other.id}/api-keys?cursor=${cursor}`, { as: other.owner }),
  ).toMatchObject(refused);
  for (const more of ["x", "x".repeat(5_000)]) {
    expect(await gateway.ask("GET", `${keys}?cursor=${cursor}${more}`, { as: org.owner })).toMatchObject(
      refused,
    );
  }
});
