import { expect } from "bun:test";

import { FINGERPRINT } from "../../src/examples/analyzer.ts";
import { CHANNEL, CHANNEL_DELIVERY, NEW_CHANNEL } from "../../src/examples/channels.ts";
import { ID } from "../../src/examples/common.ts";
import { NEW_SCAN_SCHEDULE, SCAN_SCHEDULE } from "../../src/examples/schedules.ts";

/** An operation that another service answers, with its HTTP request and the resulting bus request. */
export interface Relayed {
  ask: [method: string, path: string, body?: unknown];
  status: number;
  subject: string;
  /** Input of the bus request, without the organization. */
  input: object;
  /** Whether reading it requires the admin role. */
  secretive?: true;
}

const listed = (path: string, subject: string, input: object): Relayed => ({
  ask: ["GET", path],
  status: 200,
  subject,
  input: { limit: 100, ...input },
});
const got = (path: string, subject: string, input: object): Relayed => ({
  ask: ["GET", path],
  status: 200,
  subject,
  input,
});

const account = { account_id: ID.account };
const source = { source_id: ID.source };
const NEW_ACCOUNT = { provider: "aws", external_id: "1" };

const accounts: Relayed[] = [
  listed("/cloud-accounts?provider=aws", "inventory.accounts.list", { provider: "aws" }),
  {
    ask: ["POST", "/cloud-accounts", NEW_ACCOUNT],
    status: 201,
    subject: "inventory.accounts.create",
    input: { ...NEW_ACCOUNT, account_id: expect.any(String) },
  },
  got(`/cloud-accounts/${ID.account}`, "inventory.accounts.get", account),
  {
    ask: ["PATCH", `/cloud-accounts/${ID.account}`, { name: "n" }],
    status: 200,
    subject: "inventory.accounts.update",
    input: { ...account, name: "n" },
  },
  {
    ask: ["DELETE", `/cloud-accounts/${ID.account}`],
    status: 204,
    subject: "inventory.accounts.delete",
    input: account,
  },
  got(`/cloud-accounts/${ID.account}/policy`, "inventory.access_policies.get", account),
  {
    ask: ["POST", `/cloud-accounts/${ID.account}/verify`],
    status: 200,
    subject: "inventory.accounts.verify",
    input: account,
  },
];

const sources: Relayed[] = [
  listed(`/iac-sources?account_id=${ID.account}`, "inventory.sources.list", account),
  {
    ask: ["POST", "/iac-sources", { name: "n" }],
    status: 201,
    subject: "inventory.sources.create",
    input: { name: "n", source_id: expect.any(String) },
  },
  got(`/iac-sources/${ID.source}`, "inventory.sources.get", source),
  {
    ask: ["PATCH", `/iac-sources/${ID.source}`, { cloud_account_id: null }],
    status: 200,
    subject: "inventory.sources.update",
    input: { ...source, cloud_account_id: null },
  },
  {
    ask: ["DELETE", `/iac-sources/${ID.source}`],
    status: 204,
    subject: "inventory.sources.delete",
    input: source,
  },
  {
    ask: ["POST", `/iac-sources/${ID.source}/read`],
    status: 200,
    subject: "inventory.states.read",
    input: source,
  },
  listed("/iac-resources?match=missing&type=t", "inventory.iac_resources.list", {
    match: "missing",
    type: "t",
  }),
  got(`/iac-resources/${ID.declared}`, "inventory.iac_resources.get", { resource_id: ID.declared }),
];

const scans: Relayed[] = [
  listed("/scans?status=failed&trigger=push", "inventory.scans.list", { status: "failed", trigger: "push" }),
  {
    ask: ["POST", "/scans", account],
    status: 202,
    subject: "inventory.scans.create",
    input: { ...account, scan_id: expect.any(String) },
  },
  got(`/scans/${ID.scan}`, "inventory.scans.get", { scan_id: ID.scan }),
  {
    ask: ["POST", `/scans/${ID.scan}/cancel`],
    status: 202,
    subject: "inventory.scans.cancel",
    input: { scan_id: ID.scan },
  },
];

