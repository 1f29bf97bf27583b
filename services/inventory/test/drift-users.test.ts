import { expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { ACCOUNT, drifting, type Declared } from "./drifting.ts";
import { tfstate } from "./kit.ts";

const { changesBetween, changesOf, newOrg } = drifting();

const ADMIN = "arn:aws:iam::aws:policy/AdministratorAccess";
const READER = "arn:aws:iam::aws:policy/ReadOnlyAccess";
const declared = (type: string, attributes: JsonObject, name = "main"): Declared => ({
  type: `aws_iam_${type}`,
  name,
  attributes,
});
const user = (name: string) =>
  declared("user", { id: name, name, arn: `arn:aws:iam::${ACCOUNT}:user/${name}`, path: "/" }, name);
const OPS = declared("group", {
  id: "ops",
  name: "ops",
  arn: `arn:aws:iam::${ACCOUNT}:group/ops`,
  path: "/",
});

/** Builds users as Cloud Control returns them. */
const live = (users: Record<string, object>) =>
  Object.entries(users).map(([UserName, more]) => {
    const properties = { UserName, Path: "/", Arn: `arn:aws:iam::${ACCOUNT}:user/${UserName}`, ...more };
    return {
      TypeName: "AWS::IAM::User",
      ResourceDescription: { Identifier: UserName, Properties: JSON.stringify(properties) },
    };
  });
const liveGroup = (more: object) => ({
  TypeName: "AWS::IAM::Group",
  ResourceDescription: {
    Identifier: "ops",
    Properties: JSON.stringify({ GroupName: "ops", Path: "/", ...more }),
  },
});
const ATTACHED = declared("policy_attachment", {
  id: "readers",
  name: "readers",
  policy_arn: READER,
  users: ["ada", "bob"],
  groups: ["ops"],
  roles: [],
});

test("a user and a group made administrators by hand are reported next to declared drift", async () => {
  const changes = await changesBetween(
    [user("ada"), user("bob"), OPS, ATTACHED],
    [
      ...live({ ada: { ManagedPolicyArns: [READER, ADMIN] }, bob: { ManagedPolicyArns: [READER] } }),
      liveGroup({ ManagedPolicyArns: [ADMIN, READER] }),
    ],
  );
  const reported = changes.map(({ kind, address, attribute_changes, risk_flags }) => [
    `${kind} ${address}`,
    [...attribute_changes, ...risk_flags.map(({ rule }) => rule)],
  ]);
  const attached = { path: ["managed_policy_arns"], before: [], after: [ADMIN] };
  expect(Object.fromEntries(reported)).toEqual({
    "changed aws_iam_group.main": [expect.objectContaining(attached), "R11"],
    "changed aws_iam_user.ada": [expect.objectContaining(attached), "R11"],
  });
});

test("a user's memberships in another source aren't reported", async () => {
  const org = newOrg();
  const account = await org.account("aws", ACCOUNT);
  const groups = [declared("user_group_membership", { id: "x", user: "ada", groups: ["dev", "ops"] })];
  const policies = [
    declared("user_policy_attachments_exclusive", { user_name: "ada", policy_arns: [READER] }),
    declared("user_policy", { id: "ada:app", user: "ada", name: "app", policy: "{}" }),
  ];
  await org.pushState(await org.source("main", account.id), tfstate([user("ada")]));
  await org.pushState(await org.source("groups", account.id), tfstate(groups));
  await org.pushState(await org.source("policies", account.id), tfstate(policies));
  const given = {
    ManagedPolicyArns: [READER],
    Policies: [{ PolicyName: "app", PolicyDocument: {} }],
    Groups: ["ops", "dev"],
  };
  await org.pushListing(account, live({ ada: given }));
  expect(await changesOf(org)).toEqual([]);

  await org.pushListing(account, live({ ada: { ...given, Groups: ["dev", "admins"] } }));
  const changes = await changesOf(org);
  const reported = changes.map(({ address, attribute_changes }) => [
    address,
    attribute_changes.map(({ after }) => after),
  ]);
  expect(Object.fromEntries(reported)).toEqual({
    "aws_iam_user.ada": [["admins"]],
    "aws_iam_user_group_membership.main": [["dev"]],
  });
});

const policy = (name: string) => `arn:aws:eks::aws:cluster-access-policy/${name}`;

test("a cluster administrator added by hand is reported, with the removed policy", async () => {
  const principal_arn = `arn:aws:iam::${ACCOUNT}:role/ops`;
  const named = { cluster_name: "main", principal_arn };
  const entry: Declared = {
    type: "aws_eks_access_entry",
    name: "ops",
    attributes: { ...named, id: `main:${principal_arn}`, kubernetes_groups: [], type: "STANDARD" },
  };
  const associated = (name: string): Declared => ({
    type: "aws_eks_access_policy_association",
    name,
    attributes: { ...named, id: `main#${principal_arn}#${policy(name)}`, policy_arn: policy(name) },
  });
  const listing = {
    TypeName: "AWS::EKS::AccessEntry",
    ResourceDescription: {
      Identifier: `${principal_arn}|main`,
      Properties: JSON.stringify({
        ClusterName: "main",
        PrincipalArn: principal_arn,
        AccessPolicies: ["AmazonEKSViewPolicy", "AmazonEKSClusterAdminPolicy"].map((name) => ({
          PolicyArn: policy(name),
          AccessScope: { Type: "cluster" },
        })),
      }),
    },
  };
  const state = [entry, associated("AmazonEKSViewPolicy"), associated("AmazonEKSEditPolicy")];
  const changes = await changesBetween(state, listing);
  const reported = changes.map(({ kind, address, risk_flags }) => [
    `${kind} ${address}`,
    risk_flags.map(({ rule }) => rule),
  ]);
  expect(Object.fromEntries(reported)).toEqual({
    "changed aws_eks_access_entry.ops": ["R11"],
    "missing aws_eks_access_policy_association.AmazonEKSEditPolicy": ["R12"],
  });
});
