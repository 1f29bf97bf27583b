import {
  GetPosture,
  GetSnapshot,
  GetTrend,
  ListExclusionRules,
  ListSnapshots,
  SwitchExclusionRule,
} from "@leeway/shared/contracts/inventory/posture";
import { Type as t } from "@sinclair/typebox";

import type { Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import { DRIFT_SNAPSHOT, POSTURE_ROW, TREND_POINT } from "../examples/drift.ts";
import { EXCLUSION_RULE, pageOf } from "../examples/common.ts";

const ORGANIZATION = "/api/v2/orgs/:id";

const posture = relay(GetPosture, {
  method: "GET",
  path: `${ORGANIZATION}/posture`,
  operationId: "getPosture",
  tag: "Posture",
  summary: "Get the posture",
  description:
    "Returns one row per cloud account, lowest coverage first. `coverage_pct` and `risk_level` are absent until the account has a drift snapshot. Undeclared resources count in `undeclared_risk_level`, never in `risk_level`. Always one page.",
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
    "Returns each account's last snapshot of each day (UTC), by account and oldest first. Days without a snapshot have no point. Always one page.",
  who: "viewer",
  query: {
    account_id: GetTrend.input.properties.account_id,
    days: t.Integer({
      ...DAYS,
      default: 30,
      errorMessage: `must be a whole number from 1 to ${DAYS.maximum}`,
    }),
  },
  success: { status: 200, description: "The points", schema: GetTrend.output, example: pageOf(TREND_POINT) },
});

const listSnapshots = relay(ListSnapshots, {
  method: "GET",
  path: `${ORGANIZATION}/drift-snapshots`,
  operationId: "listDriftSnapshots",
  tag: "Drift",
  summary: "List drift snapshots",
  description: "Lists drift computations, newest first. Pending ones have no `coverage_pct` or `risk_level`.",
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
    "Returns one drift computation. A pending one has no `coverage_pct`, `coverage_reliable`, `risk_level` or `risk_counts`. A failed one has `status` `error`, and its coverage isn't meaningful.",
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
    "Lists rules that exclude live resources from the counts, with the number of excluded resources. Always one page.",
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
  summary: "Enable or disable an exclusion rule",
  description: "The counts are updated before the response.",
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
});

export const drift: readonly Endpoint[] = [posture, trend, listSnapshots, getSnapshot, listRules, switchRule];
