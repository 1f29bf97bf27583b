import type { Endpoint } from "../../services/gateway/src/http/endpoint.ts";
import { placeholders } from "../../services/gateway/src/http/parameters.ts";
import type { Answered } from "../../services/gateway/test/support/gateway.ts";
import { ACCOUNTS, RULE, SHARED_ARN, type Tenant } from "./tenant.ts";

/** A request of one organization for another's data. */
export interface Probe {
  path: string;
  /** The same path with ids that don't exist. The answer must be the same. */
  nowhere?: string;
  body: unknown;
  headers?: Record<string, string>;
  /** Reports whether the answer is correct. */
  right(answered: Answered): boolean;
}

const OUTCOMES = {
  /** A 404, as for data that doesn't exist. */
  absent: ({ status }: Answered) => status === 404,
  /** An empty list. */
  empty: ({ status, body }: Answered) => status === 200 && body.data.length === 0,
  /** A 403, because the caller may not do it anywhere. */
  forbidden: ({ status }: Answered) => status === 403,
  /** A 401, because the caller is unknown. */
  unauthorized: ({ status }: Answered) => status === 401,
  /** A 400, because the request is invalid. */
  refused: ({ status }: Answered) => status === 400,
  /** An answer about the caller's own organization only. */
  own: ({ status }: Answered) => status < 300 || status === 409,
  /** A file for everybody, which a checkout may not have built. */
  file: ({ status }: Answered) => status === 200 || status === 404,
};

interface Reach {
  is: keyof typeof OUTCOMES;
  /** Values of path parameters, by name. */
  steps?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
}

type Reaches = (theirs: Tenant, mine: Tenant) => Reach[];

const own: Reaches = () => [{ is: "own" }];
/** Only the path can name another organization in this request. */
const organizationOnly: Reaches = () => [];

/** Requests another organization's object by its id. */
function one(step: string, name: keyof Tenant["ids"], more: Omit<Reach, "is" | "steps"> = {}): Reaches {
  return ({ ids }) => [{ is: "absent", steps: { [step]: ids[name] }, ...more }];
}

/** Requests a collection, also with the other organization's cursor and with filters on its ids. */
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

