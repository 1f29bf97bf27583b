import { expect, test } from "bun:test";

import { isGlobal } from "@leeway/clouds/aws/global-types";
import { catalog } from "@leeway/clouds/aws/types";
import { listedBy, parentOf } from "./listed-by.ts";
import { typesOf } from "./types.ts";

const HERE = { region: "eu-west-1", accountId: "123456789012", identifiersOf: () => ["one"] };
const listed = catalog.entries.filter(({ listed }) => listed).map(({ type }) => type);
const children = listed.filter((type) => parentOf(type) !== undefined);

test("a type that is listed per parent is in the same shard as its parent", () => {
  expect(children.length).toBeGreaterThan(40);
  for (const type of children) {
    const service = type.split("::")[1]?.toLowerCase() ?? "";
    const shard = { service, ...(!isGlobal(type) && { region: "eu-west-1" }) };
    const types = typesOf(shard).map((entry) => entry.type);
    expect(types).toContain(type);
    expect(types).toContain(parentOf(type) ?? "");
  }
});

test.each<[string, string, string, string]>([
  ["AWS::EKS::Nodegroup", "web", "ClusterName", "web"],
  ["AWS::Amplify::Branch", "arn:aws:amplify:eu-west-1:1:apps/d1a2", "AppId", "d1a2"],
  ["AWS::Transfer::User", "arn:aws:transfer:eu-west-1:1:server/s-01", "ServerId", "s-01"],
  [
    "AWS::ElasticLoadBalancingV2::ListenerRule",
    "arn:aws:elasticloadbalancing:eu-west-1:1:listener/app/web/1/2",
    "ListenerArn",
    "arn:aws:elasticloadbalancing:eu-west-1:1:listener/app/web/1/2",
  ],
])("%s of %s is listed with %s %s", (type, identifier, property, value) => {
  const by = listedBy(type, {
    ...HERE,
    identifiersOf: (parent) => (parent === parentOf(type) ? [identifier] : []),
  });
  expect(by).toEqual({ property, values: [value] });
});

test("WAF is listed for the region, and for CloudFront in us-east-1", () => {
  const scopes = ["eu-west-1", "us-east-1"].map(
    (region) => listedBy("AWS::WAFv2::WebACL", { ...HERE, region })?.values,
  );
  expect(scopes).toEqual([["REGIONAL"], ["REGIONAL", "CLOUDFRONT"]]);
});

test("a type without a parent is listed without properties", () => {
  expect(listedBy("AWS::SQS::Queue", HERE)).toBeUndefined();
});
