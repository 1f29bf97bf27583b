import { describe, expect, test } from "bun:test";

import { aws } from "@leeway/clouds/aws/aws";
import type { JsonObject } from "@leeway/shared/values/json";

import { comparableAttributes } from "../../comparable-attributes.ts";
import type { Part } from "../../mapping.ts";
import { detectDrift, type Change } from "../../detect-drift.fixture.ts";

const ADMIN = "arn:aws:iam::aws:policy/AdministratorAccess";
const READER = "arn:aws:iam::aws:policy/ReadOnlyAccess";
const document = (Action: string) => ({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action, Resource: "*" }],
});
const ALL = JSON.stringify(document("*"));

const user = (more: JsonObject) => ({ UserName: "ada", Path: "/", ...more });
/** Returns a user as recorded by AWS Config. */
const recorded = (more: JsonObject) => ({ userName: "ada", path: "/", userPolicyList: [], ...more });
const group = (more: JsonObject) => ({ GroupName: "ops", Path: "/", ...more });

/** Compares stored attributes with live properties. */
function kept(type: string, live: JsonObject, parts: Part[] = []) {
  const attributes = { name: "ada", path: "/" };
  const declared = JSON.parse(comparableAttributes({ address: "x", type, attributes }, aws) ?? "null");
  return detectDrift({ type, declared, live, parts });
}

const part = (type: string, attributes: JsonObject): Part => ({ type, attributes });
const attachment = part("aws_iam_user_policy_attachment", { user: "ada", policy_arn: READER });

describe("access granted by hand to a user or group is reported with its risk", () => {
  test.each<[fact: string, type: string, live: JsonObject, parts: Part[], changes: Change[], rule: string]>([
    [
      "a user who became an administrator",
      "aws_iam_user",
      user({ ManagedPolicyArns: [ADMIN] }),
      [],
      [["managed_policy_arns", [ADMIN]]],
      "R11",
    ],
    [
      "a user with another policy who became an administrator, as AWS Config records it",
      "aws_iam_user",
      recorded({ attachedManagedPolicies: [{ policyArn: READER }, { policyArn: ADMIN }], groupList: [] }),
      [attachment],
      [["managed_policy_arns", [ADMIN]]],
      "R11",
    ],
    [
      "a group that can read everything",
      "aws_iam_group",
      group({ ManagedPolicyArns: [READER] }),
      [],
      [["managed_policy_arns", [READER]]],
      "R12",
    ],
    [
      "a group that became administrators",
      "aws_iam_group",
      {
        groupName: "ops",
        attachedManagedPolicies: [{ policyName: "AdministratorAccess", policyArn: ADMIN }],
      },
      [],
      [["managed_policy_arns", [ADMIN]]],
      "R11",
    ],
    [
      "an inline policy of a user that allows everything",
      "aws_iam_user",
      user({ Policies: [{ PolicyName: "mine", PolicyDocument: document("*") }] }),
      [],
      [["inline_policy.0", { name: "mine", policy: ALL }]],
      "R11",
    ],
    [
      "another inline policy of a group, as AWS Config records it",
      "aws_iam_group",
      {
        groupPolicyList: ["app", "more"].map((policyName) => ({
          policyName,
          policyDocument: encodeURIComponent(JSON.stringify(document("s3:GetObject"))),
        })),
      },
      [part("aws_iam_group_policy", { group: "ops", name: "app" })],
      [["inline_policy.0", { name: "more", policy: JSON.stringify(document("s3:GetObject")) }]],
      "R12",
    ],
    [
      "a user who was added to another group",
      "aws_iam_user",
      user({ Groups: ["dev", "admins"] }),
      [part("aws_iam_user_group_membership", { user: "ada", groups: ["dev"] })],
      [["groups", ["admins"]]],
      "R12",
    ],
    [
      "a user who was added to a group that shares a policy attachment",
      "aws_iam_user",
      recorded({ groupList: ["admins"] }),
      [part("aws_iam_policy_attachment", { users: ["ada"], groups: ["admins"], policy_arn: READER })],
      [["groups", ["admins"]]],
      "R12",
    ],
  ])("%s", (_fact, ...[type, live, parts, changes, rule]) => {
    const found = kept(type, live, parts);
    expect(found.changes).toEqual(changes);
    expect(found.rules).toContain(rule);
  });

  test("a user who was removed from a declared group", () => {
    const declared = { user: "ada", groups: ["dev", "ops"] };
    const type = "aws_iam_user_group_membership";
    const { changes, rules } = detectDrift({
      type,
      declared,
      live: recorded({ groupList: ["other", "ops"] }),
    });
    expect(changes).toEqual([["groups", ["ops"]]]);
    expect(rules).toEqual(["R12"]);
  });
});

