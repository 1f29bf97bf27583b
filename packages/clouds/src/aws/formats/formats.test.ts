import { describe, expect, test } from "bun:test";

import type { Json, JsonObject } from "@leeway/shared/values/json";

import type { ListedResource, ListingFormat } from "../../cloud.ts";
import { aws } from "../aws.ts";
import { knownDocuments } from "../known-documents.ts";
import { cloudControlList, cloudControlResource } from "./cloud-control.ts";
import {
  baseConfigurationItems,
  configurationItem,
  configurationItems,
  discoveredResources,
  selectedResources,
} from "./config.ts";
import { resourceExplorerPage } from "./resource-explorer.ts";
import { groupIdentifiers, groupResources, taggingPage } from "./tagging.ts";

/** Returns the only resource of a row. */
function one(format: ListingFormat, row: Json, page: JsonObject = {}): ListedResource | undefined {
  const resources = format.read(row, page);
  expect(resources).toHaveLength(1);
  return resources?.[0];
}

describe("Cloud Control", () => {
  const page = { TypeName: "AWS::Kinesis::Stream" };

  test("uses the ARN of a resource whose identifier has another order", () => {
    const profiles = {
      TypeName: "AWS::SageMaker::UserProfile",
      Region: "eu-west-1",
      AccountId: "123456789012",
    };
    expect(one(cloudControlList, { Identifier: "ann|d-1", Properties: "{}" }, profiles)).toMatchObject({
      provider_resource_id: "arn:aws:sagemaker:eu-west-1:123456789012:user-profile/d-1/ann",
    });
  });

  test("uses a stream's identifier when its properties have no ARN", () => {
    expect(one(cloudControlList, { Identifier: "clicks", Properties: '{"Name":"clicks"}' }, page)).toEqual({
      provider_resource_id: "clicks",
      provider_type: "AWS::Kinesis::Stream",
      name: "clicks",
      properties: { Name: "clicks" },
      complete: false,
    });
  });

  test("uses a stream's own ARN when its properties have one", () => {
    const arn = "arn:aws-cn:kinesis:cn-north-1:123456789012:stream/clicks";
    const properties = JSON.stringify({ Arn: arn, Name: "clicks", Tags: [{ Key: "team", Value: "web" }] });
    expect(one(cloudControlList, { Identifier: "clicks", Properties: properties }, page)).toMatchObject({
      provider_resource_id: arn,
      account: "123456789012",
      region: "cn-north-1",
      tags: { team: "web" },
    });
  });

  test("uses a queue's URL, including its name and region", () => {
    const url = "https://sqs.eu-west-1.amazonaws.com/123456789012/jobs";
    const row = { Identifier: url, Properties: JSON.stringify({ QueueUrl: url }) };
    expect(one(cloudControlList, row, { TypeName: "AWS::SQS::Queue" })).toMatchObject({
      provider_resource_id: url,
      account: "123456789012",
      region: "eu-west-1",
      name: "jobs",
    });
  });

  test("never uses another resource's ARN", () => {
    const properties = JSON.stringify({
      RoleArn: "arn:aws:iam::123456789012:role/x",
      StreamArn: "arn:aws:s3:::x",
    });
    expect(one(cloudControlList, { Identifier: "clicks", Properties: properties }, page)).toMatchObject({
      provider_resource_id: "clicks",
    });
  });

  test("returns one resource with all its properties", () => {
    const row = { ...page, ResourceDescription: { Identifier: "clicks", Properties: '{"ShardCount":3}' } };
    expect(one(cloudControlResource, row)).toMatchObject({ complete: true, properties: { ShardCount: 3 } });
  });

  test("marks a description beside its type as possibly incomplete", () => {
    const row = { ...page, Identifier: "clicks", Properties: "{}" };
    expect(one(cloudControlResource, row)).toMatchObject({ provider_resource_id: "clicks", complete: false });
  });

  test("isn't recognized when properties aren't a JSON object", () => {
    expect(cloudControlList.read({ Identifier: "clicks", Properties: "{" }, page)).toBeNull();
    expect(cloudControlList.read({ Identifier: "clicks", Properties: "[]" }, page)).toBeNull();
    expect(cloudControlList.read({ Identifier: "clicks", Properties: "{}" }, {})).toBeNull();
  });
});

