import { expect, test } from "bun:test";

import { corpusFiles, corpusJson } from "@leeway/clouds/corpus.fixture";
import { hasCorpus } from "@leeway/shared/testing/corpus.fixture";
import { isObject, members } from "@leeway/shared/values/json";

import { account, connect, denial, never, on } from "./account.fixture.ts";
import { serveAws, type Answer, type Call } from "./aws.fixture.ts";

const EVERYWHERE = { service: "resource-explorer-2" };

async function unindexed(odd?: (call: Call) => Answer | undefined): Promise<readonly string[]> {
  await using cloud = serveAws(account(odd));
  return (await connect(cloud.endpoint).taggedTypesOf?.(EVERYWHERE, never)) ?? [];
}

test("types missing from the list of supported types are listed by their tags", async () => {
  const types = await unindexed();
  expect(types).toEqual(
    expect.arrayContaining(["AWS::KMS::Alias", "AWS::EKS::Nodegroup", "AWS::S3::Bucket"]),
  );
  for (const type of ["AWS::SQS::Queue", "AWS::Lambda::Function", "AWS::Lambda::LayerVersion"])
    expect(types).not.toContain(type);
});

test("only the shard of all regions has types that are listed by tags", async () => {
  await using cloud = serveAws(account());
  const connector = connect(cloud.endpoint);
  for (const shard of [
    { ...EVERYWHERE, region: "eu-west-1" },
    { service: "tagging", region: "eu-west-1" },
    { service: "iam" },
  ])
    expect(await connector.taggedTypesOf?.(shard, never)).toEqual([]);
});

test("no types are listed by tags when the list of supported types is denied or empty", async () => {
  const action = "resource-explorer-2:ListSupportedResourceTypes";
  expect(await unindexed(on(action, denial(action)))).toEqual([]);
  expect(await unindexed(on(action, { body: { ResourceTypes: [] } }))).toEqual([]);
});

test.skipIf(!hasCorpus)(
  "supported types in an AWS example are recognized (skipped without the corpus)",
  async () => {
    const pages = corpusFiles("live-listings/aws-cli-examples/resource-explorer-2--list-supported-*.json");
    const rows = pages.flatMap((path) => {
      const page = corpusJson(path);
      return members(isObject(page) ? page : undefined, "ResourceTypes");
    });
    expect(rows.length).toBeGreaterThan(15);
    const types = await unindexed(
      on("resource-explorer-2:ListSupportedResourceTypes", { body: { ResourceTypes: rows } }),
    );
    for (const type of [
      "AWS::CloudFront::Distribution",
      "AWS::CloudWatch::Alarm",
      "AWS::DynamoDB::Table",
      "AWS::EC2::Host",
    ])
      expect(types).not.toContain(type);
    expect(types).toContain("AWS::KMS::Alias");
  },
);
