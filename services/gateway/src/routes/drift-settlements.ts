import {
  GetSettlement,
  SettleChange,
  SettleMany,
  SettlementInput,
  SettlementsInput,
  WithdrawSettlement,
} from "@leeway/shared/contracts/analyzer/settlements";
import { present } from "@leeway/shared/values/json";

import { actorOf } from "../auth/caller.ts";
import { DRIFT_FINGERPRINT, REQUESTED_SETTLEMENT, SETTLEMENT, SETTLEMENTS } from "../examples/drift.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";

const PATH = "/api/v2/orgs/:id/drift-changes/:fingerprint/settlement";
const TAG = "Drift";

const settle = relay(SettleChange, {
  method: "POST",
  path: PATH,
  operationId: "settleDriftChange",
  tag: TAG,
  summary: "Settle a change in code",
  description:
    "Returns how to end a change in the code of its source: a patch that says what is live, the commands that revert it, or a patch that forgets a missing resource. The code is read from the source's `repository`. For an undeclared resource, it is the code that imports it. A place that can't be edited with certainty is `refused`, with file and line. With `open_change_request`, all settlements of the source are put on one branch with a merge or pull request, which is updated in place and never merged by Leeway. Without it, nothing is stored.",
  who: "member",
  checksRepository: true,
  body: SettlementInput,
  bodyExample: { how: "accept" },
  success: { status: 200, description: "The settlement", schema: SettleChange.output, example: SETTLEMENT },
  errors: ["repository_mismatch"],
  derive: ({ caller }) => ({ decided_by: actorOf(caller), ...present({ speaks_for: caller.speaksFor }) }),
});

const settleMany = relay(SettleMany, {
  method: "POST",
  path: "/api/v2/orgs/:id/drift-changes/settlements",
  operationId: "settleDriftChanges",
  tag: TAG,
  summary: "Settle many changes in code",
  description:
    "Puts up to 100 changes on the merge or pull requests of their sources, one request for each source. A change that can't be edited with certainty is `refused`, and doesn't hold up the others.",
  who: "member",
  checksRepository: true,
  body: SettlementsInput,
  bodyExample: { how: "accept", fingerprints: [DRIFT_FINGERPRINT] },
  success: {
    status: 200,
    description: "What became of each change, and the requests",
    schema: SettleMany.output,
    example: SETTLEMENTS,
  },
  errors: ["repository_mismatch"],
  derive: ({ caller }) => ({ decided_by: actorOf(caller), ...present({ speaks_for: caller.speaksFor }) }),
});

const settlement = relay(GetSettlement, {
  method: "GET",
  path: PATH,
  operationId: "getSettlement",
  tag: TAG,
  summary: "Get a requested settlement",
  description:
    "Returns how a change is settled in its source's merge or pull request, with that request. Empty if the change isn't in one.",
  who: "viewer",
  success: {
    status: 200,
    description: "The settlement, if one is requested",
    schema: GetSettlement.output,
    example: REQUESTED_SETTLEMENT,
  },
});

const withdraw = relay(WithdrawSettlement, {
  method: "DELETE",
  path: PATH,
  operationId: "withdrawSettlement",
  tag: TAG,
  summary: "Withdraw a settlement",
  description:
    "Removes a change from its source's merge or pull request, which is closed when nothing is left in it. 404 if the change isn't in one.",
  who: "member",
  checksRepository: true,
  success: {
    status: 200,
    description: "What became of the request",
    schema: WithdrawSettlement.output,
    example: {
      change_request: {
        status: "closed",
        branch: "leeway/settle-2026-10-07",
        url: "https://gitlab.com/acme/network/-/merge_requests/12",
      },
    },
  },
  errors: ["repository_mismatch"],
  derive: ({ caller }) => present({ speaks_for: caller.speaksFor }),
});

export const driftSettlements: readonly Endpoint[] = [settle, settleMany, settlement, withdraw];