describe("Resource Explorer", () => {
  const row = {
    Arn: " arn:aws:ec2:eu-west-1:123456789012:instance/i-1 ",
    OwningAccountId: "123456789012",
    Region: "eu-west-1",
    ResourceType: "ec2:instance",
    Service: "ec2",
    Properties: [
      { Name: "tags", LastReportedAt: "2026-01-01T00:00:00Z", Data: [{ Key: "Name", Value: "web" }] },
    ],
  };

  test("lists an instance with CloudFormation's type and its tags", () => {
    expect(one(resourceExplorerPage, row)).toEqual({
      provider_resource_id: "arn:aws:ec2:eu-west-1:123456789012:instance/i-1",
      provider_type: "AWS::EC2::Instance",
      account: "123456789012",
      region: "eu-west-1",
      name: "web",
      tags: { Name: "web" },
      complete: false,
    });
  });

  test("keeps its own name of an unknown type", () => {
    const unknown = {
      ...row,
      Arn: "arn:aws:ec2:eu-west-1:123456789012:wormhole/w-1",
      ResourceType: "ec2:wormhole",
    };
    expect(one(resourceExplorerPage, unknown)).toMatchObject({ provider_type: "ec2:wormhole" });
  });

  test("includes a bucket's region, and none for a role", () => {
    const bucket = { ...row, Arn: "arn:aws:s3:::logs", ResourceType: "s3:bucket" };
    expect(one(resourceExplorerPage, bucket)).toMatchObject({ region: "eu-west-1", account: "123456789012" });
    const role = {
      ...row,
      Arn: "arn:aws:iam::123456789012:role/a/deployer",
      ResourceType: "iam:role",
      Region: "global",
    };
    expect(one(resourceExplorerPage, role)?.region).toBeUndefined();
    expect(one(resourceExplorerPage, role)?.name).toBe("deployer");
  });

  test("accepts only ARNs as ids", () => {
    expect(resourceExplorerPage.read({ ...row, Arn: "i-1" }, {})).toBeNull();
  });

  test("refuses rows of other tools", () => {
    expect(
      resourceExplorerPage.read(
        { ResourceType: "AWS::EKS::Cluster", ResourceIdentifier: { ClusterName: "x" } },
        {},
      ),
    ).toBeNull();
  });
});

