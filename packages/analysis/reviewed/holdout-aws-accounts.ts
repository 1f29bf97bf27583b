import { ACCOUNT, tagged } from "./estate/aws-network.ts";
import {
  clusterAccess,
  EUROPE_ONLY,
  guardrails,
  INSTANCE,
  KEEP_TRAILS,
  managedPolicy,
  ORG,
  PERMISSION_SET,
  permissionSet,
} from "./holdout-estate/aws-accounts.ts";
import { created, destroyed, planOf, policyDocument, type ReviewedPlan, updated } from "./plan.ts";

/** AWS: the organization, Identity Center and access to clusters. */
export const HOLDOUT_AWS_ACCOUNTS: readonly ReviewedPlan[] = [
  {
    name: "a guardrail no longer protects the audit trails",
    level: "high",
    why: "Administrators of every account may stop CloudTrail.",
    plan: planOf(
      updated(
        "aws_organizations_policy.guardrails",
        guardrails(KEEP_TRAILS, EUROPE_ONLY),
        guardrails(EUROPE_ONLY),
      ),
    ),
  },
  {
    name: "a guardrail limits the regions",
    level: "medium",
    why: "A stricter policy; it may stop work in other regions.",
    plan: planOf(
      updated(
        "aws_organizations_policy.guardrails",
        guardrails(KEEP_TRAILS),
        guardrails(KEEP_TRAILS, EUROPE_ONLY),
      ),
    ),
  },
  {
    name: "guardrails are detached from the production accounts",
    level: "high",
    why: "Limits no longer apply to the accounts.",
    plan: planOf(
      destroyed("aws_organizations_policy_attachment.production", {
        id: "ou-ab12-c3d4e5f6:p-0a1b2c3d",
        policy_id: "p-0a1b2c3d",
        target_id: "ou-ab12-c3d4e5f6",
        skip_destroy: false,
      }),
    ),
  },
  {
    name: "an account is closed",
    level: "critical",
    why: "The account and everything in it is closed.",
    plan: planOf(
      destroyed("aws_organizations_account.analytics", {
        id: "715520063413",
        arn: `${ORG}:account/o-7x2k9q4m1p/715520063413`,
        name: "analytics",
        email: "aws+analytics@lumen-shop.example",
        close_on_deletion: true,
        parent_id: "ou-ab12-c3d4e5f6",
        status: "ACTIVE",
        ...tagged("analytics"),
      }),
    ),
  },
  {
    name: "the security account administers GuardDuty",
    level: "medium",
    why: "Another account gets administration of one service.",
    plan: planOf(
      created("aws_organizations_delegated_administrator.guardduty", {
        account_id: "640183927755",
        service_principal: "guardduty.amazonaws.com",
      }),
    ),
  },
  {
    name: "a permission set gets administrator access",
    level: "critical",
    why: "Everyone assigned to the set administers the account.",
    plan: planOf(
      created("aws_ssoadmin_managed_policy_attachment.developers", managedPolicy("AdministratorAccess")),
    ),
  },
  {
    name: "a permission set gets read access to settings",
    level: "medium",
    why: "A read-only policy, but a change of IAM.",
    plan: planOf(
      created(
        "aws_ssoadmin_managed_policy_attachment.developers",
        managedPolicy("job-function/ViewOnlyAccess"),
      ),
    ),
  },
  {
    name: "a permission set may do everything, inline",
    level: "critical",
    why: "The inline policy is full administration.",
    plan: planOf(
      created("aws_ssoadmin_permission_set_inline_policy.developers", {
        instance_arn: INSTANCE,
        permission_set_arn: PERMISSION_SET,
        inline_policy: policyDocument({ Action: "*", Resource: "*" }),
      }),
    ),
  },
  {
    name: "a group gets a permission set in an account",
    level: "medium",
    why: "People gain access; the plan doesn't show how much.",
    plan: planOf(
      created("aws_ssoadmin_account_assignment.developers", {
        instance_arn: INSTANCE,
        permission_set_arn: PERMISSION_SET,
        principal_id: "93847562-10c1-4f3e-9d2b-5a6c7e8f9012",
        principal_type: "GROUP",
        target_id: ACCOUNT,
        target_type: "AWS_ACCOUNT",
      }),
    ),
  },
  {
    name: "a permission set's description",
    level: "none",
    why: "Description only.",
    plan: planOf(
      updated("aws_ssoadmin_permission_set.developers", permissionSet, {
        description: "Developers of the shop",
      }),
    ),
  },
  {
    name: "sessions of a permission set last twelve hours",
    level: "medium",
    why: "Stolen sessions live longer.",
    plan: planOf(
      updated("aws_ssoadmin_permission_set.developers", permissionSet, { session_duration: "PT12H" }),
    ),
  },
  {
    name: "developers administer a cluster",
    level: "critical",
    why: "Full administration of the production cluster.",
    plan: planOf(
      created(
        "aws_eks_access_policy_association.developers",
        clusterAccess("AmazonEKSClusterAdminPolicy", { type: "cluster", namespaces: [] }),
      ),
    ),
  },
  {
    name: "developers may read one namespace",
    level: "medium",
    why: "Read access to one namespace.",
    plan: planOf(
      created(
        "aws_eks_access_policy_association.developers",
        clusterAccess("AmazonEKSViewPolicy", { type: "namespace", namespaces: ["shop"] }),
      ),
    ),
  },
  {
    name: "a role reads one table of the data lake",
    level: "medium",
    why: "A grant on data.",
    plan: planOf(
      created("aws_lakeformation_permissions.reports", {
        principal: `arn:aws:iam::${ACCOUNT}:role/reports`,
        permissions: ["SELECT"],
        permissions_with_grant_option: [],
        table: [{ catalog_id: ACCOUNT, database_name: "sales", name: "invoices", wildcard: false }],
        catalog_resource: false,
      }),
    ),
  },
  {
    name: "a service gets its service-linked role",
    level: "low",
    why: "AWS defines what the role may do.",
    plan: planOf(
      created("aws_iam_service_linked_role.opensearch", {
        aws_service_name: "opensearchservice.amazonaws.com",
        custom_suffix: null,
        description: "",
        name: "AWSServiceRoleForAmazonOpenSearchService",
        path: "/aws-service-role/opensearchservice.amazonaws.com/",
        arn: "",
        unique_id: "",
      }),
    ),
  },
];