const schedule = { schedule_id: SCAN_SCHEDULE.id };
const scanSchedule = `/scan-schedules/${SCAN_SCHEDULE.id}`;
const schedules: Relayed[] = [
  listed(`/scan-schedules?account_id=${ID.account}`, "inventory.schedules.list", account),
  {
    ask: ["POST", "/scan-schedules", NEW_SCAN_SCHEDULE],
    status: 201,
    subject: "inventory.schedules.create",
    input: { ...NEW_SCAN_SCHEDULE, schedule_id: expect.any(String) },
  },
  got(scanSchedule, "inventory.schedules.get", schedule),
  {
    ask: ["PATCH", scanSchedule, { window: null }],
    status: 200,
    subject: "inventory.schedules.update",
    input: { ...schedule, window: null },
  },
  { ask: ["DELETE", scanSchedule], status: 204, subject: "inventory.schedules.delete", input: schedule },
];

const resources: Relayed[] = [
  listed("/resources?q=queue&match=undeclared", "inventory.resources.list", {
    q: "queue",
    match: "undeclared",
  }),
  listed("/resources?include=total_count", "inventory.resources.list", { total: true }),
  got(`/resources/${ID.resource}`, "inventory.resources.get", { resource_id: ID.resource }),
  got("/resources/arn%3Aaws%3As3%3A%3A%3Aa%2Fb%20c", "inventory.resources.get", {
    resource_id: "arn:aws:s3:::a/b c",
  }),
  {
    ask: ["POST", "/resources/arn%3Aaws%3As3%3A%3A%3Aa%2Fb%20c/enrich"],
    status: 200,
    subject: "inventory.resources.enrich",
    input: { resource_id: "arn:aws:s3:::a/b c" },
  },
];

const drift: Relayed[] = [
  got("/posture", "inventory.posture.get", {}),
  listed("/drift-snapshots?status=error", "inventory.drift_snapshots.list", { status: "error" }),
  got(`/drift-snapshots/${ID.snapshot}`, "inventory.drift_snapshots.get", { snapshot_id: ID.snapshot }),
  got("/posture/trend?days=7", "inventory.posture.trend", { days: 7 }),
  listed(`/drift-changes?account_id=${ID.account}&kind=missing`, "inventory.drift_changes.list", {
    ...account,
    kind: "missing",
    noise: "exclude",
    hidden: "exclude",
  }),
  listed(`/drift-snapshots/${ID.snapshot}/changes?noise=only`, "inventory.snapshot_changes.list", {
    snapshot_id: ID.snapshot,
    noise: "only",
    hidden: "exclude",
  }),
  got(`/drift-snapshots/${ID.snapshot}/diff?base=${ID.scan}`, "inventory.drift_snapshots.diff", {
    snapshot_id: ID.snapshot,
    base: ID.scan,
  }),
  got("/exclusion-rules", "inventory.exclusion_rules.list", {}),
  {
    ask: ["PATCH", "/exclusion-rules/aws-default-vpc", { enabled: false }],
    status: 200,
    subject: "inventory.exclusion_rules.switch",
    input: { rule_id: "aws-default-vpc", enabled: false },
  },
];

const config = { config_id: ID.config };
const webhook = `/webhooks/${ID.config}`;
const NEW_CONFIG = { source: "planner", name: "n" };

const webhooks: Relayed[] = [
  listed("/webhooks?source=vcs", "webhooks.configs.list", { source: "vcs" }),
  {
    ask: ["POST", "/webhooks", NEW_CONFIG],
    status: 201,
    subject: "webhooks.configs.create",
    input: { ...NEW_CONFIG, config_id: expect.any(String) },
  },
  got(webhook, "webhooks.configs.get", config),
  {
    ask: ["PATCH", webhook, { enabled: false }],
    status: 200,
    subject: "webhooks.configs.update",
    input: { ...config, enabled: false },
  },
  { ask: ["DELETE", webhook], status: 204, subject: "webhooks.configs.delete", input: config },
  {
    ask: ["POST", `${webhook}/rotate-secret`, { overlap_hours: 1 }],
    status: 200,
    subject: "webhooks.secrets.rotate",
    input: { ...config, overlap_hours: 1, rotation_id: expect.any(String) },
  },
  {
    ...listed(`${webhook}/deliveries?outcome=failed`, "webhooks.deliveries.list", {
      ...config,
      outcome: "failed",
    }),
    secretive: true,
  },
  {
    ask: ["POST", `${webhook}/deliveries/${ID.delivery}/replay`],
    status: 202,
    subject: "webhooks.deliveries.replay",
    input: { ...config, delivery_id: ID.delivery },
  },
];

