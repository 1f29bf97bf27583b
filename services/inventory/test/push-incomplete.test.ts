import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { ndjson, newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const ACCOUNT = "123456789012";
const arn = (name: string) => `arn:aws:sqs:eu-west-1:${ACCOUNT}:${name}`;
const queue = (name: string) => ({ provider_resource_id: arn(name), provider_type: "AWS::SQS::Queue" });
const found = (name: string) => ({
  Arn: arn(name),
  ResourceType: "sqs:queue",
  OwningAccountId: ACCOUNT,
  Region: "eu-west-1",
});
const listed = (type: string, identifier: string) => ({
  TypeName: type,
  ResourceDescriptions: [{ Identifier: identifier, Properties: "{}" }],
});

describe("a listing whose last page points to another", () => {
  test("removes nothing and is partial, while its rows are updated", async () => {
    const org = newOrg(inventory);
    const account = await org.account("aws", ACCOUNT);
    await org.pushListing(account, ndjson(["a", "b", "c"].map(queue)));
    const [before] = await org.resources();
    const scan = await org.pushListing(account, { Resources: [found("b"), found("d")], NextToken: "more" });
    expect(scan).toMatchObject({
      status: "partial",
      stats: { seen: 2, created: 1, gone: 0, undeclared: 4 },
      errors: [{ code: "incomplete_listing", message: expect.stringContaining("`NextToken`") }],
    });
    const after = await org.resources();
    expect(after.map((row) => row.provider_resource_id)).toEqual(["a", "b", "c", "d"].map(arn));
    expect(after[0]).toMatchObject({ id: before!.id, last_seen_at: before!.last_seen_at });
    expect(after[1]!.last_seen_at > before!.last_seen_at).toBe(true);

    await org.pushListing(account, { Resources: [found("d")] });
    expect((await org.resources()).map((row) => row.provider_resource_id)).toEqual([arn("d")]);
  });

  test("makes nothing missing and keeps matches", async () => {
    const org = newOrg(inventory);
    const account = await org.account("aws", ACCOUNT);
    await org.pushListing(account, ndjson(["a", "b"].map(queue)));
    const declared = ["a", "z"].map((name) => ({
      type: "aws_sqs_queue",
      name,
      attributes: { arn: arn(name) },
    }));
    await org.pushState(await org.source("s"), tfstate(declared));
    expect((await org.posture())[0]).toMatchObject({ matched_count: 1, missing_count: 1 });
    const scan = await org.pushListing(account, { Resources: [found("b")], Count: { Complete: false } });
    expect(scan).toMatchObject({ status: "partial", stats: { gone: 0, matched: 1 } });
    expect((await org.posture())[0]).toMatchObject({ live_count: 2, matched_count: 1, missing_count: 0 });
  });

  test("without rows doesn't count as empty", async () => {
    const org = newOrg(inventory);
    const account = await org.account("aws", ACCOUNT);
    await org.pushListing(account, ndjson([queue("a")]));
    for (let time = 0; time < 2; time += 1) {
      const { errors } = await org.pushListing(account, { Resources: [], NextToken: "more" });
      expect(errors.map(({ code }) => code)).toEqual(["incomplete_listing"]);
    }
    expect(await org.resources()).toHaveLength(1);
  });

  test("may be the account's first and repeat a resource", async () => {
    const org = newOrg(inventory);
    const account = await org.account("aws", ACCOUNT);
    const page = { Resources: ["a", "b", "a"].map(found), NextToken: "more" };
    expect((await org.pushListing(account, page)).status).toBe("partial");
    expect(await org.resources()).toHaveLength(2);
  });
});

const SUBSCRIPTION = "00000000-0000-0000-0000-000000000001";
const disk = {
  id: `/subscriptions/${SUBSCRIPTION}/resourceGroups/a/providers/Microsoft.Compute/disks/d`,
  type: "microsoft.compute/disks",
};
const bucket = { name: "//storage.googleapis.com/b", assetType: "storage.googleapis.com/Bucket" };
const tagged = { ResourceTagMappingList: [{ ResourceARN: arn("a"), Tags: [] }] };
const SQS = "AWS::SQS::Queue";
const SNS = "AWS::SNS::Topic";

describe("a listing is complete or partial", () => {
  test.each<[string, object[], "succeeded" | "partial", string]>([
    ["aws", [{ Resources: [found("a")], NextToken: "x" }, { Resources: [found("b")] }], "succeeded", "pages"],
    ["aws", [{ ...tagged, PaginationToken: "x" }], "partial", "a tagging page"],
    ["aws", [{ ...tagged, PaginationToken: "" }], "succeeded", "the last tagging page"],
    ["aws", [{ ...listed(SQS, "q"), NextToken: "x" }, listed(SNS, "t")], "partial", "one type of two"],
    [
      "aws",
      [{ ...listed(SQS, "q"), NextToken: "x" }, listed(SNS, "t"), listed(SQS, "r")],
      "succeeded",
      "two types, page by page",
    ],
    ["azure", [{ data: [disk], $skipToken: "x" }], "partial", "a page of Resource Graph"],
    ["azure", [{ data: [disk], skip_token: null, total_records: 1 }], "succeeded", "all of Resource Graph"],
    ["azure", [{ data: [disk], resultTruncated: "true" }], "partial", "a cut page of Resource Graph"],
    ["azure", [{ data: [disk], resultTruncated: "false" }], "succeeded", "one that isn't cut"],
    ["azure", [{ value: [disk], nextLink: "https://management.azure.com/x" }], "partial", "a list"],
    ["gcp", [{ assets: [bucket], nextPageToken: "x" }], "partial", "a page of assets"],
    [
      "gcp",
      [{ results: [{ ...bucket, displayName: "b", location: "eu" }], nextPageToken: "x" }],
      "partial",
      "a page of a search",
    ],
  ])("by its pages: %s, %j is %s (%s)", async (provider, pages, status) => {
    const org = newOrg(inventory);
    const account = await org.account(
      provider,
      { aws: ACCOUNT, azure: SUBSCRIPTION }[provider] ?? "acme-prod",
    );
    expect((await org.pushListing(account, ndjson(pages))).status).toBe(status);
  });
});
