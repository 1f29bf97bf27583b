import { describe, expect, test } from "bun:test";

import { aws } from "../clouds/aws/aws.ts";
import { azure } from "../clouds/azure/azure.ts";
import { redactProperties } from "./redact-properties.ts";

const parameter = (Value: string) => ({ Name: "/shop/stripe", Type: "String", Value });

describe("what a secret holds isn't kept", () => {
  test("of a parameter, whatever it is called", () => {
    expect(redactProperties(parameter("hunter2"), { provider_type: "AWS::SSM::Parameter" }, aws)).toEqual({
      value: parameter("[redacted]"),
      redactions: ["/Value"],
    });
  });

  test("of an API key", () => {
    const key = { APIKeyId: "a1", Name: "partner", Enabled: true, Value: "hunter2" };
    expect(redactProperties(key, { provider_type: "AWS::ApiGateway::ApiKey" }, aws).value).toEqual({
      ...key,
      Value: "[redacted]",
    });
  });

  test("of one that its type has given away already, once", () => {
    const named = { ...parameter("hunter2"), Type: "SecureString" };
    expect(redactProperties(named, { provider_type: "AWS::SSM::Parameter" }, aws).redactions).toEqual([
      "/Value",
    ]);
  });

  test("of a row in a provider's words", () => {
    const given = { provider_type: "parameter", terraform_type: "aws_ssm_parameter" };
    expect(redactProperties({ value: "hunter2" }, given, aws).value).toEqual({ value: "[redacted]" });
  });

  test("of a key in Azure's app configuration", () => {
    const provider_type = "Microsoft.AppConfiguration/configurationStores/keyValues";
    const key = { name: "stripe", properties: { key: "stripe", value: "hunter2", contentType: "" } };
    expect(redactProperties(key, { provider_type }, azure)).toEqual({
      value: { name: "stripe", properties: { key: "stripe", value: "[redacted]", contentType: "" } },
      redactions: ["/properties/value"],
    });
  });
});

test("of what is no secret a value stays", () => {
  const given = { Value: "42", properties: { value: 1 } };
  expect(redactProperties(given, { provider_type: "AWS::SQS::Queue" }, aws)).toEqual({
    value: given,
    redactions: [],
  });
});
