import {
  attachment,
  EVERYTHING,
  managedPolicy,
  READ_REPORTS,
  role,
  trustOfService,
  user,
} from "../estate/aws-identity.ts";
import { ACCOUNT, ANYWHERE, appGroup, block, groupRule, ingressRule } from "../estate/aws-network.ts";
import { knownWhenNew, policyDocument } from "../plan.ts";
import type { CommonType } from "./common-type.ts";

const egress = [
  {
    ipProtocol: "-1",
    ipv4Ranges: [{ cidrIp: "0.0.0.0/0" }],
    ipv6Ranges: [],
    prefixListIds: [],
    userIdGroupPairs: [],
  },
];
const group = {
  description: "Servers of the shop",
  groupName: "shop-app",
  groupId: "sg-0a7c2e19d4b8f6035",
  ownerId: ACCOUNT,
  vpcId: "vpc-0f3d6a1b9c8e74521",
  ipPermissionsEgress: egress,
};
const permission = (port: number, cidrIp: string) => ({
  fromPort: port,
  toPort: port,
  ipProtocol: "tcp",
  ipRanges: [cidrIp],
  ipv4Ranges: [{ cidrIp }],
  ipv6Ranges: [],
  prefixListIds: [],
  userIdGroupPairs: [],
});
const opensPostgres = { ...group, ipPermissions: [permission(5432, "0.0.0.0/0")] };

/** Encodes a policy document as AWS Config stores it. */
const encoded = (document: string): string => encodeURIComponent(document);
const ANYBODY = { Principal: { AWS: "*" }, Action: "sts:AssumeRole" };
const liveRole = {
  path: "/",
  roleName: "reports",
  roleId: "AROAXFBQ6ZK5V7T4M2P9L",
  arn: `arn:aws:iam::${ACCOUNT}:role/reports`,
  createDate: "2026-03-11T09:34:12.000Z",
  assumeRolePolicyDocument: encoded(policyDocument(trustOfService("lambda"))),
  instanceProfileList: [],
  rolePolicyList: [{ policyName: "read", policyDocument: encoded(policyDocument(READ_REPORTS)) }],
  attachedManagedPolicies: [],
  permissionsBoundary: null,
  tags: [],
};
const administrator = {
  policyName: "AdministratorAccess",
  policyArn: "arn:aws:iam::aws:policy/AdministratorAccess",
};
const livePolicy = (document: string) => ({
  policyName: "reports",
  policyId: "ANPAXFBQ6ZK5QH3M8N2TR",
  arn: `arn:aws:iam::${ACCOUNT}:policy/reports`,
  path: "/",
  defaultVersionId: "v1",
  attachmentCount: 1,
  isAttachable: true,
  createDate: "2026-03-11T09:34:12.000Z",
  policyVersionList: [{ document: encoded(document), versionId: "v1", isDefaultVersion: true }],
});
const liveUser = {
  path: "/",
  userName: "exporter",
  userId: "AIDAXFBQ6ZK5R2N7W8C4J",
  arn: `arn:aws:iam::${ACCOUNT}:user/exporter`,
  createDate: "2026-03-11T09:34:12.000Z",
  userPolicyList: [{ policyName: "read", policyDocument: encoded(policyDocument(READ_REPORTS)) }],
  groupList: [],
  attachedManagedPolicies: [],
  tags: [],
};
const userPolicy = (statement: typeof EVERYTHING) => ({
  name: "read",
  name_prefix: "",
  user: "exporter",
  policy: policyDocument(statement),
});

