import type { Endpoint } from "../../services/gateway/src/http/endpoint.ts";
import { placeholders } from "../../services/gateway/src/http/parameters.ts";
import type { Answered } from "../../services/gateway/test/support/gateway.ts";
import { ACCOUNTS, RULE, SHARED_ARN, type Tenant } from "./tenant.ts";

/** A request of one organization that reaches for another's data. */
export interface Probe {
  path: string;
  /** The same path with ids that exist nowhere, where the answer shall be no other. */
  nowhere?: string;
  body: unknown;
  headers?: Record<string, string>;
  /** Whether it is answered as it should be. */
  right(answered: Answered): boolean;
}

const OUTCOMES = {
  /** It isn't there, for all that the caller can tell. */
  absent: ({ status }: Answered) => status === 404,
  /** A list of nothing. */
  empty: ({ status, body }: Answered) => status === 200 && body.data.length === 0,
  /** Who it is can't be told. */
  unauthorized: ({ status }: Answered) => status === 401,
  /** The caller is told that it is wrong. */
  refused: ({ status }: Answered) => status === 400,
  /** It has to do with the caller's own organization only. */
  own: ({ status }: Answered) => status < 300 || status === 409,
};

interface Reach {
  is: keyof typeof OUTCOMES;
  /** Steps of the path in place of their names. */
  steps?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
}

type Reaches = (theirs: Tenant, mine: Tenant) => Reach[];

const own: Reaches = () => [{ is: "own" }];
/** There is nothing in the request that could name another's, but the organization in the path. */
const organizationOnly: Reaches = () => [];

/** One thing, by its id. */
function one(step: string, name: keyof Tenant["ids"], more: Omit<Reach, "is" | "steps"> = {}): Reaches {
  return ({ ids }) => [{ is: "absent", steps: { [step]: ids[name] }, ...more }];
}

/** A collection, which is also asked to go on where another's goes on, and narrowed to what is another's. */
function list(collection: string, filters: Record<string, keyof Tenant["ids"]> = {}): Reaches {
  return ({ cursors, ids }) => [
    { is: "own", query: { limit: "500" } },
    { is: "refused", query: { limit: "1", cursor: cursors[collection] ?? "" } },
    ...Object.entries(filters).map(([filter, name]): Reach => ({
      is: "empty",
      query: { [filter]: ids[name] },
    })),
  ];
}

