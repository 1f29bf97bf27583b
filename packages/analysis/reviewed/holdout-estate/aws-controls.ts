import type { JsonObject } from "@leeway/shared/values/json";

import { KEY_ARN } from "../estate/aws-data.ts";
import { ACCOUNT, tagged } from "../estate/aws-network.ts";

export const DETECTOR = "b4c8e1f2d5a6470f9c3b8e7d6a5f4c21";
export const filter = (criterion: JsonObject[]): JsonObject => ({
  name: "archive",
  detector_id: DETECTOR,
  action: "ARCHIVE",
  rank: 1,
  description: "",
  finding_criteria: [{ criterion }],
  arn: "",
  ...tagged("archive"),
});
export const pool: JsonObject = {
  id: "eu-central-1_aB3dE6fG9",
  arn: `arn:aws:cognito-idp:eu-central-1:${ACCOUNT}:userpool/eu-central-1_aB3dE6fG9`,
  name: "customers",
  deletion_protection: "ACTIVE",
  mfa_configuration: "ON",
  software_token_mfa_configuration: [{ enabled: true }],
  admin_create_user_config: [{ allow_admin_create_user_only: true, invite_message_template: [] }],
  password_policy: [{ minimum_length: 12, require_numbers: true, temporary_password_validity_days: 3 }],
  email_verification_subject: "Your code",
  user_pool_add_ons: [{ advanced_security_mode: "ENFORCED" }],
  ...tagged("customers"),
};
export const client: JsonObject = {
  id: "3n4b5v6c7x8z9a0s1d2f3g4h5j",
  name: "shop",
  user_pool_id: "eu-central-1_aB3dE6fG9",
  allowed_oauth_flows: ["code"],
  allowed_oauth_scopes: ["openid", "email"],
  callback_urls: ["https://www.lumen-shop.example/login"],
  explicit_auth_flows: ["ALLOW_REFRESH_TOKEN_AUTH", "ALLOW_USER_SRP_AUTH"],
  access_token_validity: 60,
  prevent_user_existence_errors: "ENABLED",
  enable_token_revocation: true,
};
export const graph: JsonObject = {
  id: "k3xq7mzl5rhi5n2vc4",
  arn: `arn:aws:appsync:eu-central-1:${ACCOUNT}:apis/k3xq7mzl5rhi5n2vc4`,
  name: "shop",
  api_type: "GRAPHQL",
  authentication_type: "AMAZON_COGNITO_USER_POOLS",
  introspection_config: "DISABLED",
  log_config: [{ field_log_level: "ERROR", exclude_verbose_content: true }],
  user_pool_config: [{ default_action: "DENY", user_pool_id: "eu-central-1_aB3dE6fG9" }],
  visibility: "GLOBAL",
  xray_enabled: false,
  ...tagged("shop"),
};
export const studio: JsonObject = {
  id: "d-k1l2m3n4o5p6",
  arn: `arn:aws:sagemaker:eu-central-1:${ACCOUNT}:domain/d-k1l2m3n4o5p6`,
  domain_name: "pricing",
  app_network_access_type: "VpcOnly",
  auth_mode: "SSO",
  kms_key_id: KEY_ARN,
  subnet_ids: ["subnet-0a94b1c7e6d25f381"],
  vpc_id: "vpc-0f3d6a1b9c8e74521",
  default_user_settings: [{ execution_role: `arn:aws:iam::${ACCOUNT}:role/sagemaker` }],
  ...tagged("pricing"),
};
export const endpoint: JsonObject = {
  id: "pricing",
  arn: `arn:aws:sagemaker:eu-central-1:${ACCOUNT}:endpoint/pricing`,
  name: "pricing",
  endpoint_config_name: "pricing-41",
  deployment_config: [{ blue_green_update_policy: [{ termination_wait_in_seconds: 300 }] }],
  ...tagged("pricing"),
};
export const runner: JsonObject = {
  id: `arn:aws:apprunner:eu-central-1:${ACCOUNT}:service/backoffice/8f`,
  arn: `arn:aws:apprunner:eu-central-1:${ACCOUNT}:service/backoffice/8f`,
  service_name: "backoffice",
  instance_configuration: [{ cpu: "1024", memory: "2048" }],
  network_configuration: [
    { ingress_configuration: [{ is_publicly_accessible: false }], ip_address_type: "IPV4" },
  ],
  ...tagged("backoffice"),
};
export const scaling: JsonObject = {
  id: "service/production/checkout",
  resource_id: "service/production/checkout",
  scalable_dimension: "ecs:service:DesiredCount",
  service_namespace: "ecs",
  min_capacity: 4,
  max_capacity: 20,
  suspended_state: [],
};
