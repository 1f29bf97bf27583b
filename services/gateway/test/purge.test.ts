import { expect, test } from "bun:test";

import { PurgeInventory } from "@leeway/shared/contracts/inventory/accounts";
import { PutLlmConfig } from "@leeway/shared/contracts/quota/llm-config";
import { PurgeQuota } from "@leeway/shared/contracts/quota/plans";
import { unavailable } from "@leeway/shared/values/errors";
import { testLog } from "@leeway/shared/testing/testing";

import { LLM_CONFIG } from "../src/examples/quota.ts";
import { forgetDeleted } from "../src/organizations/purge.ts";
import { forgetExpired } from "../src/organizations/store.ts";
import { startServing, startTestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

const PURGED = ["analyzer", "inventory", "quota", "webhooks"].map((owner) => `${owner}.orgs.purge`);

test("an organization that a service failed to purge is purged later, also by another gateway", async () => {
  const gateway = await startTestGateway();
  const { id, owner } = await gateway.newOwnedOrg();
  const other = await gateway.newOwnedOrg();
  const left = async () => (await gateway.db.admin`select from identity.members where org_id = ${id}`).length;
  gateway.others.on(PurgeInventory, () => {
    throw unavailable("the database is gone");
  });
  await gateway.ask("DELETE", `/api/v2/orgs/${id}`, { as: owner });
  // All other services at once; otherwise the organization's webhooks and tokens would keep working.
  await until(() => new Set(gateway.others.asked.map(({ subject }) => subject)).size === PURGED.length);
  expect(await left()).toBe(1);

  gateway.others.reset();
  const second = startServing(gateway.config, {
    database: gateway.database,
    bus: gateway.bus,
    log: testLog(),
  });
  await until(async () => (await left()) === 0);
  await second.drain();
  expect(gateway.others.asked.map(({ subject }) => subject).toSorted()).toEqual(PURGED);
  await forgetDeleted(gateway.database, gateway.bus);
  expect((await gateway.ask("GET", `/api/v2/orgs/${other.id}`, { as: other.owner })).status).toBe(200);
  await gateway.stop();
});

test("an LLM key stored while its organization was deleted is purged an hour later", async () => {
  const gateway = await startTestGateway();
  const { admin } = gateway.db;
  const { id, owner } = await gateway.newOwnedOrg();
  const kept = new Set<unknown>();
  const tried = Promise.withResolvers<void>();
  gateway.others.on(PutLlmConfig, async ({ org_id }) => {
    await tried.promise;
    kept.add(org_id);
    return { ...LLM_CONFIG, created: true };
  });
  gateway.others.on(PurgeQuota, ({ org_id }) => {
    kept.delete(org_id);
    return {};
  });
  const left = async () => (await admin`select from identity.members where org_id = ${id}`).length;

  const body = { provider: "openai", api_key: "sk-example" };
  const putting = gateway.ask("PUT", `/api/v2/orgs/${id}/llm-config`, { as: owner, body });
  await until(() => gateway.others.asked.some(({ subject }) => subject === PutLlmConfig.subject));
  await gateway.ask("DELETE", `/api/v2/orgs/${id}`, { as: owner });
  await until(async () => (await left()) === 0);
  tried.resolve();
  await putting;

  await forgetDeleted(gateway.database, gateway.bus);
  expect(kept).toEqual(new Set([id]));
  await admin`update identity.organizations set deleted_at = now() - interval '61 minutes' where org_id = ${id}`;
  await forgetDeleted(gateway.database, gateway.bus);
  expect(kept).toEqual(new Set());
  expect(await admin`select from identity.organizations where org_id = ${id}`).toHaveLength(0);
  await gateway.stop();
});

test("an organization too large for one delete statement is purged in parts", async () => {
  const gateway = await startTestGateway();
  const { admin } = gateway.db;
  const { id } = await gateway.newOwnedOrg();
  // Simulates slow deletes, so that only this many rows fit into the time limit.
  await admin.unsafe(`
    create function public.end_long() returns trigger language plpgsql as $$
    begin
      if (select count(*) from removed) > 1000 then raise query_canceled; end if;
      return null;
    end $$;
    create trigger end_long after delete on identity.audit_log referencing old table as removed
      for each statement execute function public.end_long();
    insert into identity.audit_log (org_id, id, actor, action, outcome, request_id)
    select '${id}', gen_random_uuid(), '{"type":"api_key","id":"x"}', 'cloud_account.push', 'done', ''
      from generate_series(1, 3500);
    update identity.organizations set deleted_at = now() where org_id = '${id}'
  `);
  await forgetDeleted(gateway.database, gateway.bus);
  expect(await admin`select from identity.audit_log where org_id = ${id}`).toHaveLength(0);
  await gateway.stop();
});

test("only expired rows are deleted", async () => {
  const gateway = await startTestGateway();
  const { id, owner } = await gateway.newOwnedOrg();
  await gateway.db.admin`delete from identity.audit_log where org_id = ${id}`;
  await gateway.db.admin`
    insert into identity.rate_windows values ('old', now() - interval '5 minutes', 1), ('new', now(), 1)
  `;
  await gateway.db.admin`
    insert into identity.audit_log (org_id, id, at, actor, action, outcome, request_id)
    select ${id}, gen_random_uuid(), now() - interval '401 days', '{"type":"api_key","id":"x"}', 'scan.create', 'done', ''
      from generate_series(1, 5500)
  `;
  await gateway.newKey(id, owner, "viewer");
  // The gateway itself may be deleting them too.
  while (await forgetExpired(gateway.database.system));
  const { body } = await gateway.ask("GET", `/api/v2/orgs/${id}/audit-log`, { as: owner });
  expect(body.data.map(({ action }: { action: string }) => action)).toEqual(["api_key.create"]);
  const windows = await gateway.db.admin`select subject from identity.rate_windows`;
  expect(windows.map(({ subject }) => subject)).toEqual(["new"]);
  await gateway.stop();
});

test("a person without an organization is deleted once no audit log can name them", async () => {
  const gateway = await startTestGateway();
  const { admin } = gateway.db;
  const see = async (days: number) => {
    const { token, email } = await gateway.newPerson();
    await gateway.ask("GET", "/api/v2/orgs", { as: token });
    await admin`update identity.people set last_seen_at = now() - make_interval(days => ${days}) where email = ${email}`;
    return { token, email };
  };
  const founder = await see(0);
  await gateway.ask("POST", "/api/v2/orgs", { as: founder.token, body: { name: "Test" } });
  await admin`update identity.people set last_seen_at = now() - interval '500 days'`;
  const recent = await see(400);
  await see(402);
  while (await forgetExpired(gateway.database.system));
  const left = await admin`select email from identity.people order by created_at`;
  expect(left.map(({ email }) => email)).toEqual([founder.email, recent.email]);
  await gateway.stop();
});