/** AWS: security groups and IAM. */
export const AWS_NETWORK_IDENTITY: readonly CommonType[] = [
  {
    type: "aws_security_group",
    harmless: knownWhenNew(appGroup),
    medium: "firewall",
    exposed: {
      after: knownWhenNew({ ...appGroup, ingress: [block(22, ANYWHERE)] }),
      level: "critical",
      why: "SSH is open to the internet.",
    },
    live: {
      provider_type: "AWS::EC2::SecurityGroup",
      harmless: { ...group, ipPermissions: [permission(8443, "10.20.0.0/16")] },
      exposed: { ...group, ipPermissions: [permission(22, "0.0.0.0/0")] },
      exposed_by: {
        aws_vpc_security_group_ingress_rule: opensPostgres,
        aws_security_group_rule: opensPostgres,
      },
    },
  },
  {
    type: "aws_vpc_security_group_ingress_rule",
    harmless: knownWhenNew(ingressRule(5432, "10.20.0.0/16")),
    medium: "firewall",
    exposed: {
      after: knownWhenNew(ingressRule(5432, "0.0.0.0/0")),
      level: "critical",
      why: "PostgreSQL is open to the internet.",
    },
    live: { part_of: "aws_security_group" },
  },
  {
    type: "aws_security_group_rule",
    harmless: knownWhenNew(groupRule(5432, ["10.20.0.0/16"])),
    medium: "firewall",
    exposed: {
      after: knownWhenNew(groupRule(5432, ANYWHERE)),
      level: "critical",
      why: "PostgreSQL is open to the internet.",
    },
    live: { part_of: "aws_security_group" },
  },
  {
    type: "aws_iam_role",
    harmless: knownWhenNew(role("reports", trustOfService("lambda"))),
    medium: "access",
    exposed: {
      after: knownWhenNew(role("reports", ANYBODY)),
      level: "critical",
      why: "Any AWS account can assume this role.",
    },
    live: {
      provider_type: "AWS::IAM::Role",
      harmless: liveRole,
      exposed: { ...liveRole, assumeRolePolicyDocument: encoded(policyDocument(ANYBODY)) },
      exposed_by: {
        aws_iam_role_policy_attachment: { ...liveRole, attachedManagedPolicies: [administrator] },
        aws_iam_role_policy: {
          ...liveRole,
          rolePolicyList: [{ policyName: "read", policyDocument: encoded(policyDocument(EVERYTHING)) }],
        },
      },
    },
  },
  {
    type: "aws_iam_role_policy",
    harmless: { name: "read", name_prefix: "", role: "reports", policy: policyDocument(READ_REPORTS) },
    medium: "access",
    exposed: {
      after: { name: "read", name_prefix: "", role: "reports", policy: policyDocument(EVERYTHING) },
      level: "critical",
      why: "The policy allows everything on everything.",
    },
    live: { part_of: "aws_iam_role" },
  },
  {
    type: "aws_iam_role_policy_attachment",
    harmless: knownWhenNew(attachment("reports", "service-role/AWSLambdaBasicExecutionRole")),
    medium: "access",
    exposed: {
      after: knownWhenNew(attachment("reports", "AdministratorAccess")),
      level: "critical",
      why: "The role becomes an administrator of the account.",
    },
    live: { part_of: "aws_iam_role" },
  },
  {
    type: "aws_iam_policy",
    harmless: knownWhenNew(managedPolicy("reports", READ_REPORTS)),
    medium: "access",
    exposed: {
      after: knownWhenNew(managedPolicy("reports", EVERYTHING)),
      level: "critical",
      why: "The policy allows everything on everything.",
    },
    live: {
      provider_type: "AWS::IAM::Policy",
      harmless: livePolicy(policyDocument(READ_REPORTS)),
      exposed: livePolicy(policyDocument(EVERYTHING)),
    },
  },
  {
    type: "aws_iam_user",
    harmless: knownWhenNew(user("exporter")),
    medium: "access",
    live: {
      provider_type: "AWS::IAM::User",
      harmless: liveUser,
      exposed: { ...liveUser, attachedManagedPolicies: [administrator] },
      exposed_by: {
        aws_iam_user_policy: {
          ...liveUser,
          userPolicyList: [{ policyName: "read", policyDocument: encoded(policyDocument(EVERYTHING)) }],
        },
      },
    },
  },
  {
    type: "aws_iam_user_policy",
    harmless: userPolicy(READ_REPORTS),
    medium: "access",
    exposed: {
      after: userPolicy(EVERYTHING),
      level: "critical",
      why: "The user becomes an administrator of the account.",
    },
    live: { part_of: "aws_iam_user" },
  },
];
