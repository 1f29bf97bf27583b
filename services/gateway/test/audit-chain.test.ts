import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { call } from "@leeway/shared/bus/request";
import { RecordAudit, type AuditRecord } from "@leeway/shared/contracts/gateway/audit";

import { follow, type ChainedEntry } from "../src/audit/chain.ts";
import { forgetExpired } from "../src/organizations/store.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

const DAY_MS = 86_400_000;

let gateway: TestGateway;
let org: { id: string; owner: string };
let base: string;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  org = await gateway.newOwnedOrg();
  base = `/api/v2/orgs/${org.id}/audit-log`;
});

const recordOf = (more: Partial<AuditRecord> = {}): AuditRecord => ({
  id: Bun.randomUUIDv7(),
  at: new Date().toISOString(),
  actor: { type: "code_host_user", host: "gitlab.example.com", id: "7", username: "ada" },
  action: "drift_change.decide",
  target_id: "dc1_1",
  details: { zeta: 'a "quoted"\n\u0001 ünïcode', alpha: 3, status: "ignored", yes: true },
  request_id: "a-request",
  ...more,
});
const record = (...entries: AuditRecord[]) => call(gateway.bus, RecordAudit, { org_id: org.id, entries });
const verify = async () => (await gateway.ask("GET", `${base}/verify`, { as: org.owner })).body;

async function exported(after = 0): Promise<ChainedEntry[]> {
  const { text } = await gateway.ask("GET", `${base}/export?after=${after}`, { as: org.owner });
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
}

/** Changes the table past its trigger, which only its owner could do. */
async function tamper(work: "change" | "remove" | "rename", sequence: number): Promise<void> {
  await gateway.db.admin.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    const at = sql`where org_id = ${org.id} and sequence = ${sequence}`;
    if (work === "change") await sql`update identity.audit_log set details = '{"status": "open"}' ${at}`;
    if (work === "remove") await sql`delete from identity.audit_log ${at}`;
    if (work === "rename") await sql`update identity.audit_log set actor = actor - 'username' ${at}`;
  });
}

