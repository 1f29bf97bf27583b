import { isObject, text } from "@leeway/shared/values/json";

import { forgets, updates, type ResourceChange } from "../../plan/model.ts";
import { accessText, namedText, verbOf } from "../access-text.ts";
import { isEffective } from "../cosmetic.ts";
import { denialText } from "../denials.ts";
import { grantText } from "../grants.ts";
import { firstPathsOf, type Leaf } from "../../plan/leaves.ts";
import type { Rule, RuleMatch } from "../rule.ts";
import { signsIn } from "../signs.ts";
import { isNew, isNewRevision, type Subject } from "../subject.ts";
import { ACCESS, isIam } from "../types.ts";

export const R12 = {
  id: "R12",
  title: "Access rights change",
  why: "Someone may gain access they shouldn't have, or lose access they need.",
  check: "Compare the rights before and after, and ask who needs the difference.",
  cases: {
    changed: {
      flag: "iam_change",
      when: "any other policy, role, binding or assignment that is created, updated or deleted, and settings of anything else that say who may log in, what they may do, or as whom it acts",
      standard: "medium",
      lenient: "medium",
    },
  },
  example: {
    address: "google_project_iam_member.oncall",
    actions: ["create"],
    after: { project: "shop-prod", role: "roles/compute.osLogin", member: "group:oncall@example.com" },
  },
  interprets: false,
  find: changedAccess,
} satisfies Rule;

function changedAccess(subject: Subject): RuleMatch[] {
  const { change } = subject;
  const granting =
    forgets(change) || isOwnApi(change) || isTriedOut(subject) ? undefined : grantingIn(subject);
  if (!granting) return [];
  const changes = granting.length > 0 ? accessText(granting) : updates(change) ? "" : namedText(change);
  const message =
    grantText(change) ||
    denialText(change) ||
    `${verbOf(change)} an access setting${changes === "" ? "" : `: ${changes}`}`;
  return [{ case: R12.cases.changed, paths: firstPathsOf(granting), message }];
}

/** Checks whether a new organization policy only reports what it would forbid. */
function isTriedOut({ change, type }: Subject): boolean {
  const { after } = change;
  return (
    isNew(change) && type.endsWith("_policy_assignment") && isObject(after) && after["enforce"] === false
  );
}

/** Checks whether one API may invoke the function behind it, which is part of how the API works. */
function isOwnApi({ after }: ResourceChange): boolean {
  if (!isObject(after) || text(after, "principal") !== "apigateway.amazonaws.com") return false;
  return /^arn:[\w-]+:execute-api:[\w-]+:\d{12}:\w+\//.test(text(after, "source_arn") ?? "");
}

/** Returns an update's attributes that grant rights; empty if they can't be seen, undefined if there are none. */
function grantingIn({ change, type, leaves }: Subject): readonly Leaf[] | undefined {
  const changed = updates(change) || isNewRevision(change) ? leaves : [];
  if (isIam(type) && changed.length === 0) return changed;
  const granting = isIam(type)
    ? changed.filter((leaf) => isEffective(type, leaf))
    : signsIn(ACCESS, type, changed);
  return granting.length > 0 ? granting : undefined;
}
