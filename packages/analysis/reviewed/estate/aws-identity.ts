import type { JsonObject } from "@leeway/shared/values/json";

import { policyDocument } from "../plan.ts";
import { ACCOUNT, tagged } from "./aws-network.ts";

/** Builds a trust statement that lets an AWS service assume the role. */
export function trustOfService(service: string): JsonObject {
  return { Principal: { Service: `${service}.amazonaws.com` }, Action: "sts:AssumeRole" };
}

/** Builds a role with these trust statements. */
export function role(name: string, ...trust: JsonObject[]): JsonObject {
  return {
    id: name,
    arn: `arn:aws:iam::${ACCOUNT}:role/${name}`,
    name,
    name_prefix: "",
    path: "/",
    assume_role_policy: policyDocument(...trust),
    description: "",
    force_detach_policies: false,
    inline_policy: [],
    managed_policy_arns: [],
    max_session_duration: 3600,
    permissions_boundary: "",
    unique_id: "AROAXFBQ6ZK5V7T4M2P9L",
    ...tagged(name),
  };
}

/** Builds an inline policy, as `aws_iam_role_policy`. */
export function rolePolicy(roleName: string, name: string, ...statements: JsonObject[]): JsonObject {
  const policy = policyDocument(...statements);
  return { id: `${roleName}:${name}`, name, name_prefix: "", role: roleName, policy };
}

/** Builds a customer managed policy, as `aws_iam_policy`. */
export function managedPolicy(name: string, ...statements: JsonObject[]): JsonObject {
  return {
    id: `arn:aws:iam::${ACCOUNT}:policy/${name}`,
    arn: `arn:aws:iam::${ACCOUNT}:policy/${name}`,
    name,
    name_prefix: "",
    path: "/",
    description: "",
    policy: policyDocument(...statements),
    policy_id: "ANPAXFBQ6ZK5QH3M8N2TR",
    ...tagged(name),
  };
}

/** Attaches an AWS managed policy to a role, as `aws_iam_role_policy_attachment`. */
export function attachment(roleName: string, policyName: string): JsonObject {
  const policy_arn = `arn:aws:iam::aws:policy/${policyName}`;
  return { id: `${roleName}-20260311093412771200000001`, role: roleName, policy_arn };
}

export function user(name: string): JsonObject {
  return {
    id: name,
    arn: `arn:aws:iam::${ACCOUNT}:user/${name}`,
    name,
    path: "/",
    force_destroy: false,
    permissions_boundary: "",
    unique_id: "AIDAXFBQ6ZK5R2N7W8C4J",
    ...tagged(name),
  };
}

export const READ_REPORTS: JsonObject = {
  Sid: "ReadReports",
  Action: ["s3:GetObject", "s3:ListBucket"],
  Resource: ["arn:aws:s3:::lumen-reports", "arn:aws:s3:::lumen-reports/*"],
};

export const EVERYTHING: JsonObject = { Sid: "Everything", Action: "*", Resource: "*" };

const GITHUB = "token.actions.githubusercontent.com";

/** Builds a trust statement for GitHub Actions; `conditions` limit the token's `sub`. */
export function trustOfGithub(conditions: JsonObject): JsonObject {
  return {
    Principal: { Federated: `arn:aws:iam::${ACCOUNT}:oidc-provider/${GITHUB}` },
    Action: "sts:AssumeRoleWithWebIdentity",
    Condition: { StringEquals: { [`${GITHUB}:aud`]: "sts.amazonaws.com" }, ...conditions },
  };
}

export function githubSubject(pattern: string): JsonObject {
  return { StringLike: { [`${GITHUB}:sub`]: pattern } };
}

export const trail: JsonObject = {
  id: `arn:aws:cloudtrail:eu-central-1:${ACCOUNT}:trail/account`,
  arn: `arn:aws:cloudtrail:eu-central-1:${ACCOUNT}:trail/account`,
  name: "account",
  cloud_watch_logs_group_arn: `arn:aws:logs:eu-central-1:${ACCOUNT}:log-group:/cloudtrail/account:*`,
  cloud_watch_logs_role_arn: `arn:aws:iam::${ACCOUNT}:role/cloudtrail-logs`,
  enable_log_file_validation: true,
  enable_logging: true,
  event_selector: [],
  home_region: "eu-central-1",
  include_global_service_events: true,
  is_multi_region_trail: true,
  is_organization_trail: false,
  kms_key_id: `arn:aws:kms:eu-central-1:${ACCOUNT}:key/1f0a6d3c-8b27-4e95-a4c1-6e8d2b7f9035`,
  s3_bucket_name: "lumen-audit-logs",
  s3_key_prefix: "",
  sns_topic_name: "",
  ...tagged("account"),
};

export const detector: JsonObject = {
  id: "b4c8e1f2d5a6470f9c3b8e7d6a5f4c21",
  arn: `arn:aws:guardduty:eu-central-1:${ACCOUNT}:detector/b4c8e1f2d5a6470f9c3b8e7d6a5f4c21`,
  account_id: ACCOUNT,
  enable: true,
  finding_publishing_frequency: "FIFTEEN_MINUTES",
  datasources: [{ s3_logs: [{ enable: true }], kubernetes: [{ audit_logs: [{ enable: true }] }] }],
  ...tagged("guardduty"),
};
