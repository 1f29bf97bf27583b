import { answerBody, answerJson, serve, type Endpoint } from "@leeway/shared/bus/answer";
import type { BusConnection } from "@leeway/shared/bus/connection";
import type { RequestContract } from "@leeway/shared/contracts/contract";
import * as jobs from "@leeway/shared/contracts/analyzer/jobs";
import * as noise from "@leeway/shared/contracts/analyzer/noise";
import * as places from "@leeway/shared/contracts/analyzer/places";
import * as settlements from "@leeway/shared/contracts/analyzer/settlements";
import { healthOf } from "@leeway/shared/contracts/common";
import * as accounts from "@leeway/shared/contracts/inventory/accounts";
import * as drift from "@leeway/shared/contracts/inventory/drift";
import * as driftReads from "@leeway/shared/contracts/inventory/drift-reads";
import { ListIdentityKeys } from "@leeway/shared/contracts/inventory/identity-keys";
import * as posture from "@leeway/shared/contracts/inventory/posture";
import { CreateAdoption } from "@leeway/shared/contracts/inventory/adoptions";
import * as resources from "@leeway/shared/contracts/inventory/resources";
import { ListTypes } from "@leeway/shared/contracts/inventory/types";
import * as scans from "@leeway/shared/contracts/inventory/scans";
import * as decisions from "@leeway/shared/contracts/inventory/decisions";
import * as rules from "@leeway/shared/contracts/inventory/rules";
import * as schedules from "@leeway/shared/contracts/inventory/schedules";
import * as sources from "@leeway/shared/contracts/inventory/sources";
import * as views from "@leeway/shared/contracts/inventory/views";
import * as llmConfig from "@leeway/shared/contracts/quota/llm-config";
import * as quota from "@leeway/shared/contracts/quota/plans";
import * as usage from "@leeway/shared/contracts/quota/usage";
import * as channels from "@leeway/shared/contracts/webhooks/channels";
import * as configs from "@leeway/shared/contracts/webhooks/configs";
import * as deliveries from "@leeway/shared/contracts/webhooks/deliveries";
import * as recipients from "@leeway/shared/contracts/webhooks/recipients";
import { isObject, text } from "@leeway/shared/values/json";
import { testLog } from "@leeway/shared/testing/testing";

import {
  JOB_TAKEN,
  LISTED_JOB,
  LLM_JOB,
  PLAN_CHANGE,
  PLAN_NOISE,
  SETTINGS,
} from "../../src/examples/analyzer.ts";
import { CHANNEL, CHANNEL_DELIVERY, CHANNEL_WITH_SECRET, TEST_TAKEN } from "../../src/examples/channels.ts";
import { ADOPTION } from "../../src/examples/adoption.ts";
import {
  ACCESS_POLICY,
  ENRICHED_RESOURCE,
  IDENTITY_KEYS,
  VERIFICATION,
  RESOURCE_TYPE,
} from "../../src/examples/clouds.ts";
import {
  CHANGE_GROUP,
  DRIFT_CHANGE,
  DRIFT_CHANGE_DETAIL,
  DRIFT_MOVEMENT,
  DRIFT_DIFF,
  CHANGING_PLAN,
  DECLARATION,
  REQUESTED_SETTLEMENT,
  SETTLEMENT,
  SETTLEMENTS,
  DRIFT_SNAPSHOT,
  POSTURE_ROW,
  TREND_POINT,
  DRIFT_DECISION,
} from "../../src/examples/drift.ts";
import { RULE, RULE_PREVIEW } from "../../src/examples/rules.ts";
import { VIEW } from "../../src/examples/views.ts";
import * as examples from "../../src/examples/common.ts";
import { SCAN_SCHEDULE } from "../../src/examples/schedules.ts";
import { LLM_CONFIG, LLM_USAGE, LLM_USAGE_DAY } from "../../src/examples/quota.ts";

/** Fake services on the bus. They answer every contract with a sample, or as the test says. */
export interface OtherServices {
  /** Requests received, in order. */
  asked: { subject: string; input: Record<string, unknown>; body?: Buffer }[];
  /** Answers `contract` with `reply` until {@link reset}. */
  on(contract: RequestContract, reply: (input: Record<string, unknown>) => unknown): void;
  reset(): void;
}

const { pageOf } = examples;
const { poll_url: _, ...taken } = JOB_TAKEN;
const ANSWERED_LINK = { org_id: examples.ID.org, channel_ids: [CHANNEL.id] };
/** A job that needed no slot. */
const TAKEN = { accepted: true, ...taken };

