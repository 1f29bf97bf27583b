import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { OPERATOR_TOKEN, type Ask } from "../../services/gateway/test/support/gateway.ts";
import { ENDPOINTS } from "../../services/gateway/src/endpoints.ts";
import { ndjson, tfstate } from "../../services/inventory/test/kit.ts";
import { DEAD_END } from "../isolation/stack.ts";
import { ACCOUNT, AWS_KEY, startWorld, type Tenant, type World } from "../clouds/kit.ts";
import { plan, change, resource } from "../analyzer/kit.ts";

/** State-changing operations without an audit entry, with the reason. */
const UNAUDITED: Readonly<Record<string, string>> = {
  askNotificationRecipient: "written by the service of webhooks: services/webhooks/test/mail-consent.test.ts",
  confirmMail: "nobody signs in for it; written by the same service, and tested there",
  followSignInLink: "signs the owner of a demo in with a link that `up` printed",
  exchangeCiToken: "signs a CI job in for 15 minutes: what it submits is written down in its name",
  signInDevice: "needs an identity provider: services/gateway/test/device-sign-in.test.ts",
  signOutDevice: "tested with it",
  callMcp: "tested with a client of the protocol: tests/client/mcp.test.ts",
  createAdoption: "returns code and stores nothing",
  enrichResource: "reads a resource's properties from its cloud",
  fixPlanNoise: "makes a proposal: the list of jobs has it",
  narrateDriftSnapshot: "puts a snapshot into words: the list of jobs has it",
  previewRule: "stores nothing",
  readState: "written where the state is another one: services/inventory/test/states-read.test.ts",
  receiveWebhook: "what a code host or planner sends: the list of deliveries has it",
  settleDriftChange: "reads code; with a change request it is written: tests/analyzer/settlements.test.ts",
  settleDriftChanges: "written with a code host: tests/analyzer/settlements.test.ts",
  signOut: "ends a session, which belongs to no organization",
  unsubscribeMail: "nobody signs in for it; written by the same service, and tested there",
  withdrawSettlement: "written in a test with a code host: tests/analyzer/settlements.test.ts",
};

const FUNCTION_ARN = `arn:aws:lambda:eu-west-1:${ACCOUNT}:function:orders`;

let world: World;
let tenant: Tenant;
const ids: Record<string, string> = {};

beforeAll(async () => {
  world = await startWorld();
  tenant = await world.newTenant();
});
afterAll(() => world.stop());

interface Done {
  action: string;
  orgId?: string;
}
type Step = (headers: Record<string, string>) => Promise<Done>;

/** Sends a request as the owner by default, and stores the new id under `remember`. */
async function ask(
  method: string,
  below: string,
  { remember, orgId = tenant.orgId, ...more }: Ask & { remember?: string; orgId?: string },
) {
  const path = below.startsWith("/") ? below : `/api/v2/orgs/${orgId}/${below}`;
  const answered = await world.send(method, path, { as: tenant.owner, ...more });
  if (answered.status >= 300) throw new Error(`${method} ${path}: ${answered.status} ${answered.text}`);
  if (remember !== undefined) ids[remember] = answered.body.id;
  return answered.body;
}

/** Builds a request from a path below the organization; `:name` is replaced with the id stored under that name. */
function step(
  action: string,
  method: string,
  below: string | (() => string),
  more: { body?: unknown; remember?: string; as?: () => string } = {},
): Step {
  return async (headers) => {
    const path = typeof below === "string" ? below : below();
    const { as, ...given } = more;
    const named = path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? "missing");
    await ask(method, named, { ...given, headers, ...(as && { as: as() }) });
    return { action };
  };
}

const state = () =>
  tfstate([
    {
      type: "aws_lambda_function",
      name: "orders",
      attributes: { id: "orders", arn: FUNCTION_ARN, timeout: 30 },
    },
  ]);
const listing = () =>
  ndjson([
    {
      provider_resource_id: FUNCTION_ARN,
      provider_type: "AWS::Lambda::Function",
      properties: { Timeout: 60 },
    },
  ]);
const NOISE = resource(
  "aws_s3_bucket_policy.b",
  change(["update"], { before: { policy: '{"a":1,"b":2}' }, after: { policy: '{"b":2,"a":1}' } }),
);

