import type { JsonObject } from "@leeway/shared/values/json";

import { KEY_ARN } from "../estate/aws-data.ts";
import { ACCOUNT, tagged } from "../estate/aws-network.ts";
import { OWN_ACCOUNT_STATEMENT, stripeSecret } from "../estate/aws-stores.ts";
import { policyDocument } from "../plan.ts";

export const OWN_ORG: JsonObject = { StringEquals: { "aws:PrincipalOrgID": "o-7x2k9q4m1p" } };
export const secretPolicy = (statement: JsonObject): JsonObject => ({
  id: stripeSecret["id"] ?? null,
  secret_arn: stripeSecret["arn"] ?? null,
  block_public_policy: null,
  policy: policyDocument({ Action: "secretsmanager:GetSecretValue", Resource: "*", ...statement }),
});
export const permission = (principal: string, more: JsonObject = {}): JsonObject => ({
  id: "AllowInvoke",
  statement_id: "AllowInvoke",
  action: "lambda:InvokeFunction",
  function_name: "emails",
  function_url_auth_type: null,
  event_source_token: null,
  principal,
  principal_org_id: null,
  qualifier: "",
  source_account: null,
  source_arn: null,
  ...more,
});
export const layerPermission = (organization_id: string): JsonObject => ({
  id: `arn:aws:lambda:eu-central-1:${ACCOUNT}:layer:pricing,7`,
  layer_name: "pricing",
  version_number: 7,
  statement_id: "share",
  action: "lambda:GetLayerVersion",
  principal: "*",
  organization_id,
  skip_destroy: false,
});
export const EXTENSION = "arn:aws:lambda:eu-central-1:464622532012:layer:Datadog-Extension-ARM";
export const consumer: JsonObject = {
  id: "2a6b1c3d-9e8f-4a5b-8c7d-0e1f2a3b4c5d",
  uuid: "2a6b1c3d-9e8f-4a5b-8c7d-0e1f2a3b4c5d",
  arn: `arn:aws:lambda:eu-central-1:${ACCOUNT}:event-source-mapping:2a6b1c3d`,
  batch_size: 10,
  bisect_batch_on_function_error: false,
  enabled: true,
  event_source_arn: `arn:aws:sqs:eu-central-1:${ACCOUNT}:emails`,
  function_name: `arn:aws:lambda:eu-central-1:${ACCOUNT}:function:emails`,
  maximum_batching_window_in_seconds: 0,
  state: "Enabled",
};
export const queuePolicy = (Condition: JsonObject): JsonObject => ({
  id: `https://sqs.eu-central-1.amazonaws.com/${ACCOUNT}/emails`,
  queue_url: `https://sqs.eu-central-1.amazonaws.com/${ACCOUNT}/emails`,
  policy: policyDocument({
    Principal: "*",
    Action: ["sqs:SendMessage", "sqs:ReceiveMessage"],
    Resource: `arn:aws:sqs:eu-central-1:${ACCOUNT}:emails`,
    Condition,
  }),
});
export const topicPolicy = (more: JsonObject): JsonObject => ({
  id: `arn:aws:sns:eu-central-1:${ACCOUNT}:order-events`,
  arn: `arn:aws:sns:eu-central-1:${ACCOUNT}:order-events`,
  owner: ACCOUNT,
  policy: policyDocument({
    Principal: { AWS: "*" },
    Action: "sns:Subscribe",
    Resource: `arn:aws:sns:eu-central-1:${ACCOUNT}:order-events`,
    ...more,
  }),
});
export const busPolicy = (more: JsonObject): JsonObject => ({
  id: "orders",
  event_bus_name: "orders",
  policy: policyDocument({
    Principal: "*",
    Action: "events:PutEvents",
    Resource: `arn:aws:events:eu-central-1:${ACCOUNT}:event-bus/orders`,
    ...more,
  }),
});
export const pipe: JsonObject = {
  id: "orders-to-ledger",
  arn: `arn:aws:pipes:eu-central-1:${ACCOUNT}:pipe/orders-to-ledger`,
  name: "orders-to-ledger",
  desired_state: "RUNNING",
  source: `arn:aws:sqs:eu-central-1:${ACCOUNT}:orders`,
  target: `arn:aws:states:eu-central-1:${ACCOUNT}:stateMachine:ledger`,
  role_arn: `arn:aws:iam::${ACCOUNT}:role/pipes`,
  log_configuration: [{ level: "ERROR" }],
  ...tagged("orders-to-ledger"),
};
export const machine: JsonObject = {
  id: `arn:aws:states:eu-central-1:${ACCOUNT}:stateMachine:refund`,
  arn: `arn:aws:states:eu-central-1:${ACCOUNT}:stateMachine:refund`,
  name: "refund",
  type: "STANDARD",
  status: "ACTIVE",
  role_arn: `arn:aws:iam::${ACCOUNT}:role/refund`,
  definition: JSON.stringify({
    StartAt: "Pay",
    States: { Pay: { Type: "Task", TimeoutSeconds: 30, End: true } },
  }),
  logging_configuration: [{ include_execution_data: false, level: "ERROR" }],
  ...tagged("refund"),
};
export const keyPolicy = (...statements: JsonObject[]): JsonObject => ({
  id: "7c1d9b52-0e3f-4a68-b7f4-2d90a1c6e853",
  key_id: KEY_ARN,
  bypass_policy_lockout_safety_check: false,
  policy: policyDocument(OWN_ACCOUNT_STATEMENT, ...statements),
});
export const USE_KEY: JsonObject = {
  Sid: "Use",
  Principal: { AWS: "*" },
  Action: ["kms:Decrypt", "kms:GenerateDataKey*"],
  Resource: "*",
};
