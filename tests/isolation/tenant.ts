import { call } from "@leeway/shared/bus/request";
import { ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import { PublishNotification } from "@leeway/shared/contracts/webhooks/channels";
import type { TestDatabase } from "@leeway/shared/testing/testing";

import { OPERATOR_TOKEN, type Answered } from "../../services/gateway/test/support/gateway.ts";
import { ndjson, tfstate } from "../../services/inventory/test/kit.ts";
import { DEAD_END, SCHEMAS, type Stack } from "./stack.ts";

export const ACCOUNTS = ["111111111111", "222222222222"] as const;
/** A resource that is live in every organization under the same id. */
export const SHARED_ARN = `arn:aws:sqs:eu-west-1:${ACCOUNTS[0]}:shared`;
/** Exclusion rule that every organization has switched off. */
export const RULE = "aws.service_linked_role";

/** An organization with data of every kind, and the ids of that data. */
export interface Tenant {
  id: string;
  /** Text in everything that people named in the organization. */
  canary: string;
  /** Token of the owner, who may do everything in it. */
  owner: string;
  key: string;
  ids: Record<
    | "key"
    | "identity"
    | "member"
    | "account"
    | "source"
    | "declared"
    | "scan"
    | "schedule"
    | "snapshot"
    | "resource"
    | "config"
    | "delivery"
    | "channel"
    | "message"
    | "job"
    | "noise"
    | "change"
    | "rule"
    | "view"
    | "decision",
    string
  >;
  hourlyLimit: number;
  /** Number of its jobs that hold a slot. */
  slots: number;
  /** Idempotency key of the request that added its first account. */
  idempotencyKey: string;
  /** Cloud id of a resource that only this organization has. */
  providerId: string;
  /** Cursor of the second page, by the path of the collection. */
  cursors: Record<string, string>;
}

/** Paths of paginated collections, below the organization's. */
const COLLECTIONS = [
  "api-keys",
  "ci-identities",
  "members",
  "audit-log",
  "cloud-accounts",
  "iac-sources",
  "iac-resources",
  "scans",
  "scan-schedules",
  "resources",
  "types",
  "drift-snapshots",
  "drift-changes",
  "drift-changes/decisions",
  "webhooks",
  "notification-channels",
  "plan-noise",
  "llm-jobs",
] as const;

const MAX_TRIES = 5;

/** Creates an organization and, through the API, everything an organization can have. */
export async function fillTenant(stack: Stack, canary: string): Promise<Tenant> {
  const owner = await stack.newPerson(`${canary}@example.com`);
  const { id } = await made(stack.ask("POST", "/api/v2/orgs", { as: owner, body: { name: canary } }));
  const path = `/api/v2/orgs/${id}`;
  /** Sends a request, again while a service is busy, as clients do. */
  const send = async (method: string, below: string, body: unknown, more = {}) => {
    const headers = { ...(method === "POST" && { "idempotency-key": crypto.randomUUID() }), ...more };
    for (let tries = 1; ; tries += 1) {
      const asked = stack.ask(method, `${path}/${below}`, { as: owner, body, headers });
      if ((await asked).status !== 503 || tries === MAX_TRIES) return made(asked);
      await Bun.sleep(1_000);
    }
  };

  const hourlyLimit = 313_370 + canary.length;
  const plan = { plan: "enterprise", hourly_platform_llm_limit: hourlyLimit };
  await made(stack.ask("PUT", `/operator/orgs/${id}/plan`, { as: OPERATOR_TOKEN, body: plan }));
  const slots = canary.length;
  for (let slot = 0; slot < slots; slot += 1) {
    await call(stack.bus, ReserveSlot, { org_id: id, job_id: crypto.randomUUID() });
  }
  await send("POST", "members", { email: `guest-${canary}@example.com`, role: "viewer" });
  const { key } = await send("POST", "api-keys", { name: canary, role: "admin" });
  await send("POST", "api-keys", { name: `${canary}-ci`, role: "viewer" });
  await fillJobs(stack, send, canary);
  await fillInventory(stack, send, canary);
  const decided = await fillDecisions(stack, id, { send, canary });
  await fillScan(stack, id, canary);
  const modelKey = { provider: "anthropic", api_key: `${canary}-model-key`, model: canary };
  await send("PUT", "llm-config?validate=false", modelKey);
  const webhook = {
    ...(await fillWebhooks(stack, send, canary)),
    ...(await fillChannels(stack, id, send, canary)),
  };
  const analyzer = await fillAnalyzer(stack, { id, key, canary }, send);

  const one = async (collection: string) =>
    (await made(stack.ask("GET", `${path}/${collection}`, { as: owner }))).data[0].id;
  const names = {
    key: "api-keys",
    identity: "ci-identities",
    member: "members",
    account: "cloud-accounts",
    source: "iac-sources",
  };
  const found = {
    declared: "iac-resources",
    scan: "scans",
    schedule: "scan-schedules",
    snapshot: "drift-snapshots",
    resource: "resources",
  };
  const ids: Record<string, string> = { ...webhook, ...analyzer, ...decided };
  for (const [name, collection] of Object.entries({ ...names, ...found })) ids[name] = await one(collection);
  const changes = await made(stack.ask("GET", `${path}/drift-changes`, { as: owner }));
  const change: string = changes.data[0].fingerprint;
  ids["change"] = change;
  await fillSettlements(stack, id, { change, canary });
  await proposePlan(stack, path, { key, canary, address: changes.data[0].address });
  await keepEntries(stack, id, canary);
  const cursors: Tenant["cursors"] = {};
  for (const collection of COLLECTIONS) {
    const first = await made(stack.ask("GET", `${path}/${collection}?limit=1`, { as: owner }));
    cursors[collection] = first.next_cursor;
    if (!first.next_cursor) throw new Error(`${collection} has no second page`);
  }
  const deliveries = `webhooks/${webhook.config}/deliveries`;
  cursors["deliveries"] = (
    await made(stack.ask("GET", `${path}/${deliveries}?limit=1`, { as: owner }))
  ).next_cursor;
  const messages = `notification-channels/${webhook.channel}/deliveries?limit=1`;
  cursors["notification-deliveries"] = (
    await made(stack.ask("GET", `${path}/${messages}`, { as: owner }))
  ).next_cursor;
  const idempotencyKey = idempotencyKeyOf(canary);
  const providerId = queueArn(canary);
  return {
    id,
    canary,
    owner,
    key,
    ids,
    hourlyLimit,
    slots,
    idempotencyKey,
    providerId,
    cursors,
  };
}

type Send = (method: string, below: string, body: unknown, headers?: object) => Promise<Answered["body"]>;

async function fillDecisions(
  { db: { admin } }: Stack,
  orgId: string,
  { send, canary }: { send: Send; canary: string },
): Promise<{ decision: string; rule: string; view: string }> {
  const decided = { filter: {}, status: "acknowledged", reason: canary };
  await send("POST", "drift-changes/decisions", decided);
  const { id: decision } = await send("POST", "drift-changes/decisions", decided);
  await send("POST", "drift-changes/decisions", { ...decided, status: "open" });
  const rule = { name: canary, on: ["undeclared"], when: "false", then: { label: "none" }, reason: canary };
  const { id } = await send("POST", "rules", rule);
  const due = () => admin`select from inventory.due_rules where org_id = ${orgId}`;
  while ((await due()).length > 0) await Bun.sleep(10);
  await admin`
    insert into inventory.due_rules (org_id, cloud_account_id, due_at)
    select org_id, id, 'infinity' from inventory.cloud_accounts where org_id = ${orgId}
  `;
  const view = await send("POST", "views", {
    name: canary,
    page: "drift",
    filter: { q: canary },
    shared: true,
  });
  return { decision, rule: id, view: view.id };
}

async function fillInventory({ db }: Stack, send: Send, canary: string): Promise<void> {
  const headers = { "idempotency-key": idempotencyKeyOf(canary) };
  const account = await send(
    "POST",
    "cloud-accounts",
    { provider: "aws", external_id: ACCOUNTS[0] },
    headers,
  );
  const named = (external_id: string) => {
    const role_arn = `arn:aws:iam::${external_id}:role/${canary}`;
    return { name: canary, credentials: { kind: "aws_role", role_arn } };
  };
  const added = { provider: "aws", external_id: ACCOUNTS[1], ...named(ACCOUNTS[1]) };
  const other = await send("POST", "cloud-accounts", added);
  await send("PATCH", `cloud-accounts/${account.id}`, named(ACCOUNTS[0]));
  const declare = (name: string) => ({
    type: "aws_sqs_queue",
    name,
    attributes: { id: queueUrl(name), arn: queueArn(name) },
  });
  const states = [
    tfstate([declare(canary), declare(`gone-${canary}`)], { lineage: `lineage-${canary}` }),
    tfstate([declare("shared"), declare(`twin-${canary}`)], { lineage: `other-${canary}` }),
  ];
  for (const [index, state] of states.entries()) {
    const source = await send("POST", "iac-sources", {
      name: `${canary}-${index}`,
      cloud_account_id: account.id,
    });
    await send("PUT", `iac-sources/${source.id}/state`, state);
  }
  const role = {
    provider_resource_id: `arn:aws:iam::${ACCOUNTS[0]}:role/aws-service-role/sqs.amazonaws.com/${canary}`,
    provider_type: "AWS::IAM::Role",
  };
  const rows = [queue(canary, canary), queue(`extra-${canary}`, canary), queue("shared", canary), role];
  const twin = queue(`twin-${canary}`, canary);
  rows.push(twin, { ...twin, provider_resource_id: queueUrl(`twin-${canary}`) });
  await push(send, account.id, rows);
  await push(send, other.id, [{ provider_resource_id: canary, provider_type: `Acme::${canary}` }]);
  await send("PATCH", `exclusion-rules/${RULE}`, { enabled: false });
  for (const minute of [1, 2]) {
    const cron = `${minute} 3 29 2 *`;
    await send("POST", "scan-schedules", { account_id: other.id, cron, timezone: "Asia/Tokyo" });
  }
  await db.admin`
    insert into inventory.notices (org_id, id, publication, next_attempt_at)
    select org_id, gen_random_uuid(), ${canary}, now() + interval '1 day'
      from inventory.cloud_accounts
     where id = ${account.id}
  `;
}

/** Stores two CI identities and a job's token. */
async function fillJobs({ db: { admin } }: Stack, send: Send, canary: string): Promise<void> {
  const claims = { project_path: `${canary}/infra` };
  const identity = { issuer: "https://gitlab.com", claims, role: "member" };
  const { id } = await send("POST", "ci-identities", identity);
  await send("POST", "ci-identities", { ...identity, role: "viewer" });
  await admin`
    insert into identity.ci_tokens (org_id, lookup, hash, identity_id, subject, repository, host, expires_at)
    select org_id, ${canary}, sha256(${canary}::bytea), id, ${canary}, ${claims.project_path}, 'gitlab.com',
           now() + interval '1 day'
      from identity.ci_identities
     where id = ${id}
  `;
}

/** Stores a decision to settle a change, a requested fix, and the branch of their source. */
async function fillSettlements(
  { db: { admin } }: Stack,
  orgId: string,
  { change, canary }: { change: string; canary: string },
): Promise<void> {
  const by = { type: "person", id: canary };
  await admin`
    insert into analyzer.settlements (org_id, fingerprint, source_id, how, decided_by)
    values (${orgId}, ${change}, gen_random_uuid(), 'accept', ${admin.json(by)})
  `;
  await admin`
    insert into analyzer.requested_fixes (org_id, source_id, fingerprint, strategy, decided_by)
    values (${orgId}, gen_random_uuid(), ${canary}, 'auto', ${admin.json(by)})
  `;
  await admin`
    insert into analyzer.settlement_branches (org_id, source_id, branch, repository)
    values (${orgId}, gen_random_uuid(), ${canary}, ${admin.json({ path: canary })})
  `;
}

/** Stores the shards, pages and blind spots of a cloud scan. */
async function fillScan({ db: { admin } }: Stack, orgId: string, canary: string): Promise<void> {
  await admin`
    insert into inventory.scan_shards (org_id, scan_id, number, service, key)
    select org_id, id, 1, ${canary}, ${canary} from inventory.scans where org_id = ${orgId}
  `;
  await admin`
    insert into inventory.scan_pages (org_id, scan_id, shard, number, lines)
    select org_id, scan_id, number, 1, ${canary} from inventory.scan_shards where org_id = ${orgId}
  `;
  await admin`
    insert into inventory.blind_spots (org_id, cloud_account_id, region)
    select org_id, id, ${canary} from inventory.cloud_accounts where org_id = ${orgId}
  `;
}

/** Creates two configs of a planner, the first with two events, and a code host turn that was never released. */
async function fillWebhooks(
  stack: Stack,
  send: Send,
  canary: string,
): Promise<{ config: string; delivery: string }> {
  const first = await send("POST", "webhooks", { source: "planner", name: canary, repo_path: canary });
  await send("POST", "webhooks", { source: "planner", name: `${canary}-2` });
  let delivery = "";
  for (const status of ["success", "failure"]) {
    const body = JSON.stringify({
      event: "plan",
      version: 1,
      event_id: crypto.randomUUID(),
      repository: canary,
      project: { name: canary },
      status,
      plan: { format_version: "1.2" },
    });
    const signature = new Bun.CryptoHasher("sha256", first.raw_secret).update(body).digest("hex");
    const headers = { "x-planner-signature": `sha256=${signature}` };
    const path = new URL(first.url).pathname;
    ({ delivery_id: delivery } = await made(stack.ask("POST", path, { body, headers })));
  }
  const deliveries = `webhooks/${first.id}/deliveries?outcome=pending`;
  while ((await send("GET", deliveries, undefined)).data.length > 0) await Bun.sleep(10);
  const config = `webhooks/${first.id}`; // stored shortly after the delivery
  while ((await send("GET", config, undefined)).last_status === undefined) await Bun.sleep(10);
  await stack.db.admin`
    insert into webhooks.turns (org_id, place, holder, ends_at)
    values (${first.org_id}, sha256(${canary}::bytea), ${crypto.randomUUID()}, now() + interval '1 day')
  `;
  return { config: first.id, delivery };
}

/** Creates two channels: the first has two failed deliveries, the second an event that waits for its digest. */
async function fillChannels(
  stack: Stack,
  orgId: string,
  send: Send,
  canary: string,
): Promise<{ channel: string; message: string }> {
  const input = { kind: "slack", name: canary, target: { url: `http://${DEAD_END}/${canary}` } };
  const first = await send("POST", "notification-channels", { ...input, events: ["scan.failed"] });
  const digest = { ...input, name: `${canary}-2`, events: ["drift.detected"], digest: "daily" };
  await send("POST", "notification-channels", digest);
  await call(stack.bus, PublishNotification, {
    org_id: orgId,
    event: {
      id: `evt_${canary}`,
      type: "drift.detected",
      created_at: new Date().toISOString(),
      data: { name: canary },
    },
    change_key: canary,
  });
  const one = `notification-channels/${first.id}`;
  await send("POST", `${one}/test`, {});
  const { delivery_id: message } = await send("POST", `${one}/test`, {});
  const waiting = `${one}/deliveries?status=pending`;
  while ((await send("GET", waiting, undefined)).data.length > 0) await Bun.sleep(10);
  // Stored directly, because this server sends no mail.
  await stack.db.admin`
    insert into webhooks.recipients (org_id, channel_id, address_sha256, status, confirmation_id)
    values (${orgId}, ${first.id}, sha256(${canary}::bytea), 'waiting', ${crypto.randomUUID()})
  `;
  await stack.db.admin`
    insert into webhooks.refusals (org_id, address_sha256) values (${orgId}, sha256(${canary}::bytea))
  `;
  await stack.db.admin`insert into webhooks.mail_days (org_id, day, mails) values (${orgId}, now(), 1)`;
  return { channel: first.id, message };
}

/** Analyzes a pull request's plan with two kinds of noise that no other organization has. */
async function fillAnalyzer(
  stack: Stack,
  { id, key, canary }: { id: string; key: string; canary: string },
  send: Send,
): Promise<{ job: string; noise: string }> {
  await send("PATCH", "settings", { comment_min_risk: "none" });
  const type = `aws_${canary.replaceAll(/[^a-z]/g, "_")}_policy`;
  const change = { actions: ["update"], before: policies(""), after: policies(" ") };
  const plan = {
    format_version: "1.2",
    resource_changes: [{ address: `${type}.a`, type, name: "a", change }],
  };
  const body = { plan, narrative: false, repository: canary, change_request: { number: 1 } };
  const path = `/api/v2/orgs/${id}`;
  const { job_id: job } = await made(stack.ask("POST", `${path}/analyze`, { as: key, body }));
  const { result } = await made(stack.ask("GET", `${path}/llm-jobs/${job}?wait=20`, { as: key }));
  await reportPlan(stack, path, { key, canary });
  const used = async () => (await send("GET", "api-keys", undefined)).data.some(hasBeenUsed);
  while (!(await used())) await Bun.sleep(10); // stored a moment later
  await stack.db.admin`insert into analyzer.applied_projects (org_id, project) values (${id}, ${canary})`;
  await stack.db.admin`
    insert into analyzer.reviews (org_id, repository, number, project, source, job_id)
    values (${id}, ${canary}, 1, 'of an older service', 'vcs', ${job})
  `;
  await stack.db.admin`
    insert into analyzer.noise_mutes (org_id, fingerprint, repository, reason, decided_by)
    select org_id, fingerprint, ${canary}, ${canary}, '{"type": "system", "id": "test"}'
      from analyzer.noise
     where org_id = ${id}
  `;
  await stack.db.admin`
    insert into webhooks.events (org_id, id, event, offered_at)
    select org_id, id, '{}', now() + interval '1 day' from webhooks.deliveries where org_id = ${id}
  `;
  return { job, noise: result.noise[0].fingerprint };
}

/** Waits until each service's audit entries have arrived, then leaves one unsent entry in each service. */
async function keepEntries({ db: { admin } }: Stack, orgId: string, canary: string): Promise<void> {
  for (const service of ["analyzer", "inventory", "quota", "webhooks"]) {
    const outbox = admin(`${service}.audit_outbox`);
    while ((await admin`select 1 from ${outbox} where org_id = ${orgId}`).length > 0) await Bun.sleep(20);
    await admin`
      insert into ${outbox} (org_id, id, at, actor, action, details, request_id)
      values (${orgId}, gen_random_uuid(), now() + interval '1 day', '{}', ${canary}, '{}', ${canary})
    `;
  }
}

/** Reports a plan of the first source to the inventory. */
async function reportPlan(
  stack: Stack,
  path: string,
  { key, canary }: { key: string; canary: string },
): Promise<void> {
  const change = { actions: ["create"], before: null, after: { name: canary } };
  const resource = { address: `aws_sqs_queue.${canary}`, type: "aws_sqs_queue", name: canary, change };
  const plan = { format_version: "1.2", resource_changes: [{ ...resource, mode: "managed" }] };
  const body = { plan, narrative: false, project: { name: `${canary}-0` } };
  await made(stack.ask("POST", `${path}/analyze`, { as: key, body }));
  const isTaken = async (): Promise<boolean> => {
    const { data } = await made(stack.ask("GET", `${path}/drift-changes?kind=pending`, { as: key }));
    return data.length > 0;
  };
  while (!(await isTaken())) await Bun.sleep(20);
}

/** Analyzes a pull request's plan that changes a resource of the first source. */
async function proposePlan(
  stack: Stack,
  path: string,
  { key, canary, address }: { key: string; canary: string; address: string },
): Promise<void> {
  const [type = "", name = ""] = address.split(".");
  const change = { actions: ["update"], before: { tags: {} }, after: { tags: { team: canary } } };
  const plan = {
    format_version: "1.2",
    resource_changes: [{ address, type, name, mode: "managed", change }],
  };
  const place = { repository: canary, project: { name: `${canary}-0` }, change_request: { number: 2 } };
  const body = { plan, narrative: false, ...place };
  const { job_id: job } = await made(stack.ask("POST", `${path}/analyze`, { as: key, body }));
  await made(stack.ask("GET", `${path}/llm-jobs/${job}?wait=20`, { as: key }));
}

const policyWith = (space: string) => JSON.stringify({ Statement: [] }, undefined, space);
const policies = (space: string) => ({ policy: policyWith(space), other_policy: policyWith(space) });
const hasBeenUsed = ({ last_used_at }: { last_used_at?: string }) => last_used_at !== undefined;

async function push(send: Send, account: string, rows: object[]): Promise<void> {
  const { id } = await send("PUT", `cloud-accounts/${account}/listing`, ndjson(rows));
  while ((await send("GET", `scans/${id}`, undefined)).finished_at === undefined) await Bun.sleep(10);
}

const idempotencyKeyOf = (canary: string) => `key-of-${canary}`;

function queueArn(name: string): string {
  return `arn:aws:sqs:eu-west-1:${ACCOUNTS[0]}:${name}`;
}

function queueUrl(name: string): string {
  return `https://sqs.eu-west-1.amazonaws.com/${ACCOUNTS[0]}/${name}`;
}

const queue = (name: string, canary: string) => ({
  provider_resource_id: queueArn(name),
  provider_type: "AWS::SQS::Queue",
  name: canary,
  region: "eu-west-1",
  tags: { team: canary },
  properties: { QueueName: canary },
});

async function made(asked: Promise<Answered>): Promise<Answered["body"]> {
  const { status, body, text } = await asked;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body;
}

/** Returns the tables with rows of organizations, as `schema.table`. */
export async function tenantTables({ admin }: TestDatabase): Promise<string[]> {
  const rows = await admin<{ name: string }[]>`
    select c.oid::regclass::text as name
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
     where c.relkind in ('r', 'p')
       and not c.relispartition -- its table shows its rows, and nobody has a right to it alone
       and c.relnamespace::regnamespace::text = any (${SCHEMAS.map(({ name }) => name)})
     order by name
  `;
  return rows.map(({ name }) => name);
}

/** Returns every row of an organization as JSON, by table. */
export async function rowsOf(db: TestDatabase, orgId: string): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const table of await tenantTables(db)) {
    const found = await db.admin.unsafe<{ row: string }[]>(
      `select to_jsonb(t)::text as row from ${table} t where org_id = $1 order by 1`,
      [orgId],
    );
    rows[table] = found.map(({ row }) => row);
  }
  return rows;
}

/** Returns every id in an organization's rows. */
export function idsIn(rows: Record<string, string[]>): Set<string> {
  const texts = Object.values(rows).flat();
  return new Set(texts.flatMap((row) => row.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []));
}
