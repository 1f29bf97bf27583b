import type { JsonObject } from "@leeway/shared/values/json";

import { ACCOUNT, tagged } from "../estate/aws-network.ts";
import { policyDocument } from "../plan.ts";

export const ORG = "arn:aws:organizations::492801736650";
export const INSTANCE = "arn:aws:sso:::instance/ssoins-69877f0c1d2e3b4a";
export const PERMISSION_SET = "arn:aws:sso:::permissionSet/ssoins-69877f0c1d2e3b4a/ps-0a1b2c3d4e5f6789";
export const KEEP_TRAILS: JsonObject = {
  Sid: "KeepTrails",
  Effect: "Deny",
  Action: ["cloudtrail:StopLogging", "cloudtrail:DeleteTrail"],
  Resource: "*",
};
export const EUROPE_ONLY: JsonObject = {
  Sid: "EuropeOnly",
  Effect: "Deny",
  NotAction: ["iam:*", "organizations:*", "route53:*", "sts:*"],
  Resource: "*",
  Condition: { StringNotEquals: { "aws:RequestedRegion": ["eu-central-1", "eu-west-1"] } },
};
export const guardrails = (...statements: JsonObject[]): JsonObject => ({
  id: "p-0a1b2c3d",
  arn: `${ORG}:policy/o-7x2k9q4m1p/service_control_policy/p-0a1b2c3d`,
  name: "guardrails",
  type: "SERVICE_CONTROL_POLICY",
  description: "Guardrails of all accounts",
  skip_destroy: false,
  content: policyDocument(...statements),
  ...tagged("guardrails"),
});
export const permissionSet: JsonObject = {
  id: `${PERMISSION_SET},${INSTANCE}`,
  arn: PERMISSION_SET,
  instance_arn: INSTANCE,
  name: "Developers",
  description: "Developers",
  relay_state: "",
  session_duration: "PT1H",
  ...tagged("Developers"),
};
export const managedPolicy = (name: string): JsonObject => ({
  instance_arn: INSTANCE,
  permission_set_arn: PERMISSION_SET,
  managed_policy_arn: `arn:aws:iam::aws:policy/${name}`,
  managed_policy_name: "",
});
export const clusterAccess = (policy: string, scope: JsonObject): JsonObject => ({
  cluster_name: "production",
  principal_arn: `arn:aws:iam::${ACCOUNT}:role/developers`,
  policy_arn: `arn:aws:eks::aws:cluster-access-policy/${policy}`,
  access_scope: [scope],
});
