import { expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import {
  create,
  policy,
  remove,
  findingBy,
  update,
  type Given,
  type Rating,
  type RatedFinding,
} from "../change.fixture.ts";

const FULL = policy({ Action: "*", Resource: "*" });
const ADMINISTRATOR = "arn:aws:iam::aws:policy/AdministratorAccess";
const escalation: Rating = ["privilege_escalation", "medium", "critical"];
function trust(principal: JsonObject | string, condition: JsonObject = {}): JsonObject {
  const { policy: assume_role_policy = "" } = policy({
    Principal: principal,
    Action: "sts:AssumeRole",
    Condition: condition,
  });
  return { arn: "arn:aws:iam::111111111111:role/main", assume_role_policy };
}
const EVERYTHING = { api_groups: ["*"], resources: ["*"], verbs: ["*"] };
const manifest = (kind: string, more: JsonObject): JsonObject => ({
  manifest: { apiVersion: "rbac.authorization.k8s.io/v1", kind, ...more },
});
const account = (id: string): JsonObject => ({ AWS: `arn:aws:iam::${id}:root` });

test.each<[string, Given, RatedFinding | undefined]>([
  ["a policy that allows all", create("aws_iam_policy", FULL), [...escalation, [["policy"]]]],
  [
    "a policy that allows *:*",
    create("aws_iam_role_policy", policy({ Action: ["*:*"], Resource: ["*"] })),
    [...escalation, [["policy"]]],
  ],
  ...["arn:*", "arn:aws:*", "arn:aws:*:*:*:*", "**"].map((resource): [string, Given, RatedFinding] => [
    `a policy that allows all of ${resource}`,
    create("aws_iam_policy", policy({ Action: "*", Resource: resource })),
    [...escalation, [["policy"]]],
  ]),
  [
    "a policy that allows all of one service",
    create("aws_iam_policy", policy({ Action: "*", Resource: "arn:aws:s3:::*" })),
    undefined,
  ],
  [
    "an inline policy of a role",
    create("aws_iam_role", { inline_policy: [{ name: "a", policy: FULL["policy"] ?? "" }] }),
    [...escalation, [["inline_policy", 0, "policy"]]],
  ],
  [
    "a policy that already allowed all",
    update("aws_iam_policy", FULL, policy({ Action: "*", Resource: "*", Sid: "x" })),
    undefined,
  ],
  [
    "a policy that allows some",
    create("aws_iam_policy", policy({ Action: "s3:*", Resource: "*" })),
    ["broad_rights", "medium", "high", [["policy"]]],
  ],
  [
    "a policy that allows all but an action",
    create("aws_iam_policy", policy({ NotAction: "s3:DeleteBucket", Resource: "*" })),
    [...escalation, [["policy"]]],
  ],
  [
    "a policy that allows all except for a resource",
    create("aws_iam_policy", policy({ Action: "*", NotResource: "arn:aws:s3:::a" })),
    [...escalation, [["policy"]]],
  ],
  [
    "a policy that allows all except IAM actions",
    create("aws_iam_policy", policy({ NotAction: ["iam:*", "organizations:*"], Resource: "*" })),
    ["broad_rights", "medium", "high", [["policy"]]],
  ],
  [
    "a policy that allows all, in Pulumi's format",
    create("aws-native:iam:ManagedPolicy", {
      policyDocument: { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "*", Resource: "*" }] },
    }),
    [...escalation, [["policyDocument"]]],
  ],
  [
    "an inline policy of a role that allows all, in Pulumi's format",
    create("aws-native:iam:Role", {
      policies: [
        {
          policyName: "all",
          policyDocument: { statement: { effect: "Allow", action: ["*"], resource: ["*"] } },
        },
      ],
    }),
    [...escalation, [["policies", 0, "policyDocument"]]],
  ],
  [
    "a role that trusts everyone, in Pulumi's format",
    create("aws-native:iam:Role", {
      assumeRolePolicyDocument: {
        Statement: [{ Effect: "Allow", Principal: { AWS: "*" }, Action: "sts:AssumeRole" }],
      },
    }),
    [...escalation, [["assumeRolePolicyDocument"]]],
  ],
  [
    "a policy that allows some actions, in Pulumi's format",
    create("aws-native:iam:ManagedPolicy", {
      policyDocument: { Statement: [{ Effect: "Allow", Action: "s3:*", Resource: "*" }] },
    }),
    ["broad_rights", "medium", "high", [["policyDocument"]]],
  ],
  [
    "AdministratorAccess",
    create("aws_iam_role_policy_attachment", { role: "a", policy_arn: ADMINISTRATOR }),
    [...escalation, [["policy_arn"]]],
  ],
  [
    "AdministratorAccess in a role's policies",
    update("aws_iam_role", { managed_policy_arns: [] }, { managed_policy_arns: [ADMINISTRATOR] }),
    [...escalation, [["managed_policy_arns"]]],
  ],
  [
    "AdministratorAccess for an additional user",
    update(
      "aws_iam_policy_attachment",
      { policy_arn: ADMINISTRATOR, users: ["a"] },
      { policy_arn: ADMINISTRATOR, users: ["a", "b"] },
    ),
    [...escalation, [["policy_arn"]]],
  ],
  [
    "AdministratorAccess for one user less",
    update(
      "aws_iam_policy_attachment",
      { policy_arn: ADMINISTRATOR, users: ["a", "b"] },
      { policy_arn: ADMINISTRATOR, users: ["a"] },
    ),
    undefined,
  ],
  [
    "ReadOnlyAccess",
    create("aws_iam_role_policy_attachment", {
      role: "a",
      policy_arn: "arn:aws:iam::aws:policy/ReadOnlyAccess",
    }),
    undefined,
  ],
  [
    "AdministratorAccess that is detached",
    remove("aws_iam_role_policy_attachment", { policy_arn: ADMINISTRATOR }),
    undefined,
  ],
  [
    "roles/owner",
    create("google_project_iam_member", { role: "roles/owner", member: "user:a@b.c" }),
    [...escalation, [["role"]]],
  ],
  [
    "roles/owner for an additional member",
    update(
      "google_project_iam_binding",
      { role: "roles/owner", members: ["a"] },
      { role: "roles/owner", members: ["b", "a"] },
    ),
    [...escalation, [["role"]]],
  ],
  [
    "roles/viewer",
    create("google_project_iam_member", { role: "roles/viewer", member: "user:a@b.c" }),
    undefined,
  ],
  [
    "roles/owner in a document",
    create("google_project_iam_policy", {
      policy_data: JSON.stringify({ bindings: [{ role: "roles/owner", members: ["a"] }] }),
    }),
    [...escalation, [["policy_data"]]],
  ],
  [
    "Owner",
    create("azurerm_role_assignment", { role_definition_name: "Owner", principal_id: "a" }),
    [...escalation, [["role_definition_name"]]],
  ],
  [
    "Owner by its id",
    create("azurerm_role_assignment", {
      role_definition_id:
        "/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/8e3af657-a8ff-443c-a75c-2fe8c4bcb635",
    }),
    [...escalation, [["role_definition_id"]]],
  ],
  ["Reader", create("azurerm_role_assignment", { role_definition_name: "Reader" }), undefined],
  [
    "a custom role with all actions",
    create("azurerm_role_definition", { permissions: [{ actions: ["*"] }] }),
    [...escalation, [["permissions", 0, "actions"]]],
  ],
  [
    "a custom role with all actions in its second block",
    create("azurerm_role_definition", { permissions: [{ actions: ["a/read"] }, { actions: ["*"] }] }),
    [...escalation, [["permissions", 1, "actions"]]],
  ],
  [
    "a custom role with all actions except access management",
    create("azurerm_role_definition", {
      permissions: [{ actions: ["*"], not_actions: ["Microsoft.Authorization/*/Write"] }],
    }),
    undefined,
  ],
  [
    "a custom role with all actions except access management, in Pulumi's format",
    create("azure-native:authorization:RoleDefinition", {
      permissions: [{ actions: ["*"], notActions: ["Microsoft.Authorization/*"] }],
    }),
    undefined,
  ],
  [
    "a custom role with all actions except deletion",
    create("azurerm_role_definition", { permissions: [{ actions: ["*"], not_actions: ["*/delete"] }] }),
    [...escalation, [["permissions", 0, "actions"]]],
  ],
  [
    "a custom role that can't assign roles but can rewrite itself",
    create("azurerm_role_definition", {
      permissions: [{ actions: ["*"], not_actions: ["Microsoft.Authorization/roleAssignments/*"] }],
    }),
    [...escalation, [["permissions", 0, "actions"]]],
  ],
  [
    "a custom role whose exclusions are removed",
    update(
      "azurerm_role_definition",
      { permissions: [{ actions: ["*"], not_actions: ["Microsoft.Authorization/*"] }] },
      { permissions: [{ actions: ["*"], not_actions: [] }] },
    ),
    [...escalation, [["permissions", 0, "actions"]]],
  ],
  [
    "a custom role with all actions, in Resource Manager's format",
    create("azapi_resource", {
      type: "Microsoft.Authorization/roleDefinitions@2022-04-01",
      body: { properties: { permissions: [{ actions: ["*"], notActions: [] }] } },
    }),
    [...escalation, [["body", "properties", "permissions", 0, "actions"]]],
  ],
  ...["azurerm_pim_active_role_assignment", "azurerm_pim_eligible_role_assignment"].map(
    (type): [string, Given, RatedFinding] => [
      `Owner by ${type}`,
      create(type, { role_definition_id: "/roleDefinitions/8e3af657-a8ff-443c-a75c-2fe8c4bcb635" }),
      [...escalation, [["role_definition_id"]]],
    ],
  ),
  [
    "a cluster role with all verbs",
    create("kubernetes_cluster_role", { rule: [{ verbs: ["get"] }, EVERYTHING] }),
    [...escalation, [["rule", 1, "verbs"]]],
  ],
  [
    "a cluster role with read access to all",
    create("kubernetes_cluster_role", { rule: [{ ...EVERYTHING, verbs: ["get"] }] }),
    undefined,
  ],
  [
    "a cluster role with all verbs, in a manifest",
    create("kubernetes_manifest", manifest("ClusterRole", { rules: [{ apiGroups: ["*"], ...EVERYTHING }] })),
    [...escalation, [["manifest", "rules", 0, "verbs"]]],
  ],
  [
    "cluster-admin in a manifest",
    create("kubernetes_manifest", manifest("ClusterRoleBinding", { roleRef: { name: "cluster-admin" } })),
    [...escalation, [["manifest", "roleRef", "name"]]],
  ],
  [
    "a superuser of PostgreSQL",
    update("postgresql_role", { name: "a", superuser: false }, { name: "a", superuser: true }),
    [...escalation, [["superuser"]]],
  ],
  [
    "a RabbitMQ administrator",
    update("rabbitmq_user", { name: "a", tags: ["monitoring"] }, { name: "a", tags: ["administrator"] }),
    [...escalation, [["tags"]]],
  ],
  ...(
    [
      [
        "aws_iam_role_policy_attachment",
        { policy_arn: "arn:aws:iam::aws:policy/IAMFullAccess" },
        "policy_arn",
      ],
      [
        "azurerm_role_assignment",
        { role_definition_name: "User Access Administrator" },
        "role_definition_name",
      ],
      ["google_project_iam_member", { role: "roles/resourcemanager.projectIamAdmin" }, "role"],
      ["google_folder_iam_binding", { role: "roles/iam.securityAdmin" }, "role"],
    ] as const
  ).map(([type, after, attribute]): [string, Given, RatedFinding] => [
    `a role that can make anyone an administrator: ${type}`,
    create(type, after),
    [...escalation, [[attribute]]],
  ]),
  [
    "full access to IAM",
    create("aws_iam_policy", policy({ Action: "iam:*", Resource: "*" })),
    [...escalation, [["policy"]]],
  ],
  ["read access to IAM", create("aws_iam_policy", policy({ Action: "iam:Get*", Resource: "*" })), undefined],
  [
    "a role that principals with any role name can assume",
    create("aws_iam_role", trust("*", { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/*" } })),
    [...escalation, [["assume_role_policy"]]],
  ],
  [
    "cluster-admin",
    create("kubernetes_cluster_role_binding", { role_ref: [{ name: "cluster-admin" }] }),
    [...escalation, [["role_ref", 0, "name"]]],
  ],
  [
    "a role that everyone can assume",
    create("aws_iam_role", trust("*")),
    [...escalation, [["assume_role_policy"]]],
  ],
  [
    "a role that everyone can assume, in Cloud Control's format",
    create("awscc_iam_role", { assume_role_policy_document: trust("*")["assume_role_policy"] ?? "" }),
    [...escalation, [["assume_role_policy_document"]]],
  ],
  [
    "a role that everyone in an organization can assume",
    create("aws_iam_role", trust("*", { StringEquals: { "aws:PrincipalOrgID": "o-1" } })),
    undefined,
  ],
  [
    "a role that another account can now assume",
    update("aws_iam_role", trust(account("111111111111")), trust(account("222222222222"))),
    [...escalation, [["assume_role_policy"]]],
  ],
  [
    "a role that its own account can now assume",
    update("aws_iam_role", trust({ Service: "ec2.amazonaws.com" }), trust(account("111111111111"))),
    undefined,
  ],
  [
    "a role that another account could already assume",
    update(
      "aws_iam_role",
      trust(account("222222222222")),
      trust({ AWS: ["arn:aws:iam::222222222222:role/a"] }),
    ),
    undefined,
  ],
])("R11: %s", (_name, given, expected) => {
  expect(findingBy("R11", given)).toEqual(expected);
});