describe("AWS Config", () => {
  const item = {
    accountId: "123456789012",
    arn: "arn:aws:ec2:eu-west-1:123456789012:volume/vol-1",
    awsRegion: "eu-west-1",
    resourceType: "AWS::EC2::Volume",
    resourceId: "vol-1",
    configurationItemStatus: "OK",
    resourceCreationTime: "2026-01-02T03:04:05.000Z",
    tags: { Name: "data" },
    configuration: '{"volumeId":"vol-1","size":8}',
    supplementaryConfiguration: {},
  };

  test.each([
    ["history", configurationItems],
    ["batch", baseConfigurationItems],
    ["single line", configurationItem],
  ])("reads an item of a %s with its full configuration", (_, format) => {
    expect(one(format, item)).toEqual({
      provider_resource_id: item.arn,
      provider_type: "AWS::EC2::Volume",
      account: "123456789012",
      region: "eu-west-1",
      name: "data",
      tags: { Name: "data" },
      properties: { volumeId: "vol-1", size: 8 },
      complete: true,
      created_at: "2026-01-02T03:04:05.000Z",
    });
  });

  test("reads an item of a snapshot file with other member names and types", () => {
    const { accountId, arn, ...rest } = item;
    const snapshot = { ...rest, awsAccountId: accountId, ARN: arn, configuration: { size: 8 } };
    expect(one(configurationItems, snapshot)).toMatchObject({
      provider_resource_id: arn,
      account: accountId,
      properties: { size: 8 },
    });
  });

  test.each(["ResourceDeleted", "ResourceDeletedNotRecorded"])(
    "excludes an item with status %s",
    (status) => {
      expect(configurationItems.read({ ...item, configurationItemStatus: status }, {})).toEqual([]);
    },
  );

  test.each(["AWS::Config::ResourceCompliance", "AWS::SSM::PatchCompliance"])(
    "ignores %s, which isn't a resource",
    (resourceType) => {
      const noted = { resourceType, resourceId: "AWS::EC2::Volume/vol-1", accountId: item.accountId };
      expect(selectedResources.read(JSON.stringify(noted), {})).toEqual([]);
      expect(configurationItems.read({ ...item, ...noted }, {})).toEqual([]);
    },
  );

  test("keeps the supplementary configuration", () => {
    const row = { ...item, supplementaryConfiguration: { Tags: "[]" } };
    expect(one(configurationItems, row)?.properties).toMatchObject({
      size: 8,
      supplementaryConfiguration: { Tags: "[]" },
    });
  });

  test("reads AWS::IAM::Policy as a managed policy", () => {
    const row = { resourceType: "AWS::IAM::Policy", resourceId: "ANPA1", resourceName: "readers" };
    expect(one(discoveredResources, row)).toMatchObject({
      provider_type: "AWS::IAM::ManagedPolicy",
      name: "readers",
    });
  });

  test("reads a query result if it identifies the resource", () => {
    const queue = "arn:aws:sqs:eu-west-1:123456789012:jobs";
    const byProperty = {
      resourceId: "https://sqs.eu-west-1.amazonaws.com/123456789012/jobs",
      configuration: { QueueArn: queue },
    };
    expect(one(selectedResources, JSON.stringify(byProperty))).toMatchObject({
      provider_resource_id: queue,
      provider_type: "AWS::SQS::Queue",
      complete: false,
    });
    expect(selectedResources.read(JSON.stringify({ configuration: { groupId: "sg-1" } }), {})).toBeNull();
    expect(selectedResources.read("not json", {})).toBeNull();
  });
});

describe("tags and resource groups", () => {
  test("a tag mapping identifies its resource by ARN", () => {
    const row = {
      ResourceARN: "arn:aws:lambda:eu-west-1:123456789012:function:resize",
      Tags: [{ Key: "a", Value: "b" }],
    };
    expect(one(taggingPage, row)).toMatchObject({
      provider_type: "AWS::Lambda::Function",
      name: "resize",
      tags: { a: "b" },
    });
  });

  test("a tag called __proto__ is a tag", () => {
    const row = {
      ResourceARN: "arn:aws:sqs:eu-west-1:123456789012:jobs",
      Tags: [{ Key: "__proto__", Value: "x" }],
    };
    expect(Object.keys(one(taggingPage, row)?.tags ?? {})).toEqual(["__proto__"]);
  });

  test("the resources of a group are read from both members of the response", () => {
    const identifier = {
      ResourceArn: "arn:aws:ec2:eu-west-1:123456789012:instance/i-1",
      ResourceType: "AWS::EC2::Instance",
    };
    expect(one(groupIdentifiers, identifier)).toEqual(one(groupResources, { Identifier: identifier }));
  });
});

describe("a document pushed by mistake is named", () => {
  test.each([
    [{ AWSTemplateFormatVersion: "2010-09-09", Resources: {} }, "a CloudFormation template"],
    [{ StackResources: [] }, "CloudFormation stack resources"],
    [{ Results: ['{"configuration":{}}'], QueryInfo: {} }, "select these and arn"],
    [{ TagKeys: [] }, "tag keys"],
    [{ Reservations: [] }, "describe or list response"],
  ])("%j", (document, name) => {
    expect(knownDocuments.find((known) => known.matches(document))?.name).toContain(name);
  });

  test("but a listing isn't", () => {
    expect(
      knownDocuments.filter((known) => known.matches({ Count: {}, Resources: [], ViewArn: "x" })),
    ).toEqual([]);
  });
});

test("every format refuses other rows", () => {
  for (const format of aws.formats) {
    for (const row of [null, true, 1, "", "{}", [], {}, { id: "x" }] as Json[]) {
      expect([format.name, format.read(row, {})]).toEqual([format.name, null]);
    }
  }
});