/** How each operation is asked for what is another organization's, by its id. */
export const PROBES: Record<string, Reaches> = {
  listOrganizations: own,
  createOrganization: own,
  getOrganization: own,
  updateOrganization: own,
  deleteOrganization: organizationOnly,

  listMembers: list("members"),
  inviteMember: own,
  getMember: one("member_id", "member"),
  updateMember: one("member_id", "member", { body: { role: "viewer" } }),
  deleteMember: one("member_id", "member"),
  leaveOrganization: organizationOnly,

  listApiKeys: list("api-keys"),
  createApiKey: own,
  getApiKey: one("key_id", "key"),
  rotateApiKey: one("key_id", "key", { body: {} }),
  deleteApiKey: one("key_id", "key"),
  listAuditLog: list("audit-log"),

  listCloudAccounts: list("cloud-accounts"),
  createCloudAccount: ({ idempotencyKey }) => [
    {
      is: "own",
      body: { provider: "aws", external_id: ACCOUNTS[0] },
      headers: { "idempotency-key": idempotencyKey },
    },
  ],
  getCloudAccount: one("account_id", "account"),
  updateCloudAccount: one("account_id", "account"),
  deleteCloudAccount: one("account_id", "account"),
  getCloudAccountPolicy: one("account_id", "account"),
  verifyCloudAccount: one("account_id", "account"),
  pushListing: one("account_id", "account", { query: { allow_empty: "true" }, body: "[]" }),

  listIacSources: list("iac-sources", { account_id: "account" }),
  createIacSource: ({ ids }) => [{ is: "refused", body: { name: "a", cloud_account_id: ids.account } }],
  getIacSource: one("source_id", "source"),
  updateIacSource: ({ ids }, mine) => [
    { is: "absent", steps: { source_id: ids.source }, body: { name: "b" } },
    { is: "refused", steps: { source_id: mine.ids.source }, body: { cloud_account_id: ids.account } },
  ],
  deleteIacSource: one("source_id", "source"),
  pushState: one("source_id", "source", { body: "{}" }),
  readState: one("source_id", "source"),
  listIacResources: list("iac-resources", { account_id: "account", source_id: "source" }),
  getIacResource: one("resource_id", "declared"),

  listScans: list("scans", { account_id: "account" }),
  createScan: ({ ids }) => [{ is: "absent", body: { account_id: ids.account } }],
  getScan: one("scan_id", "scan"),
  followScan: one("scan_id", "scan"),
  cancelScan: one("scan_id", "scan"),

  listScanSchedules: list("scan-schedules", { account_id: "account" }),
  createScanSchedule: ({ ids }) => [{ is: "absent", body: { account_id: ids.account, cron: "@daily" } }],
  getScanSchedule: one("schedule_id", "schedule"),
  updateScanSchedule: one("schedule_id", "schedule"),
  deleteScanSchedule: one("schedule_id", "schedule"),

  listResources: (theirs, mine) => [
    ...list("resources", { account_id: "account" })(theirs, mine),
    { is: "empty", query: { q: theirs.canary, include: "total_count" } },
    { is: "own", query: { include: "total_count", match: "undeclared" } },
  ],
  getResource: (theirs) => [
    { is: "absent", steps: { resource_id: theirs.ids.resource } },
    { is: "absent", steps: { resource_id: encodeURIComponent(theirs.providerId) } },
    { is: "own", steps: { resource_id: encodeURIComponent(SHARED_ARN) } },
  ],
  enrichResource: (theirs) => [
    { is: "absent", steps: { resource_id: theirs.ids.resource } },
    { is: "absent", steps: { resource_id: encodeURIComponent(theirs.providerId) } },
  ],

  getPosture: own,
  listDriftSnapshots: list("drift-snapshots", { account_id: "account" }),
  getDriftSnapshot: one("snapshot_id", "snapshot"),
  getPostureTrend: ({ ids }) => [{ is: "own" }, { is: "empty", query: { account_id: ids.account } }],
  listDriftChanges: list("drift-changes", { account_id: "account" }),
  listSnapshotChanges: one("snapshot_id", "snapshot"),
  diffDriftSnapshots: ({ ids }, mine) => [
    { is: "absent", steps: { snapshot_id: ids.snapshot } },
    { is: "absent", steps: { snapshot_id: mine.ids.snapshot }, query: { base: ids.snapshot } },
  ],
  decideDriftChange: one("fingerprint", "change", { body: { status: "ignored" } }),
  listExclusionRules: own,
  updateExclusionRule: () => [{ is: "own", steps: { rule_id: RULE } }],

  analyzePlan: own,
  listLlmJobs: list("llm-jobs"),
  getLlmJob: one("job_id", "job"),
  narrateDriftSnapshot: one("snapshot_id", "snapshot"),
  listPlanNoise: list("plan-noise"),
  getPlanNoise: one("fingerprint", "noise"),
  changePlanNoise: one("fingerprint", "noise", { body: { status: "muted" } }),
  fixPlanNoise: ({ id, ids }) => {
    const steps = { fingerprint: ids.noise };
    return [
      { is: "absent", steps, body: { org_id: id } },
      { is: "absent", steps, body: {}, headers: { "x-org-id": id } },
    ];
  },
  getSettings: own,
  updateSettings: own,

  putLlmConfig: ({ canary }) => [
    { is: "own", query: { validate: "false" }, body: { provider: "openai", api_key: canary } },
  ],
  getLlmConfig: own,
  deleteLlmConfig: organizationOnly,
  getLlmUsage: own,
  getLlmUsageHistory: own,

  listWebhookConfigs: list("webhooks"),
  createWebhookConfig: own,
  getWebhookConfig: one("config_id", "config"),
  updateWebhookConfig: one("config_id", "config"),
  deleteWebhookConfig: one("config_id", "config"),
  rotateWebhookSecret: one("config_id", "config"),
  listWebhookDeliveries: ({ ids, cursors }, mine) => [
    { is: "absent", steps: { config_id: ids.config } },
    { is: "own", steps: { config_id: mine.ids.config }, query: { limit: "500" } },
    {
      is: "refused",
      steps: { config_id: mine.ids.config },
      query: { limit: "1", cursor: cursors["deliveries"] ?? "" },
    },
  ],
  replayWebhookDelivery: ({ ids }, mine) => [
    { is: "absent", steps: { config_id: ids.config, delivery_id: ids.delivery } },
    { is: "absent", steps: { config_id: mine.ids.config, delivery_id: ids.delivery } },
  ],
  listNotificationChannels: list("notification-channels"),
  createNotificationChannel: () => [
    {
      is: "refused",
      body: { kind: "slack", name: "a", events: ["scan.failed"], target: { url: "http://10.0.0.1" } },
    },
  ],
  getNotificationChannel: one("channel_id", "channel"),
  updateNotificationChannel: one("channel_id", "channel"),
  deleteNotificationChannel: one("channel_id", "channel"),
  testNotificationChannel: one("channel_id", "channel"),
  listNotificationDeliveries: ({ ids, cursors }, mine) => [
    { is: "absent", steps: { channel_id: ids.channel } },
    { is: "own", steps: { channel_id: mine.ids.channel }, query: { limit: "500" } },
    {
      is: "refused",
      steps: { channel_id: mine.ids.channel },
      query: { limit: "1", cursor: cursors["notification-deliveries"] ?? "" },
    },
  ],
  redeliverNotification: ({ ids }, mine) => [
    { is: "absent", steps: { channel_id: ids.channel, delivery_id: ids.message } },
    { is: "absent", steps: { channel_id: mine.ids.channel, delivery_id: ids.message } },
  ],
  receiveWebhook: ({ id }) => [
    { is: "unauthorized", steps: { source: "planner", org_id: id }, headers: { "x-vcs-token": "guess" } },
  ],

  operatorCreateOrganization: () => [{ is: "absent" }],
  operatorGetOrganization: ({ id }) => [{ is: "absent", steps: { id } }],
  operatorSetPlan: ({ id }) => [{ is: "absent", steps: { id } }],

  getIssuer: own,
  getIssuerKeys: own,
  getHealth: own,
  getReadiness: own,
  getMetrics: own,
  getOpenApi: own,
  getReference: own,
  getSession: own,
  signOut: own,
  // Without an identity provider for the dashboard there is no signing in.
  beginSignIn: () => [{ is: "absent" }],
  finishSignIn: () => [{ is: "absent" }],
  getReferenceFile: () => [{ is: "own", steps: { file: "start.js" } }],
};

