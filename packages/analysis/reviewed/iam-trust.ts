import { githubSubject, role, rolePolicy, trustOfGithub, trustOfService } from "./estate/aws-identity.ts";
import { ACCOUNT } from "./estate/aws-network.ts";
import { created, destroyed, planOf, policyDocument, type ReviewedPlan, updated } from "./plan.ts";

const onEverything = (...Action: string[]) => ({ Action, Resource: "*" });
const ASSUME = "sts:AssumeRole";
const VENDOR = { AWS: "arn:aws:iam::464622532012:root" };
const lambdaRole = role("emails", trustOfService("lambda"));

/** AWS: trust policies, boundaries and permission sets. */
export const IAM_TRUST: readonly ReviewedPlan[] = [
  {
    name: "a role that trusts everyone",
    level: "critical",
    why: "Any AWS account in the world could assume this role.",
    plan: planOf(created("aws_iam_role.partner", role("partner", { Principal: "*", Action: ASSUME }))),
  },
  {
    name: "a role that trusts the whole organization",
    level: "medium",
    why: "The condition limits the wildcard to our own organization.",
    plan: planOf(
      created(
        "aws_iam_role.shared",
        role("shared", {
          Principal: { AWS: "*" },
          Action: ASSUME,
          Condition: { StringEquals: { "aws:PrincipalOrgID": "o-4f8k2m9q1x" } },
        }),
      ),
    ),
  },
  {
    name: "a role for GitHub Actions on one branch",
    level: "medium",
    why: "Only the main branch of our own repository; check what the role can do.",
    plan: planOf(
      created(
        "aws_iam_role.deploy",
        role("deploy", trustOfGithub(githubSubject("repo:lumen-shop/infra:ref:refs/heads/main"))),
      ),
    ),
  },
  {
    name: "a role for GitHub Actions without a `sub` condition",
    level: "critical",
    why: "Any repository on GitHub could assume this role.",
    plan: planOf(created("aws_iam_role.deploy", role("deploy", trustOfGithub({})))),
  },
  {
    name: "a role for GitHub Actions in `repo:*`",
    level: "critical",
    why: "`repo:*` is every repository on GitHub.",
    plan: planOf(created("aws_iam_role.deploy", role("deploy", trustOfGithub(githubSubject("repo:*"))))),
  },
  {
    name: "a role starts to trust a foreign account",
    level: "critical",
    why: "Account 464622532012 could assume this role, and no external id is required.",
    plan: planOf(
      updated("aws_iam_role.reporting", role("reporting", trustOfService("ec2")), {
        assume_role_policy: policyDocument({ Principal: VENDOR, Action: ASSUME }),
      }),
    ),
  },
  {
    name: "a role for a vendor with an external id",
    level: "medium",
    why: "The vendor's documented setup; check the account number.",
    plan: planOf(
      created(
        "aws_iam_role.monitoring",
        role("monitoring", {
          Principal: VENDOR,
          Action: ASSUME,
          Condition: { StringEquals: { "sts:ExternalId": "f3b1c7d29a4e4f60" } },
        }),
      ),
    ),
  },
  {
    name: "a policy that allows assuming every role",
    level: "high",
    why: "`sts:AssumeRole` on `*` reaches every role that trusts the account.",
    plan: planOf(created("aws_iam_role_policy.jobs", rolePolicy("jobs", "roles", onEverything(ASSUME)))),
  },
  {
    name: "a role loses its permissions boundary",
    level: "high",
    why: "The boundary is what keeps this role's wide policy in check.",
    plan: planOf(
      updated(
        "aws_iam_role.team",
        {
          ...role("team", trustOfService("ec2")),
          permissions_boundary: `arn:aws:iam::${ACCOUNT}:policy/team-boundary`,
        },
        { permissions_boundary: "" },
      ),
    ),
  },
  {
    name: "a role's description",
    level: "none",
    why: "Description only.",
    plan: planOf(
      updated("aws_iam_role.emails", lambdaRole, { description: "Runs the function that sends e-mails" }),
    ),
  },
  {
    name: "AdministratorAccess in a permission set",
    level: "critical",
    why: "Everyone with this permission set becomes an administrator of its accounts.",
    plan: planOf(
      created("aws_ssoadmin_managed_policy_attachment.support", {
        id: "arn:aws:iam::aws:policy/AdministratorAccess,arn:aws:sso:::permissionSet/ssoins-6987c2b1/ps-3f1e",
        instance_arn: "arn:aws:sso:::instance/ssoins-6987c2b1",
        managed_policy_arn: "arn:aws:iam::aws:policy/AdministratorAccess",
        managed_policy_name: "AdministratorAccess",
        permission_set_arn: "arn:aws:sso:::permissionSet/ssoins-6987c2b1/ps-3f1e",
      }),
    ),
  },
  {
    name: "an access policy that makes a role cluster admin",
    level: "critical",
    why: "The role would control everything in the production cluster.",
    plan: planOf(
      created("aws_eks_access_policy_association.dev", {
        id: "production#developers",
        cluster_name: "production",
        principal_arn: `arn:aws:iam::${ACCOUNT}:role/developers`,
        policy_arn: "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy",
        access_scope: [{ type: "cluster", namespaces: [] }],
      }),
    ),
  },
  {
    name: "a service control policy is detached from the root",
    level: "high",
    why: "Every account would lose its guardrails.",
    plan: planOf(
      destroyed("aws_organizations_policy_attachment.guardrails", {
        id: "r-4x2k:p-9c1f7a3b",
        policy_id: "p-9c1f7a3b",
        target_id: "r-4x2k",
        skip_destroy: null,
      }),
    ),
  },
];
