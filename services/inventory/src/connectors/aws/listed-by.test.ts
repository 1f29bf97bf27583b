import { expect, test } from "bun:test";

import { isGlobal } from "../../clouds/aws/global-types.ts";
import { catalog } from "../../clouds/aws/types.ts";
import { listedBy, parentOf } from "./listed-by.ts";
import { typesOf } from "./types.ts";

const HERE = { region: "eu-west-1", accountId: "123456789012", identifiersOf: () => ["one"] };
const listed = catalog.entries.filter(({ listed }) => listed).map(({ type }) => type);
const children = listed.filter((type) => parentOf(type) !== undefined);

test("of each type that is listed by its parent, the parent is listed in the same part of a scan", () => {
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
])("%s of %s is listed by %s %s", (type, identifier, property, value) => {
  const by = listedBy(type, {
    ...HERE,
    identifiersOf: (parent) => (parent === parentOf(type) ? [identifier] : []),
  });
  expect(by).toEqual({ property, values: [value] });
});

test("what is WAF's is listed of the region, and CloudFront's where that is", () => {
  const scopes = ["eu-west-1", "us-east-1"].map(
    (region) => listedBy("AWS::WAFv2::WebACL", { ...HERE, region })?.values,
  );
  expect(scopes).toEqual([["REGIONAL"], ["REGIONAL", "CLOUDFRONT"]]);
});

test("most types are listed as they are", () => {
  expect(listedBy("AWS::SQS::Queue", HERE)).toBeUndefined();
});