const SAMPLES: [RequestContract, unknown][] = [
  [accounts.CreateAccount, examples.CLOUD_ACCOUNT],
  [accounts.ListAccounts, pageOf(examples.CLOUD_ACCOUNT)],
  [accounts.GetAccount, examples.CLOUD_ACCOUNT],
  [accounts.UpdateAccount, examples.CLOUD_ACCOUNT],
  [accounts.DeleteAccount, {}],
  [accounts.VerifyAccount, VERIFICATION],
  [accounts.GetAccessPolicy, ACCESS_POLICY],
  [accounts.PurgeInventory, {}],
  [ListIdentityKeys, IDENTITY_KEYS],
  [posture.GetPosture, pageOf(POSTURE_ROW)],
  [posture.GetTrend, pageOf(TREND_POINT)],
  [drift.ListDriftChanges, pageOf(DRIFT_CHANGE)],
  [driftReads.GroupDriftChanges, pageOf(CHANGE_GROUP)],
  [driftReads.CompareDrift, DRIFT_MOVEMENT],
  [driftReads.GetDriftChange, DRIFT_CHANGE_DETAIL],
  [drift.ListSnapshotChanges, pageOf(DRIFT_CHANGE)],
  [drift.DiffSnapshots, DRIFT_DIFF],
  [drift.DecideDrift, DRIFT_CHANGE],
  [decisions.DecideMany, DRIFT_DECISION],
  [decisions.ListDecisions, pageOf(DRIFT_DECISION)],
  [decisions.UndoDecision, DRIFT_DECISION],
  [views.ListViews, pageOf(VIEW)],
  [views.CreateView, VIEW],
  [views.UpdateView, VIEW],
  [views.DeleteView, {}],
  [rules.ListRules, pageOf(RULE)],
  [rules.CreateRule, RULE],
  [rules.UpdateRule, RULE],
  [rules.DeleteRule, {}],
  [rules.PreviewRule, RULE_PREVIEW],
  [posture.ListSnapshots, pageOf(DRIFT_SNAPSHOT)],
  [posture.GetSnapshot, DRIFT_SNAPSHOT],
  [posture.ListExclusionRules, pageOf(examples.EXCLUSION_RULE)],
  [posture.SwitchExclusionRule, examples.EXCLUSION_RULE],
  [resources.ListResources, pageOf(examples.LIVE_RESOURCE)],
  [resources.GroupResources, pageOf({ key: "eu-west-1", count: 12 })],
  [ListTypes, pageOf(RESOURCE_TYPE)],
  [resources.GetResource, examples.LIVE_RESOURCE_DETAIL],
  [resources.EnrichResource, ENRICHED_RESOURCE],
  [CreateAdoption, ADOPTION],
  [scans.CreateScan, examples.SCAN],
  [scans.PushListing, examples.SCAN],
  [scans.ListScans, pageOf(examples.FINISHED_SCAN)],
  [scans.GetScan, examples.FINISHED_SCAN],
  [scans.CancelScan, examples.SCAN],
  [schedules.CreateSchedule, SCAN_SCHEDULE],
  [schedules.ListSchedules, pageOf(SCAN_SCHEDULE)],
  [schedules.GetSchedule, SCAN_SCHEDULE],
  [schedules.UpdateSchedule, SCAN_SCHEDULE],
  [schedules.DeleteSchedule, {}],
  [sources.CreateSource, examples.IAC_SOURCE],
  [sources.ListSources, pageOf(examples.IAC_SOURCE)],
  [sources.GetSource, examples.IAC_SOURCE],
  [sources.UpdateSource, examples.IAC_SOURCE],
  [sources.DeleteSource, {}],
  [sources.PushState, examples.IAC_SOURCE],
  [sources.ReadState, examples.READ_SOURCE],
  [sources.ListIacResources, pageOf(examples.IAC_RESOURCE)],
  [sources.GetIacResource, examples.IAC_RESOURCE],
  [quota.GetPlan, examples.PLAN_SETTINGS],
  [quota.SetPlan, examples.PLAN_SETTINGS],
  [quota.PurgeQuota, {}],
  [llmConfig.PutLlmConfig, { ...LLM_CONFIG, created: false }],
  [llmConfig.GetLlmConfig, LLM_CONFIG],
  [llmConfig.DeleteLlmConfig, { provider: LLM_CONFIG.provider }],
  [usage.GetUsage, LLM_USAGE],
  [usage.GetUsageHistory, pageOf(LLM_USAGE_DAY)],
  [configs.CreateConfig, examples.WEBHOOK_CONFIG_WITH_SECRET],
  [configs.ListConfigs, pageOf(examples.WEBHOOK_CONFIG)],
  [configs.GetConfig, examples.WEBHOOK_CONFIG],
  [configs.UpdateConfig, examples.WEBHOOK_CONFIG],
  [configs.DeleteConfig, {}],
  [configs.RotateSecret, examples.WEBHOOK_CONFIG_WITH_SECRET],
  [configs.PurgeWebhooks, {}],
  [channels.CreateChannel, CHANNEL_WITH_SECRET],
  [channels.ListChannels, pageOf(CHANNEL)],
  [channels.GetChannel, CHANNEL],
  [channels.UpdateChannel, CHANNEL],
  [channels.DeleteChannel, {}],
  [channels.TestChannel, TEST_TAKEN],
  [channels.ListMessages, pageOf(CHANNEL_DELIVERY)],
  [channels.RedeliverMessage, CHANNEL_DELIVERY],
  [recipients.AskRecipient, TEST_TAKEN],
  [recipients.ConfirmRecipient, ANSWERED_LINK],
  [recipients.UnsubscribeRecipient, ANSWERED_LINK],
  [deliveries.ListDeliveries, pageOf(examples.DELIVERY)],
  [deliveries.ReplayDelivery, examples.DELIVERY],
  [jobs.SubmitPlan, TAKEN],
  [jobs.ListJobs, pageOf(LISTED_JOB)],
  [jobs.GetJob, LLM_JOB],
  [jobs.ListPlanChanges, { ...pageOf(PLAN_CHANGE), total_count: 1 }],
  [jobs.NarrateSnapshot, { ...TAKEN, kind: "drift_narrative" }],
  [jobs.PurgeAnalyzer, {}],
  [noise.ListNoise, pageOf(PLAN_NOISE)],
  [noise.GetNoise, PLAN_NOISE],
  [noise.ChangeNoise, PLAN_NOISE],
  [noise.FixNoise, { ...TAKEN, kind: "plan_noise_fix" }],
  [places.FindDeclaration, DECLARATION],
  [places.ListChangingPlans, { data: [CHANGING_PLAN] }],
  [settlements.SettleChange, SETTLEMENT],
  [settlements.SettleMany, SETTLEMENTS],
  [settlements.GetSettlement, REQUESTED_SETTLEMENT],
  [settlements.WithdrawSettlement, {}],
  [noise.GetSettings, SETTINGS],
  [noise.UpdateSettings, SETTINGS],
  [healthOf("analyzer"), { ready: true }],
  [healthOf("inventory"), { ready: true }],
  [healthOf("quota"), { ready: true }],
  [healthOf("webhooks"), { ready: true }],
];

