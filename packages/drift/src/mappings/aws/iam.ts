import type { MappingTable, Row, Shape } from "../../mapping.ts";
import { inlinePolicies } from "../../inline-policies.ts";
import { mirrored } from "../../mirrored.ts";
import { besideParts, TRUST } from "../../parts.ts";
import { document, policyInForce, row, same, unlessGone } from "../../shapes.ts";

const BOUNDARY = row("PermissionsBoundary.PermissionsBoundaryArn | PermissionsBoundary");
const POLICY_DOCUMENT = row("PolicyDocument", document);
const MANAGED_POLICIES = besideParts(
  ["policy_arn", "policy_arns"],
  row("AttachedManagedPolicies[].PolicyArn | ManagedPolicyArns"),
);
const GROUPS = row("GroupList | Groups");

/** Returns rows for policies of a user or group, which only separate resources declare. */
function attached(inline: string): Record<string, Row> {
  return {
    inline_policy: { ...row(`${inline} | Policies`, inlinePolicies), unstated: [] },
    managed_policy_arns: { ...MANAGED_POLICIES, unstated: [] },
  };
}

/** Compares declared items. Other resources may declare further ones. */
const remaining: Shape = (live, declared) =>
  Array.isArray(live) && Array.isArray(declared) ? declared.filter((item) => live.includes(item)) : undefined;

const instanceRole: Shape = (roles, declared) =>
  Array.isArray(roles) ? mirrored(roles[0] ?? "", declared) : undefined;

/** AWS types for access management; see `AWS`. */
export const AWS_IAM: MappingTable = {
  aws_iam_role: {
    ...same("description path max_session_duration"),
    assume_role_policy: row(TRUST, document),
    permissions_boundary: unlessGone(BOUNDARY, TRUST),
    inline_policy: unlessGone(row("RolePolicyList | Policies", inlinePolicies), TRUST),
    managed_policy_arns: unlessGone(MANAGED_POLICIES, TRUST),
  },
  aws_iam_policy: {
    ...same("description path"),
    policy: row("PolicyDocument | PolicyVersionList", policyInForce),
  },
  aws_iam_role_policy: { policy: POLICY_DOCUMENT },
  aws_iam_user_policy: { policy: POLICY_DOCUMENT },
  aws_iam_group_policy: { policy: POLICY_DOCUMENT },
  aws_iam_user: {
    path: "Path",
    permissions_boundary: unlessGone(BOUNDARY, "Path"),
    ...attached("UserPolicyList"),
    groups: { ...besideParts(["group", "groups"], GROUPS, "_membership"), unstated: [] },
  },
  aws_iam_user_group_membership: { groups: { ...GROUPS, shape: remaining } },
  aws_iam_group: { path: "Path", ...attached("GroupPolicyList") },
  aws_eks_access_entry: {
    ...same("kubernetes_groups"),
    access_policies: { ...besideParts(["policy_arn"], row("AccessPolicies[].PolicyArn")), unstated: [] },
  },
  // A profile lists at most one role.
  aws_iam_instance_profile: { path: "Path", role: row("Roles[].RoleName | Roles", instanceRole) },
  aws_iam_openid_connect_provider: same("client_id_list thumbprint_list"),
};
