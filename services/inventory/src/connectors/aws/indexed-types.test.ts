import { expect, test } from "bun:test";

import { hasCorpus } from "@leeway/shared/corpus.fixture";
import { isObject, members } from "@leeway/shared/json";

import { corpusFiles, corpusJson } from "../../clouds/corpus.fixture.ts";
import { account, connect, denial, never, on } from "./account.fixture.ts";
import { serveAws, type Answer, type Call } from "./aws.fixture.ts";

const EVERYWHERE = { service: "resource-explorer-2" };

async function unindexed(odd?: (call: Call) => Answer | undefined): Promise<readonly string[]> {
  await using cloud = serveAws(account(odd));
  return (await connect(cloud.endpoint).taggedTypesOf?.(EVERYWHERE, never)) ?? [];
}

test("what an index doesn't have is known by the types that AWS says it has", async () => {
  const types = await unindexed();
  expect(types).toEqual(
    expect.arrayContaining(["AWS::KMS::Alias", "AWS::EKS::Nodegroup", "AWS::S3::Bucket"]),
  );
  for (const type of ["AWS::SQS::Queue", "AWS::Lambda::Function", "AWS::Lambda::LayerVersion"])
    expect(types).not.toContain(type);
});

test("it is said once, of all regions, and nothing is of what isn't asked of an index", async () => {
  await using cloud = serveAws(account());
  const connector = connect(cloud.endpoint);
  for (const shard of [
    { ...EVERYWHERE, region: "eu-west-1" },
    { service: "tagging", region: "eu-west-1" },
    { service: "iam" },
  ])
    expect(await connector.taggedTypesOf?.(shard, never)).toEqual([]);
});

test("nothing is known of it by a role that may not ask, nor by an answer without types", async () => {
  const action = "resource-explorer-2:ListSupportedResourceTypes";
  expect(await unindexed(on(action, denial(action)))).toEqual([]);
  expect(await unindexed(on(action, { body: { ResourceTypes: [] } }))).toEqual([]);
});

test.skipIf(!hasCorpus)(
  "types of AWS's own example are told from others (skipped without the corpus)",
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
