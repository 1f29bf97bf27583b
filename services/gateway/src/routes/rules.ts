import {
  CreateRule,
  DeleteRule,
  ListRules,
  PreviewRule,
  RuleChanges,
  RuleContent,
  UpdateRule,
} from "@leeway/shared/contracts/inventory/rules";
import { Type as t } from "@sinclair/typebox";

import { actorOf } from "../auth/caller.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import { pageOf } from "../examples/common.ts";
import { NEW_RULE, RULE, RULE_DRAFT, RULE_PREVIEW } from "../examples/rules.ts";

const TAG = "Rules";
const COLLECTION = "/api/v2/orgs/:id/rules";
const ONE = `${COLLECTION}/:rule_id`;

const list = relay(ListRules, {
  method: "GET",
  path: COLLECTION,
  operationId: "listRules",
  tag: TAG,
  summary: "List rules",
  description:
    "Lists the organization's rules in the order in which they apply, then the built-in exclusion rules, with the number of changes that each hides. Always one page.",
  who: "viewer",
  success: { status: 200, description: "The rules", schema: ListRules.output, example: pageOf(RULE) },
});

const create = relay(CreateRule, {
  method: "POST",
  path: COLLECTION,
  operationId: "createRule",
  tag: TAG,
  summary: "Create a rule",
  description:
    "Hides, raises or labels the changes, findings and noise that match `when`. A rule never lowers a level. It takes effect on current changes within seconds, without a scan. An error in `when` is reported with its line and column.",
  who: "admin",
  body: RuleContent,
  bodyExample: NEW_RULE,
  success: { status: 201, description: "The rule", schema: CreateRule.output, example: RULE },
  errors: ["conflict"],
  creates: true,
  derive: ({ caller, attemptId }) => ({ rule_id: attemptId, created_by: actorOf(caller) }),
  location: (orgId) => `/api/v2/orgs/${orgId}/rules/`,
});

const preview = relay(PreviewRule, {
  method: "POST",
  path: `${COLLECTION}/preview`,
  operationId: "previewRule",
  tag: TAG,
  summary: "Preview a rule",
  description:
    "Returns what a rule would do on the organization's current drift changes, with at most 20 of them. Nothing is stored. Findings and noise of plans aren't stored either, so they aren't counted.",
  who: "viewer",
  body: t.Pick(RuleContent, ["on", "when", "then"]),
  bodyExample: RULE_DRAFT,
  success: {
    status: 200,
    description: "The effect",
    schema: PreviewRule.output,
    example: RULE_PREVIEW,
  },
  errors: ["too_slow_to_read"],
});

const update = relay(UpdateRule, {
  method: "PATCH",
  path: ONE,
  operationId: "updateRule",
  tag: TAG,
  summary: "Change a rule",
  description:
    "Changes only the given fields. `owner: null` and `expires_at: null` remove them. In a built-in rule only `enabled` can be changed.",
  who: "admin",
  body: RuleChanges,
  bodyExample: { enabled: false },
  success: {
    status: 200,
    description: "The rule",
    schema: UpdateRule.output,
    example: { ...RULE, enabled: false },
  },
  errors: ["empty_update", "conflict"],
});

const remove = relay(DeleteRule, {
  method: "DELETE",
  path: ONE,
  operationId: "deleteRule",
  tag: TAG,
  summary: "Delete a rule",
  description: "Deletes the rule. What it hid is shown again within seconds.",
  who: "admin",
  success: { status: 204, description: "Deleted" },
});

export const rules: readonly Endpoint[] = [list, create, preview, update, remove];
