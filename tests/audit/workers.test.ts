import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";

import { endIgnores } from "../../services/inventory/src/drift/decide-drift.ts";
import { giveUp } from "../../services/inventory/src/schedules/give-up.ts";
import { ndjson, tfstate } from "../../services/inventory/test/kit.ts";
import { ACCOUNT, AWS_KEY, startWorld, type Tenant, type World } from "../clouds/kit.ts";

const ROOT = join(import.meta.dir, "../..");
const FUNCTION_ARN = `arn:aws:lambda:eu-west-1:${ACCOUNT}:function:orders`;

/** Background workers, with the actions of their audit entries or the reason why they write none. */
const WORKERS: Readonly<Record<string, readonly string[] | string>> = {
  "analyzer analyzer-deliveries": ["plan.submit"], // tests/audit/state-changes.test.ts
  // tests/analyzer/settlements.test.ts, tests/analyzer/comment-decisions.test.ts
  "analyzer analyzer-jobs": ["plan_noise.fix", "plan_noise.update"],
  "analyzer outbox": "hands jobs over",
  "analyzer retention": "forgets what is too old",
  "analyzer settlements": "updates change requests, whose decisions are written",
  "gateway key-use": "notes when keys were used",
  "gateway positions": "notes how far read replicas must be",
  "gateway purge": "forgets organizations whose deletion is written",
  "gateway rate-limits": "counts requests",
  "gateway retention": "forgets what is too old",
  "gateway watches": "looks at scans for whoever follows them",
  "inventory actors": "notes who changed a resource, as the cloud says",
  "inventory drift": ["drift_change.reopen"],
  "inventory ended scans": ["scan_schedule.disable"],
  "inventory inventory-drift": ["drift_change.reopen"],
  "inventory inventory-scans": "takes in what a scan finds, whose start is written",
  "inventory match-counts": "counts",
  "inventory notices": "publishes events, whose causes are written",
  "inventory retention": "forgets what is too old",
  "inventory scan pages": "forgets what ended scans no longer need",
  "inventory scans": "hands scans over",
  "inventory schedules": ["scan_schedule.disable"], // scans that a schedule starts have its id
  "inventory stalled scans": "ends scans that nobody works on",
  "inventory states": ["iac_source.read"], // services/inventory/test/states-read.test.ts
  "quota breakers": "counts",
  "quota retention": "forgets what is too old",
  "quota slots": "gives back what dead workers left",
  "webhooks activity": "counts what was received",
  "webhooks expiring tokens": "publishes events",
  "webhooks notifications": ["notification_channel.disable"], // services/webhooks/test/notifications-attempts.test.ts
  "webhooks outbox": "hands deliveries over",
  "webhooks retention": "forgets what is too old",
};