export function answerForOthers(bus: BusConnection): OtherServices {
  const asked: OtherServices["asked"] = [];
  const replies = new Map<string, (input: Record<string, unknown>) => unknown>();
  const endpoints = SAMPLES.map(([contract, sample]): Endpoint => {
    const { subject } = contract;
    return answerJson(contract, async (given) => {
      const input: Record<string, unknown> = { ...Object(given) };
      if (!subject.endsWith(".health.check")) asked.push({ subject, input });
      const reply = replies.get(subject);
      const output = reply ? await reply(input) : sample;
      const nextCursor = isObject(output) ? text(output, "next_cursor") : undefined;
      return { json: JSON.stringify(output), ...(nextCursor !== undefined && { nextCursor }) };
    });
  });
  const receive = answerBody(
    deliveries.ReceiveDelivery,
    async (given, bytes): Promise<deliveries.Receipt> => {
      const { subject } = deliveries.ReceiveDelivery;
      const input = { ...given };
      asked.push({ subject, input, body: Buffer.from(bytes) });
      const reply = replies.get(subject);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a test answers as it should
      if (reply) return (await reply(input)) as deliveries.Receipt;
      return { status: "accepted", delivery_id: examples.ID.delivery };
    },
  );
  endpoints.push(receive);
  serve(bus, { service: "others", endpoints, log: testLog() });
  return {
    asked,
    on: ({ subject }, reply) => {
      replies.set(subject, reply);
    },
    reset() {
      asked.length = 0;
      replies.clear();
    },
  };
}