/** What of another organization an operation is asked for: in that organization's name, and in one's own. */
export function probesOf(endpoint: Endpoint, mine: Tenant, theirs: Tenant): Probe[] {
  const reaches = PROBES[endpoint.operationId]?.(theirs, mine) ?? [];
  const inOwn = reaches.map((reach) => probeOf(endpoint, mine.id, reach));
  if (!endpoint.path.startsWith("/api/v2/orgs/:id")) return inOwn;
  const steps = { id: theirs.id, ...reaches[0]?.steps };
  return [probeOf(endpoint, theirs.id, { is: "absent", steps }), ...inOwn];
}

function probeOf(endpoint: Endpoint, orgId: string, { is, steps = {}, query, body, headers }: Reach): Probe {
  const search = query ? `?${new URLSearchParams(query).toString()}` : "";
  const pathTo = (step: (name: string) => string | undefined): string =>
    placeholders(endpoint.path).reduce(
      (path, [name]) => path.replace(`:${name}`, step(name) ?? (name === "id" ? orgId : "not-given")),
      endpoint.path,
    ) + search;
  return {
    path: pathTo((name) => steps[name]),
    ...(is === "absent" &&
      Object.keys(steps).length > 0 && {
        nowhere: pathTo((name) => (name in steps ? nothingAt(name, endpoint.path) : undefined)),
      }),
    body: body ?? endpoint.bodyExample ?? (endpoint.upload && "[]"),
    ...(headers && { headers }),
    right: OUTCOMES[is],
  };
}

/** What a step of a path could name, and doesn't. */
function nothingAt(step: string, path: string): string {
  if (step !== "fingerprint") return crypto.randomUUID();
  return path.includes("/drift-changes/") ? `dc1_${"2".repeat(32)}` : `pn1_${"2".repeat(26)}`;
}
