import {
  GetPosture,
  GetSnapshot,
  GetTrend,
  ListExclusionRules,
  ListSnapshots,
  SwitchExclusionRule,
} from "@leeway/shared/contracts/inventory/posture";
import { Type as t } from "@sinclair/typebox";

import { factsOf } from "../audited.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import { DRIFT_SNAPSHOT, POSTURE_ROW, TREND_POINT } from "../openapi/drift-examples.ts";
import { EXCLUSION_RULE, pageOf } from "../openapi/examples.ts";

const ORGANIZATION = "/api/v2/orgs/:id";

const posture = relay(GetPosture, {
  method: "GET",
  path: `${ORGANIZATION}/posture`,
  operationId: "getPosture",
  tag: "Posture",
  summary: "Get the posture",
  description:
    "One row for each cloud account, the least covered first. `coverage_pct` and `risk_level` are left out until the account has a drift snapshot. Always one page.",
  who: "viewer",
  success: { status: 200, description: "The rows", schema: GetPosture.output, example: pageOf(POSTURE_ROW) },
});

const DAYS = GetTrend.input.properties.days;

const trend = relay(GetTrend, {
  method: "GET",
  path: `${ORGANIZATION}/posture/trend`,
  operationId: "getPostureTrend",
  tag: "Posture",
  summary: "Get the trend of the posture",
  description:
    "What each account's last snapshot of a day (UTC) said, by account and oldest first; a day without a snapshot has no point. Always one page.",
  who: "viewer",
  query: {
    account_id: GetTrend.input.properties.account_id,
    days: t.Integer({ ...DAYS, default: 30, errorMessage: "must be a whole number from 1 to 400" }),
  },
  success: { status: 200, description: "The points", schema: GetTrend.output, example: pageOf(TREND_POINT) },
});

const listSnapshots = relay(ListSnapshots, {
  method: "GET",
  path: `${ORGANIZATION}/drift-snapshots`,
  operationId: "listDriftSnapshots",
  tag: "Drift",
  summary: "List drift snapshots",
  description: "Results of drift computations, newest first.",
  who: "viewer",
  success: {
    status: 200,
    description: "The snapshots",
    schema: ListSnapshots.output,
    example: pageOf(DRIFT_SNAPSHOT),
  },
  errors: ["invalid_cursor"],
});

const getSnapshot = relay(GetSnapshot, {
  method: "GET",
  path: `${ORGANIZATION}/drift-snapshots/:snapshot_id`,
  operationId: "getDriftSnapshot",
  tag: "Drift",
  summary: "Get a drift snapshot",
  description:
    "The result of one drift computation. One that failed has `status` `error`, and its coverage means nothing.",
  who: "viewer",
  success: { status: 200, description: "The snapshot", schema: GetSnapshot.output, example: DRIFT_SNAPSHOT },
});

const listRules = relay(ListExclusionRules, {
  method: "GET",
  path: `${ORGANIZATION}/exclusion-rules`,
  operationId: "listExclusionRules",
  tag: "Exclusion rules",
  summary: "List exclusion rules",
  description:
    "Reasons to leave live resources out of the counts, and how many each leaves out. Always one page.",
  who: "viewer",
  success: {
    status: 200,
    description: "The rules",
    schema: ListExclusionRules.output,
    example: pageOf(EXCLUSION_RULE),
  },
});

const switchRule = relay(SwitchExclusionRule, {
  method: "PATCH",
  path: `${ORGANIZATION}/exclusion-rules/:rule_id`,
  operationId: "updateExclusionRule",
  tag: "Exclusion rules",
  summary: "Switch an exclusion rule",
  description: "Counts change with the answer.",
  who: "admin",
  body: t.Object({ enabled: t.Boolean() }),
  bodyExample: { enabled: false },
  success: {
    status: 200,
    description: "The rule",
    schema: SwitchExclusionRule.output,
    example: { ...EXCLUSION_RULE, enabled: false, excluded_count: 0 },
  },
  errors: ["empty_update"],
  audit: "exclusion_rule.update",
  auditDetails: factsOf("enabled"),
});

export const drift: readonly Endpoint[] = [posture, trend, listSnapshots, getSnapshot, listRules, switchRule];