/** Sends a planner's event and waits until it is processed, so that it can be replayed. */
async function deliver(secret: string): Promise<string> {
  const body = JSON.stringify({
    event: "plan",
    version: 1,
    event_id: crypto.randomUUID(),
    repository: "acme/net",
    project: { name: "net" },
    status: "success",
    plan: { format_version: "1.2" },
  });
  const signature = new Bun.CryptoHasher("sha256", secret).update(body).digest("hex");
  const headers = { "x-planner-signature": `sha256=${signature}` };
  const { delivery_id } = await ask("POST", `/webhooks/planner/${tenant.orgId}`, { body, headers });
  for (;;) {
    const { data } = await ask("GET", `webhooks/${ids["config"]}/deliveries?outcome=pending`, {});
    if (data.length === 0) return delivery_id;
    await Bun.sleep(20);
  }
}

/** Every operation that changes state, in an order in which its target already exists. */
const STEPS: Readonly<Record<string, Step>> = {
  createOrganization: async (headers) => {
    const { id } = await ask("POST", "/api/v2/orgs", { body: { name: "Another" }, headers });
    return { action: "organization.create", orgId: id };
  },
  operatorCreateOrganization: async (headers) => {
    const made = { as: OPERATOR_TOKEN, body: { name: "Theirs" }, headers };
    const { org } = await ask("POST", "/operator/orgs", made);
    ids["theirs"] = org.id;
    return { action: "organization.create", orgId: org.id };
  },
  operatorCreateApiKey: async (headers) => {
    const key = { as: OPERATOR_TOKEN, body: { name: "pipelines", role: "member" }, headers };
    await ask("POST", `/operator/orgs/${tenant.orgId}/api-keys`, key);
    return { action: "api_key.create" };
  },
  operatorSetPlan: async (headers) => {
    const plan = { as: OPERATOR_TOKEN, body: { plan: "enterprise" }, headers };
    await ask("PUT", `/operator/orgs/${tenant.orgId}/plan`, plan);
    return { action: "organization.set_plan" };
  },
  updateOrganization: step("organization.update", "PATCH", `/api/v2/orgs/:org`, { body: { name: "Shop 2" } }),
  inviteMember: step("member.create", "POST", "members", {
    body: { email: "guest@example.com", role: "viewer" },
    remember: "member",
  }),
  updateMember: step("member.update", "PATCH", "members/:member", { body: { role: "member" } }),
  deleteMember: step("member.delete", "DELETE", "members/:member"),
  leaveOrganization: async (headers) => {
    const email = `${crypto.randomUUID()}@example.com`;
    await ask("POST", "members", { body: { email, role: "viewer" } });
    const guest = await world.newPerson(email);
    await ask("DELETE", "members/me", { as: guest, headers });
    return { action: "member.delete" };
  },
  createApiKey: step("api_key.create", "POST", "api-keys", {
    body: { name: "ci", role: "member" },
    remember: "key",
  }),
  rotateApiKey: step("api_key.rotate", "POST", "api-keys/:key/rotate", { body: {} }),
  deleteApiKey: step("api_key.delete", "DELETE", "api-keys/:key"),
  createCiIdentity: step("ci_identity.create", "POST", "ci-identities", {
    body: { issuer: "https://gitlab.com", claims: { project_path: "acme/net" }, role: "member" },
    remember: "identity",
  }),
  deleteCiIdentity: step("ci_identity.delete", "DELETE", "ci-identities/:identity"),
  createCloudAccount: step("cloud_account.create", "POST", "cloud-accounts", {
    body: { provider: "aws", external_id: ACCOUNT, credentials: AWS_KEY },
    remember: "account",
  }),
  updateCloudAccount: step("cloud_account.update", "PATCH", "cloud-accounts/:account", {
    body: { name: "main" },
  }),
  verifyCloudAccount: step("cloud_account.verify", "POST", "cloud-accounts/:account/verify"),
  createIacSource: async (headers) => {
    const body = { name: "net", cloud_account_id: ids["account"] };
    await ask("POST", "iac-sources", { body, headers, remember: "source" });
    return { action: "iac_source.create" };
  },
  updateIacSource: step("iac_source.update", "PATCH", "iac-sources/:source", { body: { name: "network" } }),
  pushState: async (headers) => {
    await ask("PUT", `iac-sources/${ids["source"]}/state`, { body: state(), headers });
    return { action: "iac_source.push" };
  },
  pushListing: async (headers) => {
    const { id } = await ask("PUT", `cloud-accounts/${ids["account"]}/listing`, { body: listing(), headers });
    while ((await ask("GET", `scans/${id}`, {})).finished_at === undefined) await Bun.sleep(20);
    return { action: "cloud_account.push" };
  },
  createScan: async (headers) => {
    const body = { account_id: ids["account"] };
    await ask("POST", "scans", { body, headers, remember: "scan" });
    return { action: "scan.create" };
  },
  cancelScan: step("scan.cancel", "POST", "scans/:scan/cancel"),
  createScanSchedule: async (headers) => {
    const body = { account_id: ids["account"], cron: "@daily" };
    await ask("POST", "scan-schedules", { body, headers, remember: "schedule" });
    return { action: "scan_schedule.create" };
  },
  updateScanSchedule: step("scan_schedule.update", "PATCH", "scan-schedules/:schedule", {
    body: { cron: "@weekly" },
  }),
  deleteScanSchedule: step("scan_schedule.delete", "DELETE", "scan-schedules/:schedule"),
  updateExclusionRule: step("exclusion_rule.update", "PATCH", "exclusion-rules/aws.service_linked_role", {
    body: { enabled: false },
  }),
  createRule: step("rule.create", "POST", "rules", {
    body: { name: "a", on: ["missing"], when: "false", then: { ignore: true }, reason: "" },
    remember: "rule",
  }),
  updateRule: step("rule.update", "PATCH", "rules/:rule", { body: { owner: "ops" } }),
  deleteRule: step("rule.delete", "DELETE", "rules/:rule"),
  createView: step("view.create", "POST", "views", {
    body: { name: "Missing", page: "drift", filter: { kind: "missing" } },
    remember: "view",
  }),
  updateView: step("view.update", "PATCH", "views/:view", { body: { name: "Gone" } }),
  deleteView: step("view.delete", "DELETE", "views/:view"),
  decideDriftChange: async (headers) => {
    const { data } = await ask("GET", "drift-changes", {});
    ids["change"] = data[0].fingerprint;
    const body = { status: "acknowledged" };
    await ask("PATCH", `drift-changes/${ids["change"]}`, { body, headers });
    return { action: "drift_change.decide" };
  },
  decideDriftChanges: step("drift_change.decide_many", "POST", "drift-changes/decisions", {
    body: { filter: {}, status: "acknowledged" },
    remember: "decision",
  }),
  undoDriftDecision: step("drift_change.undo", "POST", "drift-changes/decisions/:decision/undo"),
  analyzePlan: async (headers) => {
    const body = { plan: plan(NOISE), narrative: false, repository: "acme/net" };
    await ask("POST", "analyze", { as: tenant.key, body, headers });
    return { action: "plan.submit" };
  },
  changePlanNoise: async (headers) => {
    const { job_id } = await ask("POST", "analyze", {
      as: tenant.key,
      body: { plan: plan(NOISE), narrative: false, repository: "acme/net" },
    });
    const { result } = await ask("GET", `llm-jobs/${job_id}?wait=20`, {});
    const path = `plan-noise/${result.noise[0].fingerprint}`;
    await ask("PATCH", path, { body: { status: "muted" }, headers });
    return { action: "plan_noise.update" };
  },
  updateSettings: step("settings.update", "PATCH", "settings", { body: { comment_decisions: "none" } }),
  putLlmConfig: step("llm_config.create", "PUT", "llm-config?validate=false", {
    body: { provider: "openai", api_key: "a-model-key-of-ours", model: "gpt" },
  }),
  deleteLlmConfig: step("llm_config.delete", "DELETE", "llm-config"),
  createWebhookConfig: async (headers) => {
    const body = { source: "planner", name: "planner" };
    const { raw_secret } = await ask("POST", "webhooks", { body, headers, remember: "config" });
    ids["delivery"] = await deliver(raw_secret);
    return { action: "webhook_config.create" };
  },
  replayWebhookDelivery: step(
    "webhook_delivery.replay",
    "POST",
    "webhooks/:config/deliveries/:delivery/replay",
  ),
  updateWebhookConfig: step("webhook_config.update", "PATCH", "webhooks/:config", {
    body: { enabled: false },
  }),
  rotateWebhookSecret: step("webhook_config.rotate", "POST", "webhooks/:config/rotate-secret", { body: {} }),
  deleteWebhookConfig: step("webhook_config.delete", "DELETE", "webhooks/:config"),
  createNotificationChannel: step("notification_channel.create", "POST", "notification-channels", {
    body: { kind: "slack", name: "ops", events: ["scan.failed"], target: { url: `http://${DEAD_END}/a` } },
    remember: "channel",
  }),
  updateNotificationChannel: step("notification_channel.update", "PATCH", "notification-channels/:channel", {
    body: { name: "ops 2" },
  }),
  testNotificationChannel: async (headers) => {
    const one = `notification-channels/${ids["channel"]}`;
    ids["message"] = (await ask("POST", `${one}/test`, { headers })).delivery_id;
    for (;;) {
      const { data } = await ask("GET", `${one}/deliveries?status=pending`, {});
      if (data.length === 0) return { action: "notification_channel.test" };
      await Bun.sleep(20);
    }
  },
  redeliverNotification: step(
    "notification_delivery.redeliver",
    "POST",
    "notification-channels/:channel/deliveries/:message/redeliver",
  ),
  deleteNotificationChannel: step("notification_channel.delete", "DELETE", "notification-channels/:channel"),
  deleteIacSource: step("iac_source.delete", "DELETE", "iac-sources/:source"),
  deleteCloudAccount: step("cloud_account.delete", "DELETE", "cloud-accounts/:account"),
};