describe("the audit log chain", () => {
  test("holds over entries of the gateway and of other services, in order of arrival", async () => {
    await gateway.newKey(org.id, org.owner, "admin");
    await record(recordOf(), recordOf());
    const entries = await exported();
    expect(entries.map(({ sequence, action }) => [sequence, action])).toEqual([
      [1, "organization.create"],
      [2, "api_key.create"],
      [3, "drift_change.decide"],
      [4, "drift_change.decide"],
    ]);
    const { hash = "" } = entries.at(-1) ?? {};
    expect(follow(org.id, { sequence: 0, hash: "" }, entries)).toEqual({ sequence: 4, hash });
    expect(await verify()).toEqual({ holds: true, entries: 4, sequence: 4, hash });
    expect((await exported(2)).map(({ sequence }) => sequence)).toEqual([3, 4]);
    const [inDatabase] = await gateway.db.admin`
      select bool_and(hash = identity.audit_hash(a)) as same from identity.audit_log a where org_id = ${org.id}
    `;
    expect(inDatabase).toEqual({ same: true });
  });

  test("records an entry once, even when several services send it at the same time", async () => {
    const entry = recordOf();
    await Promise.all(Array.from({ length: 8 }, () => record(entry)));
    await record(entry);
    expect(await verify()).toMatchObject({ holds: true, entries: 2 });
  });

  test("numbers concurrent entries uniquely", async () => {
    await Promise.all(Array.from({ length: 20 }, () => record(recordOf(), recordOf())));
    expect(await verify()).toMatchObject({ holds: true, entries: 41 });
  });

  test("records the entries of people who join the same organizations at once, in any order", async () => {
    const others = [await gateway.newOwnedOrg(), await gateway.newOwnedOrg()];
    const people = await Promise.all(Array.from({ length: 12 }, () => gateway.newPerson()));
    for (const [index, { email }] of people.entries()) {
      for (const { id, owner } of index % 2 === 0 ? others : others.toReversed()) {
        const body = { email, role: "viewer" };
        await gateway.ask("POST", `/api/v2/orgs/${id}/members`, { as: owner, body });
      }
    }
    const answers = await Promise.all(
      people.map(({ token }) => gateway.ask("GET", "/api/v2/orgs", { as: token })),
    );
    expect(answers.map(({ status, body }) => [status, body.data?.length])).toEqual(
      people.map(() => [200, 2]),
    );
  });

  test.each([
    ["change", "changed"],
    ["remove", "missing"],
  ] as const)('breaks after a manual "%s" in the database', async (work, reason) => {
    await record(recordOf(), recordOf(), recordOf());
    await tamper(work, 3);
    expect(await verify()).toMatchObject({ holds: false, broken_at: { sequence: 3, reason } });
  });

  test("breaks when its last entry is removed", async () => {
    await record(recordOf(), recordOf());
    await tamper("remove", 3);
    expect(await verify()).toMatchObject({ holds: false, broken_at: { sequence: 3, reason: "missing" } });
  });

  test("holds after a display name is erased", async () => {
    await record(recordOf());
    await tamper("rename", 2);
    expect(await verify()).toMatchObject({ holds: true });
  });

  test("can't be changed by the gateway's own role", async () => {
    await record(recordOf());
    const change = gateway.database.org(org.id)`
      update identity.audit_log set action = 'settings.update' where org_id = ${org.id} and sequence = 2
    `;
    await expect(change).rejects.toThrow();
    expect(await verify()).toMatchObject({ holds: true });
  });

  test("holds from the oldest kept entry on after older ones expire", async () => {
    const old = (days: number) => recordOf({ at: new Date(Date.now() - days * DAY_MS).toISOString() });
    const other = await gateway.newOwnedOrg();
    org = other;
    base = `/api/v2/orgs/${org.id}/audit-log`;
    await gateway.db.admin`delete from identity.audit_log where org_id = ${org.id}`;
    await gateway.db.admin`delete from identity.audit_chains where org_id = ${org.id}`;
    await record(old(403), old(402), recordOf(), old(401), recordOf());
    await forgetExpired(gateway.database.system);
    expect((await exported()).map(({ sequence }) => sequence)).toEqual([3, 4, 5]);
    expect(await verify()).toMatchObject({ holds: true, entries: 3, sequence: 5 });
    await tamper("remove", 3);
    expect(await verify()).toMatchObject({ holds: false, broken_at: { sequence: 3, reason: "missing" } });
  });

  test("records an entry of an older gateway once its outcome is known", async () => {
    const id = Bun.randomUUIDv7();
    await gateway.db.admin`
      insert into identity.audit_log (org_id, id, actor, action, details, outcome, request_id)
      values (${org.id}, ${id}, '{"type": "operator", "id": "operator"}', 'scan.create', '{}', 'unknown', 'r')
    `;
    expect(await verify()).toMatchObject({ holds: true, entries: 1 });
    await gateway.db.admin`update identity.audit_log set outcome = 'done' where id = ${id}`;
    expect(await verify()).toMatchObject({ holds: true, entries: 2 });
  });

  test("is visible only to admins and owners, and drops entries of unknown organizations", async () => {
    const member = (await gateway.newKey(org.id, org.owner, "member")).key;
    for (const path of ["verify", "export"]) {
      expect((await gateway.ask("GET", `${base}/${path}`, { as: member })).status).toBe(403);
      expect((await gateway.ask("GET", `${base}/${path}`)).status).toBe(401);
    }
    const nowhere = crypto.randomUUID();
    await call(gateway.bus, RecordAudit, { org_id: nowhere, entries: [recordOf()] });
    const rows = await gateway.db.admin`select 1 from identity.audit_log where org_id = ${nowhere}`;
    expect(rows).toHaveLength(0);
  });
});