/** Requests of each operation for another organization's data. */
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
  followOrganization: organizationOnly,

  listApiKeys: list("api-keys"),
  createApiKey: own,
  getApiKey: one("key_id", "key"),
  rotateApiKey: one("key_id", "key", { body: {} }),
  deleteApiKey: one("key_id", "key"),
  listCiIdentities: list("ci-identities"),
  createCiIdentity: own,
  deleteCiIdentity: one("identity_id", "identity"),
  exchangeCiToken: ({ id }) => [{ is: "unauthorized", body: { token: "guess", org_id: id } }],
  getDeviceSignIn: () => [{ is: "absent" }],
  signInDevice: ({ id }) => [{ is: "absent", body: { id_token: "guess", org_id: id, name: "leeway" } }],
  signOutDevice: () => [{ is: "forbidden" }],
  listAuditLog: list("audit-log"),
  verifyAuditLog: own,
  exportAuditLog: own,

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
  listTypes: list("types"),
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
  groupResources: ({ ids }) => [
    { is: "empty", query: { by: "region", account_id: ids.account } },
    { is: "own", query: { by: "type" } },
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
  createAdoption: ({ ids }, mine) => [
    { is: "absent", body: { resource_ids: [ids.resource] } },
    { is: "absent", body: { resource_ids: [mine.ids.resource], source_id: ids.source } },
    { is: "own", body: { filter: { account_id: ids.account } } },
  ],

  getPosture: own,
  listDriftSnapshots: list("drift-snapshots", { account_id: "account" }),
  getDriftSnapshot: one("snapshot_id", "snapshot"),
  getPostureTrend: ({ ids }) => [{ is: "own" }, { is: "empty", query: { account_id: ids.account } }],
  listDriftChanges: list("drift-changes", { account_id: "account" }),
  groupDriftChanges: ({ ids }) => [
    { is: "empty", query: { by: "type", account_id: ids.account } },
    { is: "own", query: { by: "person" } },
  ],
  getDriftMovement: () => [{ is: "own", query: { since: "2026-01-01T00:00:00Z" } }],
  getDriftChange: one("fingerprint", "change"),
  listSnapshotChanges: one("snapshot_id", "snapshot"),
  diffDriftSnapshots: ({ ids }, mine) => [
    { is: "absent", steps: { snapshot_id: ids.snapshot } },
    { is: "absent", steps: { snapshot_id: mine.ids.snapshot }, query: { base: ids.snapshot } },
  ],
  decideDriftChange: one("fingerprint", "change", { body: { status: "ignored" } }),
  decideDriftChanges: ({ ids }) => [
    { is: "absent", body: { fingerprints: [ids.change], status: "ignored" } },
    { is: "absent", body: { filter: { account_id: ids.account }, status: "ignored" } },
  ],
  listDriftDecisions: list("drift-changes/decisions"),
  undoDriftDecision: one("decision_id", "decision"),
  listViews: own,
  createView: own,
  updateView: one("view_id", "view"),
  deleteView: one("view_id", "view"),
  listRules: own,
  createRule: own,
  previewRule: own,
  updateRule: one("rule_id", "rule"),
  deleteRule: one("rule_id", "rule"),
  getSettlement: ({ ids }) => [{ is: "own", steps: { fingerprint: ids.change } }],
  withdrawSettlement: one("fingerprint", "change"),
  findDriftChangeDeclaration: one("fingerprint", "change"),
  listPlansOfDriftChange: one("fingerprint", "change"),
  settleDriftChange: one("fingerprint", "change", { body: { how: "revert" } }),
  settleDriftChanges: ({ ids }) => [
    { is: "own", body: { how: "accept", fingerprints: [ids.change] } },
    { is: "own", body: { how: "adopt", fingerprints: [ids.change], source_id: ids.source } },
  ],
  listExclusionRules: own,
  updateExclusionRule: () => [{ is: "own", steps: { rule_id: RULE } }],

  analyzePlan: own,
  listLlmJobs: list("llm-jobs"),
  getLlmJob: one("job_id", "job"),
  listPlanChanges: one("job_id", "job"),
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
  askNotificationRecipient: one("channel_id", "channel", { body: { address: "ada@example.com" } }),
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
  operatorCreateApiKey: ({ id }) => [{ is: "absent", steps: { id } }],
  operatorSetPlan: ({ id }) => [{ is: "absent", steps: { id } }],

  getIssuer: own,
  getIssuerKeys: own,
  getHealth: own,
  getOpenApi: own,
  callMcp: ({ id }) => [
    { is: "absent", headers: { "X-Org-Id": id }, body: { jsonrpc: "2.0", id: 1, method: "tools/list" } },
  ],
  getCli: () => [{ is: "file" }],
  getCliChecksum: () => [{ is: "file" }],
  getReference: own,
  getSession: own,
  signOut: own,
  // Sign-in doesn't exist without an identity provider.
  beginSignIn: () => [{ is: "absent" }],
  finishSignIn: () => [{ is: "absent" }],
  followSignInLink: () => [{ is: "unauthorized", body: { token: "guess" } }],
  confirmMailPage: own,
  confirmMail: () => [{ is: "absent", query: { token: "guess" } }],
  unsubscribeMailPage: own,
  unsubscribeMail: () => [{ is: "absent", query: { token: "guess" } }],
  getReferenceFile: () => [{ is: "own", steps: { file: "start.js" } }],
};

/**
 * Returns an operation's requests for another organization's data, both under that organization's path and the
 * caller's own.
 */
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

/** Returns a valid id of nothing for a path parameter. */
function nothingAt(step: string, path: string): string {
  if (step !== "fingerprint") return crypto.randomUUID();
  return path.includes("/drift-changes/") ? `dc1_${"2".repeat(32)}` : `pn1_${"2".repeat(26)}`;
}