const channel = { channel_id: CHANNEL.id };
const channelPath = `/notification-channels/${CHANNEL.id}`;

const channels: Relayed[] = [
  { ...listed("/notification-channels", "webhooks.channels.list", {}), secretive: true },
  {
    ask: ["POST", "/notification-channels", NEW_CHANNEL],
    status: 201,
    subject: "webhooks.channels.create",
    input: { ...NEW_CHANNEL, channel_id: expect.any(String) },
  },
  { ...got(channelPath, "webhooks.channels.get", channel), secretive: true },
  {
    ask: ["PATCH", channelPath, { enabled: false }],
    status: 200,
    subject: "webhooks.channels.update",
    input: { ...channel, enabled: false },
  },
  { ask: ["DELETE", channelPath], status: 204, subject: "webhooks.channels.delete", input: channel },
  { ask: ["POST", `${channelPath}/test`], status: 202, subject: "webhooks.channels.test", input: channel },
  {
    ask: ["POST", `${channelPath}/confirmations`, { address: "ada@example.com" }],
    status: 202,
    subject: "webhooks.recipients.ask",
    input: { ...channel, address: "ada@example.com" },
  },
  {
    ...listed(`${channelPath}/deliveries?status=failed`, "webhooks.messages.list", {
      ...channel,
      status: "failed",
    }),
    secretive: true,
  },
  {
    ask: ["POST", `${channelPath}/deliveries/${CHANNEL_DELIVERY.id}/redeliver`],
    status: 202,
    subject: "webhooks.messages.redeliver",
    input: { ...channel, delivery_id: CHANNEL_DELIVERY.id },
  },
];

const llmUsage: Relayed[] = [
  got("/llm-usage", "quota.usage.get", {}),
  got("/llm-usage/history", "quota.usage.history", { days: 30 }),
  got("/llm-usage/history?days=7", "quota.usage.history", { days: 7 }),
];

const NEW_KEY = { provider: "anthropic", api_key: "sk-1", options: {} };

const llmConfig: Relayed[] = [
  got("/llm-config", "quota.llm_configs.get", {}),
  {
    ask: ["PUT", "/llm-config?validate=false", NEW_KEY],
    status: 200,
    subject: "quota.llm_configs.put",
    input: { ...NEW_KEY, validate: false },
  },
  { ask: ["DELETE", "/llm-config"], status: 204, subject: "quota.llm_configs.delete", input: {} },
];

const analyses: Relayed[] = [
  listed("/llm-jobs?kind=analyze&status=done", "analyzer.jobs.list", { kind: "analyze", status: "done" }),
  got(`/llm-jobs/${ID.job}`, "analyzer.jobs.get", { job_id: ID.job, wait: 0 }),
  // The gateway splits longer waits.
  got(`/llm-jobs/${ID.job}?wait=25`, "analyzer.jobs.get", { job_id: ID.job, wait: 4 }),
  listed("/plan-noise?class=set_order&status=muted", "analyzer.noise.list", {
    class: "set_order",
    status: "muted",
  }),
  got(`/plan-noise/${FINGERPRINT}`, "analyzer.noise.get", { fingerprint: FINGERPRINT }),
  {
    ask: ["PATCH", `/plan-noise/${FINGERPRINT}`, { status: "muted", reason: "known" }],
    status: 200,
    subject: "analyzer.noise.change",
    input: { fingerprint: FINGERPRINT, status: "muted", reason: "known" },
  },
  got("/settings", "analyzer.settings.get", {}),
  {
    ask: ["PATCH", "/settings", { risk_profile: "lenient", drift_narratives: false }],
    status: 200,
    subject: "analyzer.settings.update",
    input: { risk_profile: "lenient", drift_narratives: false },
  },
];

export const RELAYED: readonly Relayed[] = [
  ...accounts,
  ...sources,
  ...scans,
  ...schedules,
  ...resources,
  ...drift,
  ...analyses,
  ...llmUsage,
  ...webhooks,
  ...channels,
  ...llmConfig,
];
