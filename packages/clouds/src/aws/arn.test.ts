import { describe, expect, test } from "bun:test";
import fc from "fast-check";

import { canonicalId, parseArn } from "./arn.ts";

describe("an ARN", () => {
  test.each([
    ["arn:aws:sqs:eu-west-1:123456789012:jobs", ["sqs", "eu-west-1", "123456789012", "jobs"]],
    ["arn:aws-cn:ec2:cn-north-1:123456789012:vpc/vpc-1", ["ec2", "cn-north-1", "123456789012", "vpc/vpc-1"]],
    ["arn:aws-us-gov:iam::123456789012:role/deployer", ["iam", "", "123456789012", "role/deployer"]],
    ["arn:aws:s3:::logs", ["s3", "", "", "logs"]],
    ["arn:aws:logs:eu-west-1:1:log-group:/aws/x:*", ["logs", "eu-west-1", "1", "log-group:/aws/x:*"]],
  ])("%s is parsed in any partition", (text, parts) => {
    const arn = parseArn(text);
    expect([arn?.service, arn?.region, arn?.account, arn?.resource]).toEqual(parts);
  });

  test.each([
    "",
    "arn",
    "arn:aws",
    "arn:aws:",
    "arn:aws:sqs",
    "arn:aws:sqs:r:a",
    "arn:aws:sqs:r:a:",
    "arn:gcp:a:b:c:d",
  ])("%p isn't valid", (text) => {
    expect(parseArn(text)).toBeUndefined();
  });

  test("keeps its parts", () => {
    const part = fc.stringMatching(/^[a-z0-9-]{1,12}$/);
    fc.assert(
      fc.property(part, part, part, fc.string({ minLength: 1 }), (service, region, account, resource) => {
        const arn = parseArn(`arn:aws:${service}:${region}:${account}:${resource}`);
        expect(arn).toEqual({ service, region, account, resource });
      }),
    );
  });
});

describe("a canonical identifier", () => {
  test.each([
    ["https://sqs.eu-west-1.amazonaws.com/123456789012/jobs", "arn:aws:sqs:eu-west-1:123456789012:jobs"],
    [
      "https://sqs.cn-north-1.amazonaws.com.cn/123456789012/a.fifo",
      "arn:aws-cn:sqs:cn-north-1:123456789012:a.fifo",
    ],
    [
      "https://sqs.us-gov-west-1.amazonaws.com/123456789012/a",
      "arn:aws-us-gov:sqs:us-gov-west-1:123456789012:a",
    ],
    ["https://us-west-2.queue.amazonaws.com/123456789012/a", "arn:aws:sqs:us-west-2:123456789012:a"],
    ["https://queue.amazonaws.com/123456789012/a", "arn:aws:sqs:us-east-1:123456789012:a"],
    ["https://example.com/123456789012/a", "https://example.com/123456789012/a"],
  ])("of the queue %s is its ARN", (url, id) => {
    expect(canonicalId(url)).toBe(id);
  });

  test("of a log group has no :* suffix and no surrounding blanks", () => {
    expect(canonicalId(" arn:aws:logs:eu-west-1:123456789012:log-group:app:*\n")).toBe(
      "arn:aws:logs:eu-west-1:123456789012:log-group:app",
    );
  });

  test("doesn't change when made canonical again", () => {
    fc.assert(
      fc.property(fc.string(), (text) => expect(canonicalId(canonicalId(text))).toBe(canonicalId(text))),
    );
  });
});
