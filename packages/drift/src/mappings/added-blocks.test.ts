import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { compareResource } from "../compare-resource.ts";

type Same = [type: string, declared: JsonObject, live: JsonObject];
type Case = [...Same, changes: [path: string, after: unknown][]];

const NO_NETWORK = { VpcConfig: { SubnetIds: [], SecurityGroupIds: [] } };
const ONE_ADMINISTRATOR = { login: "eve", sid: "7" };

const ADDED: Case[] = [
  [
    "aws_lambda_function",
    { environment: [] },
    { Environment: { Variables: { LOG_Level: "debug" } }, ...NO_NETWORK },
    [["environment.0", { variables: { LOG_Level: "debug" } }]],
  ],
  [
    "aws_lambda_function",
    { vpc_config: [], dead_letter_config: [] },
    {
      VpcConfig: { SubnetIds: ["subnet-1"], SecurityGroupIds: ["sg-1"] },
      DeadLetterConfig: { TargetArn: "arn:q" },
    },
    [
      ["dead_letter_config.0", { target_arn: "arn:q" }],
      ["vpc_config.0", { subnet_ids: ["subnet-1"], security_group_ids: ["sg-1"] }],
    ],
  ],
  [
    "aws_cloudfront_distribution",
    { logging_config: [] },
    { DistributionConfig: { Logging: { Bucket: "logs.s3.amazonaws.com" } } },
    [["logging_config.0", { bucket: "logs.s3.amazonaws.com" }]],
  ],
  [
    "azurerm_linux_virtual_machine",
    { identity: [] },
    { identity: { type: "UserAssigned", userAssignedIdentities: { "/identities/a": {} } } },
    [["identity.0", { type: "UserAssigned", identity_ids: ["/identities/a"] }]],
  ],
  [
    "azurerm_container_app",
    { ingress: [] },
    { properties: { configuration: { ingress: { external: true, targetPort: 80 } } } },
    [["ingress.0", { external_enabled: true, target_port: 80 }]],
  ],
  [
    "azurerm_mssql_server",
    { azuread_administrator: [] },
    { properties: { administrators: ONE_ADMINISTRATOR } },
    [["azuread_administrator.0", { login_username: "eve", object_id: "7" }]],
  ],
  [
    "google_pubsub_subscription",
    { push_config: [] },
    { pushConfig: { pushEndpoint: "https://elsewhere.example" } },
    [["push_config.0", { push_endpoint: "https://elsewhere.example" }]],
  ],
  [
    "google_storage_bucket",
    { cors: [], logging: [] },
    { cors: [{ origin: ["*"], method: ["GET"] }], logging: { logBucket: "logs" } },
    [
      ["cors.0", { origin: ["*"], method: ["GET"] }],
      ["logging.0", { log_bucket: "logs" }],
    ],
  ],
];

const SAME: Same[] = [
  ["aws_lambda_function", { vpc_config: [], environment: [] }, { ...NO_NETWORK, SnapStartResponse: {} }],
  ["aws_lambda_function", { environment: [] }, { Environment: { Variables: {} } }],
  [
    "aws_cloudfront_distribution",
    { logging_config: [] },
    { DistributionConfig: { Logging: { Bucket: "", Enabled: false } } },
  ],
  ["azurerm_linux_virtual_machine", { identity: [] }, { identity: { type: "None" } }],
  ["azurerm_virtual_network", { ddos_protection_plan: [] }, { properties: { enableDdosProtection: false } }],
  ["google_pubsub_subscription", { push_config: [], dead_letter_policy: [] }, { pushConfig: {} }],
  // Defaults that a cloud fills in.
  ["aws_sfn_state_machine", { logging_configuration: [] }, { LoggingConfiguration: { Level: "OFF" } }],
  ["aws_lambda_function", { tracing_config: [] }, { TracingConfig: { Mode: "PassThrough" } }],
];

const changesOf = (...[type, declared, properties]: Same) =>
  compareResource({ type, address: `${type}.main`, declared, live: { properties } })
    .changes.map(({ path, after }): [path: string, after: unknown] => [path.join("."), after])
    .toSorted(([path], [other]) => path.localeCompare(other));

describe("a block that is empty in the state", () => {
  test.each(ADDED)("is reported when it was added by hand: %s %j", (type, declared, live, changes) => {
    expect(changesOf(type, declared, live)).toEqual(changes);
  });

  test.each(SAME)("equals a missing block: %s %j", (type, declared, live) => {
    expect(changesOf(type, declared, live)).toEqual([]);
  });
});
