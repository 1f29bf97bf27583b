import { describe, expect, test } from "bun:test";

import { hasCorpus } from "@leeway/shared/testing/corpus.fixture";

import { corpusFiles, corpusText } from "../corpus.fixture.ts";
import { arnOf } from "./arn-of.ts";
import { parseArn } from "./arn.ts";
import { catalog, forms } from "./types.ts";

const PLACE = { region: "eu-west-1", account: "123456789012" };

function written(type: string, id: string, place = PLACE): string | undefined {
  const entry = catalog.byType(type);
  if (entry === undefined) throw new Error(`no ${type}`);
  return arnOf(entry, id, place);
}

describe("the ARN of a resource that Cloud Control lists by a bare identifier", () => {
  test.each([
    ["AWS::Logs::LogGroup", "/aws/lambda/shop", "logs:eu-west-1:123456789012:log-group:/aws/lambda/shop"],
    ["AWS::DynamoDB::Table", "orders", "dynamodb:eu-west-1:123456789012:table/orders"],
    ["AWS::KMS::Alias", "alias/shop", "kms:eu-west-1:123456789012:alias/shop"],
    ["AWS::EC2::VPC", "vpc-1", "ec2:eu-west-1:123456789012:vpc/vpc-1"],
    ["AWS::EC2::Image", "ami-1", "ec2:eu-west-1::image/ami-1"],
    ["AWS::ApiGateway::RestApi", "abc", "apigateway:eu-west-1::/restapis/abc"],
    ["AWS::ApiGatewayV2::Stage", "abc|live", "apigateway:eu-west-1::/apis/abc/stages/live"],
    ["AWS::CloudWatch::Dashboard", "shop", "cloudwatch::123456789012:dashboard/shop"],
    [
      "AWS::AutoScaling::AutoScalingGroup",
      "web",
      "autoscaling:eu-west-1:123456789012:autoScalingGroup:*:autoScalingGroupName/web",
    ],
    ["AWS::EKS::Nodegroup", "shop|spot", "eks:eu-west-1:123456789012:nodegroup/shop/spot/*"],
    ["AWS::SSM::Parameter", "/shop/key", "ssm:eu-west-1:123456789012:parameter/shop/key"],
  ])("%s %s", (type, id, rest) => {
    expect(written(type, id)).toBe(`arn:aws:${rest}`);
    expect(written(type, id, { ...PLACE, region: "cn-north-1" })).toStartWith("arn:aws-cn:");
  });

  test.each([
    ["is already given", "AWS::Logs::LogGroup", "arn:aws:logs:eu-west-1:123456789012:log-group:a"],
    ["doesn't contain the identifier", "AWS::DMS::Endpoint", "ABC"],
    ["has other parts", "AWS::EKS::Nodegroup", "shop"],
    ["would name another resource", "AWS::DynamoDB::Table", "orders/index/a"],
    ["may be in another region", "AWS::CloudTrail::Trail", "all"],
    ["has no region", "AWS::CloudFront::Distribution", "E123"],
    ["has no region and may have a path", "AWS::IAM::Role", "deployer"],
  ])("is unknown when it %s: %s", (_, type, id) => {
    expect(written(type, id)).toBeUndefined();
  });

  test.each([
    { ...PLACE, region: "eu-west-1:x" },
    { ...PLACE, region: "" },
    { ...PLACE, account: "shop" },
  ])("is unknown for %j", (place) => {
    expect(written("AWS::DynamoDB::Table", "orders", place)).toBeUndefined();
  });

  test.skipIf(!hasCorpus)("equals the ARN from AWS (skipped without the corpus)", () => {
    const texts = corpusFiles("**/*.{json,ndjson,tfstate}").map(corpusText);
    const arns = new Set(
      texts.flatMap((text) => text.match(/\barn:aws:[a-z0-9-]+:[a-z0-9-]*:\d{12}:[\w/.:-]+\w/g) ?? []),
    );
    const known = [...arns].flatMap((text) => {
      const arn = parseArn(text);
      const found = arn && forms.recognize(arn);
      if (!arn || !found?.id) return [];
      const place = { region: arn.region || PLACE.region, account: arn.account };
      const own = arnOf(found.entry, found.id, place);
      return own === undefined || own.includes("*") ? [] : [{ text, own }];
    });
    expect(known.length).toBeGreaterThan(100);
    for (const { text, own } of known) expect(own).toBe(text);
  });
});