/** Lists every loop and every durable consumer in the services' code, with its service. */
async function workersInCode(): Promise<string[]> {
  const found = new Set<string>();
  for (const path of new Glob("services/*/src/**/*.ts").scanSync(ROOT)) {
    if (/\.(test|fixture)\.ts$/.test(path)) continue;
    const code = await Bun.file(join(ROOT, path)).text();
    const service = path.split("/")[1] ?? "";
    for (const [, name] of code.matchAll(/(?:repeat\(|createOutbox(?:<[^(]+>)?\(\w+, )\{\s*name: "([^"]+)"/g))
      found.add(`${service} ${name}`);
    if (/startRetention\(/.test(code)) found.add(`${service} retention`);
    for (const [, name] of code.matchAll(/durable: "([^"]+)"/g)) found.add(`${service} ${name}`);
  }
  return [...found].toSorted();
}

let world: World;
let tenant: Tenant;
let account: string;

beforeAll(async () => {
  world = await startWorld();
  tenant = await world.newTenant();
  account = await tenant.account("aws", ACCOUNT, { credentials: AWS_KEY });
});
afterAll(() => world.stop());

async function entryOf(action: string): Promise<{ actor: { type: string }; details: object } | undefined> {
  const deadline = Date.now() + 5_000;
  while (Date.now() < deadline) {
    const { body } = await tenant.ask("GET", `audit-log?action=${action}`);
    if (body.data.length > 0) return body.data[0];
    await Bun.sleep(20);
  }
  return undefined;
}

test("every loop and consumer is listed here with its entries or a reason for none", async () => {
  expect(Object.keys(WORKERS).toSorted()).toEqual(await workersInCode());
});

describe("a worker's decision is in the audit log:", () => {
  test("drift that is open again because its ignore period ended", async () => {
    const source = (
      await tenant.ask("POST", "iac-sources", { body: { name: "a", cloud_account_id: account } })
    ).body.id;
    const attributes = { id: "orders", arn: FUNCTION_ARN, timeout: 30 };
    const declared = { type: "aws_lambda_function", name: "orders", attributes };
    await tenant.ask("PUT", `iac-sources/${source}/state`, { body: tfstate([declared]) });
    const row = { provider_resource_id: FUNCTION_ARN, provider_type: "AWS::Lambda::Function" };
    const listing = ndjson([{ ...row, properties: { Timeout: 60 } }]);
    const scan = (await tenant.ask("PUT", `cloud-accounts/${account}/listing`, { body: listing })).body.id;
    while ((await tenant.ask("GET", `scans/${scan}`)).body.finished_at === undefined) await Bun.sleep(20);
    const [{ fingerprint }] = (await tenant.ask("GET", "drift-changes")).body.data;
    const until = new Date(Date.now() + 300).toISOString();
    await tenant.ask("PATCH", `drift-changes/${fingerprint}`, { body: { status: "ignored", until } });
    await Bun.sleep(400);
    await endIgnores(world.db.open("inventory"), tenant.orgId, account);
    expect(await entryOf("drift_change.reopen")).toMatchObject({
      actor: { type: "system", id: "inventory" },
      details: { account_id: account, changes: 1 },
    });
  });

  test("a disabled schedule, with the reason", async () => {
    const body = { account_id: account, cron: "@daily" };
    const { id } = (await tenant.ask("POST", "scan-schedules", { body })).body;
    await world.db
      .open("inventory")
      .transaction(tenant.orgId, (tx) => giveUp(tx, { id, account_id: account }, "five scans failed"));
    expect(await entryOf("scan_schedule.disable")).toMatchObject({
      actor: { type: "system" },
      details: { reason: "five scans failed" },
    });
  });
});

describe("an entry", () => {
  test("names the changed fields but never a new secret", async () => {
    const credentials = { ...AWS_KEY, secret_access_key: "the-next-secret-of-ours" };
    await tenant.ask("PATCH", `cloud-accounts/${account}`, { body: { name: "renamed", credentials } });
    const entry = await entryOf("cloud_account.update");
    expect(entry).toMatchObject({ details: { provider: "aws", changed: "name, credentials" } });
    expect(JSON.stringify(entry)).not.toContain("the-next-secret-of-ours");
  });

  test("isn't written when the change is refused", async () => {
    const refused = await tenant.ask("POST", "iac-sources", { body: { name: "a" } });
    expect(refused.status).toBe(409);
    await Bun.sleep(600);
    const { body } = await tenant.ask("GET", "audit-log?action=iac_source.create");
    expect(body.data).toHaveLength(1);
  });

  test("that can't be written prevents the change", async () => {
    const { admin } = world.db;
    await admin`alter table inventory.audit_outbox add constraint broken check (action <> 'exclusion_rule.update')`;
    const rule = "exclusion-rules/aws.service_linked_role";
    expect((await tenant.ask("PATCH", rule, { body: { enabled: false } })).status).toBe(500);
    await admin`alter table inventory.audit_outbox drop constraint broken`;
    const { body } = await tenant.ask("GET", "exclusion-rules");
    const found = body.data.find(({ id }: { id: string }) => id === "aws.service_linked_role");
    expect(found.enabled).toBe(true);
  });

  test("waits in its service until the gateway can store it", async () => {
    const { admin } = world.db;
    await admin`alter table identity.audit_log add constraint broken check (action <> 'settings.update')`;
    await tenant.ask("PATCH", "settings", { body: { drift_narratives: false } });
    await Bun.sleep(600);
    const waiting = await admin`select 1 from analyzer.audit_outbox where org_id = ${tenant.orgId}`;
    expect(waiting).toHaveLength(1);
    await admin`alter table identity.audit_log drop constraint broken`;
    expect(await entryOf("settings.update")).toMatchObject({ details: { drift_narratives: false } });
    const { body } = await tenant.ask("GET", "audit-log/verify");
    expect(body.holds).toBe(true);
  });
});