describe("nothing is reported for a user", () => {
  const policies = { ManagedPolicyArns: [READER], Policies: [{ PolicyName: "app", PolicyDocument: {} }] };
  const inline = part("aws_iam_user_policy", { user: "ada", name: "app" });
  test.each<[fact: string, live: JsonObject, parts: Part[]]>([
    ["whose policies are separate resources", policies, [inline, attachment]],
    [
      "whose policies are declared as exclusive",
      policies,
      [
        part("aws_iam_user_policy_attachments_exclusive", { user_name: "ada", policy_arns: [READER] }),
        part("aws_iam_user_policies_exclusive", { user_name: "ada", policy_names: ["app"] }),
      ],
    ],
    [
      "whose policy is attached to several users",
      { ManagedPolicyArns: [READER] },
      [part("aws_iam_policy_attachment", { users: ["ada", "bob"], policy_arn: READER })],
    ],
    [
      "whose policy Pulumi attached",
      { ManagedPolicyArns: [READER] },
      [part("aws_iam_user_policy_attachment", { user: "ada", policyArn: READER })],
    ],
    [
      "whose groups are declared by user or by group",
      { Groups: ["dev", "ops"] },
      [
        part("aws_iam_user_group_membership", { user: "ada", groups: ["dev"] }),
        part("aws_iam_group_membership", { group: "ops", users: ["ada"], name: "all of them" }),
      ],
    ],
    ["listed only by name", {}, [attachment]],
    ["without policies and groups", { ManagedPolicyArns: [], Policies: [], Groups: [] }, []],
  ])("%s", (_fact, live, parts) => {
    expect(kept("aws_iam_user", user(live), parts).changes).toEqual([]);
  });

  test("whose state was stored before policies were compared", () => {
    const declared = { name: "ada", path: "/" };
    const live = user({ ManagedPolicyArns: [ADMIN], Groups: ["admins"] });
    expect(detectDrift({ type: "aws_iam_user", declared, live }).changes).toEqual([]);
  });
});

describe("access to an EKS cluster", () => {
  const ACCESS = "arn:aws:eks::aws:cluster-access-policy/";
  const entry = (...names: string[]) => ({
    ClusterName: "main",
    PrincipalArn: "arn:aws:iam::111111111111:role/ops",
    KubernetesGroups: [],
    AccessPolicies: names.map((name) => ({ PolicyArn: ACCESS + name, AccessScope: { Type: "cluster" } })),
  });
  const view = part("aws_eks_access_policy_association", {
    cluster_name: "main",
    principal_arn: "arn:aws:iam::111111111111:role/ops",
    policy_arn: `${ACCESS}AmazonEKSViewPolicy`,
  });

  test("is reported when a principal became administrator", () => {
    expect(
      kept("aws_eks_access_entry", entry("AmazonEKSViewPolicy", "AmazonEKSClusterAdminPolicy"), [view]),
    ).toEqual({
      changes: [["access_policies", [`${ACCESS}AmazonEKSClusterAdminPolicy`]]],
      rules: ["R11"],
    });
  });

  test("isn't reported when it is declared", () => {
    expect(kept("aws_eks_access_entry", entry("AmazonEKSViewPolicy"), [view]).changes).toEqual([]);
    expect(kept("aws_eks_access_entry", { ClusterName: "main" }, [view]).changes).toEqual([]);
  });
});
