import { describe, expect, test } from "bun:test";

import { aws } from "../aws/aws.ts";
import { azure } from "../azure/azure.ts";
import { redactProperties } from "./redact-properties.ts";

const parameter = (Value: string) => ({ Name: "/shop/stripe", Type: "String", Value });

describe("a secret value is redacted", () => {
  test("in a parameter of any name", () => {
    expect(redactProperties(parameter("hunter2"), { provider_type: "AWS::SSM::Parameter" }, aws)).toEqual({
      value: parameter("[redacted]"),
      redactions: ["/Value"],
    });
  });

  test("in an API key", () => {
    const key = { APIKeyId: "a1", Name: "partner", Enabled: true, Value: "hunter2" };
    expect(redactProperties(key, { provider_type: "AWS::ApiGateway::ApiKey" }, aws).value).toEqual({
      ...key,
      Value: "[redacted]",
    });
  });

  test("once, even if its type already redacts it", () => {
    const named = { ...parameter("hunter2"), Type: "SecureString" };
    expect(redactProperties(named, { provider_type: "AWS::SSM::Parameter" }, aws).redactions).toEqual([
      "/Value",
    ]);
  });

  test("in a row with a Terraform type", () => {
    const given = { provider_type: "parameter", terraform_type: "aws_ssm_parameter" };
    expect(redactProperties({ value: "hunter2" }, given, aws).value).toEqual({ value: "[redacted]" });
  });

  test("in a key of Azure App Configuration", () => {
    const provider_type = "Microsoft.AppConfiguration/configurationStores/keyValues";
    const key = { name: "stripe", properties: { key: "stripe", value: "hunter2", contentType: "" } };
    expect(redactProperties(key, { provider_type }, azure)).toEqual({
      value: { name: "stripe", properties: { key: "stripe", value: "[redacted]", contentType: "" } },
      redactions: ["/properties/value"],
    });
  });
});

test("a value that isn't a secret is kept", () => {
  const given = { Value: "42", properties: { value: 1 } };
  expect(redactProperties(given, { provider_type: "AWS::SQS::Queue" }, aws)).toEqual({
    value: given,
    redactions: [],
  });
});
