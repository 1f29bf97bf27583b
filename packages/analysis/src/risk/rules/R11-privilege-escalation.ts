import type { Json } from "@leeway/shared/values/json";

import type { ResourceChange } from "../../plan/model.ts";
import { adminRights, holderText, type Right } from "../admin-rights.ts";
import { textsOf } from "../attribute-values.ts";
import { broadGrants, broadPolicies, escalatingActions } from "../broad-rights.ts";
import { grantText } from "../grants.ts";
import { pathsOf, valueOf } from "../../plan/leaves.ts";
import { actionsText } from "../policy-text.ts";
import type { Rule, RuleCase, RuleMatch } from "../rule.ts";
import { added, type Subject } from "../subject.ts";
import { newTrusts } from "../trust.ts";
import { isIam } from "../types.ts";
import { listed } from "../values.ts";

export const R11 = {
  id: "R11",
  title: "Administrator rights are granted",
  why: "The holder of these rights can change everything else.",
  check: "Grant only the actions that are needed, and restrict who may assume the role.",
  cases: {
    escalation: {
      flag: "privilege_escalation",
      when: "administrator rights or the right to take them (`*:*`, `iam:*`, AdministratorAccess, `iam:PassRole` or `iam:AttachUserPolicy` on everything, roles/owner, Owner, cluster-admin), or a role that newly trusts everybody, another account, or any identity of an OpenID provider",
      standard: "critical",
      lenient: "medium",
      neverHidden: true,
    },
    broad: {
      flag: "broad_rights",
      when: "all rights on a service or on everything but IAM (`s3:*` on `*`, PowerUserAccess, roles/editor, Contributor of a subscription)",
      standard: "high",
      lenient: "medium",
      neverHidden: true,
    },
  },
  example: {
    address: "aws_iam_role_policy_attachment.developers",
    actions: ["create"],
    after: { role: "developers", policy_arn: "arn:aws:iam::aws:policy/AdministratorAccess" },
  },
  replaces: { rules: ["R12"], on: "change" },
  find: newRights,
} satisfies Rule;

function newRights({ change, type }: Subject): RuleMatch[] {
  if (!isIam(type)) return [];
  const admins = added(change, (side) => adminRights(type, side));
  if (admins.length > 0) return [rightsMatch(R11.cases.escalation, admins, change)];
  const taken = [...added(change, takingRights), ...newTrusts(change)];
  if (taken.length > 0) return [rightsMatch(R11.cases.escalation, taken, change)];
  const broad = added(change, (side) => broadRights(type, side));
  return broad.length > 0 ? [rightsMatch(R11.cases.broad, broad, change)] : [];
}

function rightsMatch(found: RuleCase, rights: readonly Right[], change: ResourceChange): RuleMatch {
  const granted = rights.some(({ isGrant }) => isGrant) ? grantText(change) : "";
  const message = granted || listed([...new Set(rights.map(({ text }) => text))]);
  return { case: found, paths: pathsOf(rights), message };
}

/** Returns rights to acquire other rights. */
function takingRights(side: Json): Right[] {
  return escalatingActions(side).map(({ path, actions }) => {
    const text = `Allows ${actionsText(actions)} on all resources${holderText(side)}: enough to become an administrator`;
    return { path, key: actions.toSorted().join(), text };
  });
}

function broadRights(type: string, side: Json): Right[] {
  return [
    ...broadPolicies(side).map(({ path, text }) => ({ path, key: text, text: text + holderText(side) })),
    ...broadGrants(type, side).map((grant) => ({
      ...grant,
      key: JSON.stringify([grant.path, holdersIn(side)]),
    })),
  ];
}

/** Returns the holders, because the same role for another holder is another right. */
function holdersIn(side: Json): string[] {
  return ["member", "members", "principal_id", "role", "user", "group"].flatMap((name) =>
    textsOf(valueOf(side, [name])),
  );
}