function actorTypeOf(operation: string): string {
  if (operation.startsWith("operator")) return "operator";
  return operation === "analyzePlan" ? "api_key" : "person";
}

/** Returns the audit entries that one request wrote for an organization. */
async function entriesOf(orgId: string, requestId: string): Promise<{ action: string; actor: object }[]> {
  const rows = await world.db.admin<{ action: string; actor: object }[]>`
    select action, actor from identity.audit_log where org_id = ${orgId} and request_id = ${requestId}
  `;
  return [...rows];
}

/** Waits for the entry of an action, and returns all entries of its request. */
async function written(
  { orgId, requestId }: { orgId: string; requestId: string },
  action: string,
): Promise<{ action: string; actor: object }[]> {
  const deadline = Date.now() + 5_000;
  for (;;) {
    const found = await entriesOf(orgId, requestId);
    if (found.some((entry) => entry.action === action) || Date.now() > deadline) return found;
    await Bun.sleep(20);
  }
}

describe("every change through the API is in the audit log:", () => {
  test("every operation is tried here or has a reason for no entry", () => {
    const changing = ENDPOINTS.filter(({ method }) => method !== "GET").map(({ operationId }) => operationId);
    const known = [...Object.keys(STEPS), ...Object.keys(UNAUDITED), "deleteOrganization"];
    expect(known.toSorted()).toEqual(changing.toSorted());
  });

  test.each(Object.keys(STEPS).map((name) => [name]))("%s", async (name) => {
    ids["org"] = tenant.orgId;
    const requestId = crypto.randomUUID();
    const { action, orgId = tenant.orgId } = (await STEPS[name]?.({ "x-request-id": requestId })) ?? {
      action: "nothing",
    };
    const entries = await written({ orgId, requestId }, action);
    // The analyzer may already have submitted a replayed delivery's plan, for the same request.
    const own = entries.filter((entry) => entry.action === action || entry.action !== "plan.submit");
    expect(own.map((entry) => entry.action)).toEqual([action]);
    expect(own[0]?.actor).toMatchObject({ type: actorTypeOf(name) });
  });

  test("and the chain of all entries holds", async () => {
    const { holds, entries } = await ask("GET", "audit-log/verify", {});
    expect(holds).toBe(true);
    expect(entries).toBeGreaterThan(Object.keys(STEPS).length - 3);
  });
});
