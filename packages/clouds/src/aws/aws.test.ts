import { describe, expect, test } from "bun:test";

import type { Json, JsonObject } from "@leeway/shared/values/json";
import fc from "fast-check";

import type { ListedResource } from "../cloud.ts";
import { aws } from "./aws.ts";

const MEMBERS = [
  "Arn",
  "ResourceARN",
  "ResourceType",
  "TypeName",
  "Identifier",
  "Properties",
  "ResourceDescription",
  "Tags",
  "Region",
  "arn",
  "resourceType",
  "resourceId",
  "configuration",
  "supplementaryConfiguration",
  "configurationItemStatus",
  "tags",
  "id",
  "ingress",
  "egress",
  "cidr_blocks",
  "route",
  "inline_policy",
  "root_block_device",
  "attachments",
  "attachment",
  "Associations",
  "description",
  "GroupId",
  "RuleNumber",
  "__proto__",
  "constructor",
  "toString",
];
const VALUES = [
  "AWS::EC2::Instance",
  "AWS::EC2::SecurityGroupRule",
  "aws_security_group",
  "aws_instance",
  "ec2:instance",
  "constructor",
  "arn:aws:ec2:eu-west-1:123456789012:instance/i-1",
  "arn:aws:iam::aws:policy/x",
  "arn:aws:",
  '{"Arn":1}',
  "[]",
  '"',
  "",
  "https://sqs.eu-west-1.amazonaws.com/123456789012/jobs",
  "__proto__",
];

/** JSON similar enough to a listing or a state to pass the first checks. */
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.constantFrom<Json>(null, true, false, 0, -1, 1.5),
    fc.oneof(fc.constantFrom(...VALUES), fc.string()),
    fc.array(tie("json"), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(fc.constantFrom(...MEMBERS), fc.string()), tie("json")), { maxLength: 6 })
      .map(object),
  ),
}));

function object(members: [string, Json][]): JsonObject {
  return Object.fromEntries(members);
}

const properties = fc.array(fc.tuple(fc.constantFrom(...MEMBERS), json), { maxLength: 8 }).map(object);
const word = fc.oneof(
  fc.constantFrom(...VALUES),
  fc.constantFrom(...aws.catalog.entries.map(({ type }) => type)),
  fc.string(),
);

describe("AWS functions accept any input", () => {
  test("as a row", () => {
    fc.assert(
      fc.property(fc.oneof(json, properties), properties, (row, page) => {
        for (const format of aws.formats) {
          for (const resource of format.read(row, page) ?? [])
            expect(resource.provider_resource_id).not.toBe("");
        }
        for (const document of aws.knownDocuments) document.matches(page);
      }),
      { numRuns: 2000 },
    );
  });

  test("as a live resource", () => {
    const resource: fc.Arbitrary<ListedResource> = fc.record(
      {
        provider_resource_id: word,
        provider_type: word,
        complete: fc.boolean(),
        region: word,
        name: word,
        tags: fc.dictionary(word, word),
        properties,
        terraform_type: word,
        parent_id: word,
      },
      { requiredKeys: ["provider_resource_id", "provider_type", "complete"] },
    );
    fc.assert(
      fc.property(resource, (listed) => {
        const keys = aws.liveKeys(listed, "123456789012");
        expect(new Set(keys).size).toBe(keys.length);
        expect(
          keys.every((key, index) => index === 0 || keys[index - 1]! < key || keys[index - 1]![0] === key[0]),
        ).toBe(true);
        expect(aws.exclusions.map((rule) => typeof rule.applies(listed))).not.toContain("undefined");
        expect(aws.ownerKeys(listed, "123456789012")).toBeArray();
      }),
      { numRuns: 2000 },
    );
  });

  test("as a declared resource whose inline children have other keys", () => {
    const type = fc.oneof(
      fc.constantFrom(...aws.catalog.entries.flatMap(({ terraform }) => terraform)),
      word,
    );
    fc.assert(
      fc.property(type, properties, fc.option(properties), (name, attributes, identity) => {
        const resource = { address: "x", type: name, attributes, ...(identity && { identity }) };
        const { keys } = aws.declaredIdentity(resource);
        expect(new Set(keys).size).toBe(keys.length);
        for (const child of aws.inlineChildren(resource)) {
          expect(child.address.startsWith("x.")).toBe(true);
          expect(keys).not.toContainAnyValues(child.keys);
        }
        expect(aws.declares(name)).toBeBoolean();
      }),
      { numRuns: 2000 },
    );
  });

  test("and return few keys for an id with many parts", () => {
    const parts = Array.from({ length: 400 }, (_, index) => `p${index}`).join("|");
    for (const { type } of aws.catalog.entries) {
      const listed = { provider_resource_id: parts, provider_type: type, complete: false };
      expect(aws.liveKeys(listed, "123456789012").length).toBeLessThan(30);
    }
  });

  test.each(["/", "a", ":", "a/", "default", "ELB app/", "service:", "rds:", "cdk-"])(
    "and take little time when %p is repeated many times",
    (part) => {
      const long = part.repeat(100_000);
      const ids = [long, `arn:aws:iam::123456789012:role/${long}`, `https://sqs.${long}`];
      for (const { type } of aws.catalog.entries.slice(0, 100)) {
        for (const id of ids)
          askEverything({
            provider_resource_id: id,
            provider_type: type,
            properties: { Description: id, Group: id },
            complete: false,
          });
      }
    },
  );
});

function askEverything(resource: ListedResource): void {
  aws.liveKeys(resource, "123456789012");
  aws.ownerKeys(resource, "123456789012");
  for (const rule of aws.exclusions) rule.applies(resource);
}

test("AWS claims only the types of tools that declare AWS resources", () => {
  const own = [
    "aws_instance",
    "awscc_s3_bucket",
    "AWS::S3::Bucket",
    "aws:s3/bucket:Bucket",
    "aws-native:s3:Bucket",
  ];
  const others = [
    "google_project",
    "awsx:ec2:Vpc",
    "Custom::Thing",
    "random_id",
    "pulumi:providers:aws",
    "azurerm_lb",
    "",
  ];
  expect([...own, ...others].filter((type) => aws.declares(type))).toEqual(own);
});
