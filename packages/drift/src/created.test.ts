import { describe, expect, test } from "bun:test";

import type { Cloud, ListedResource } from "@leeway/clouds/cloud";
import { CLOUDS, cloudOf } from "@leeway/clouds/clouds";
import { corpusFiles, corpusText } from "@leeway/clouds/corpus.fixture";
import { RISK_LEVELS } from "@leeway/shared/contracts/analyzer/risk-levels";
import { hasCorpus } from "@leeway/shared/testing/corpus.fixture";
import { growthOf, STEEPEST } from "@leeway/shared/testing/growth.fixture";
import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";
import fc from "fast-check";

import { judgedLive, policyOf } from "./created.fixture.ts";
import { createdFrom } from "./created.ts";

const TYPES = CLOUDS.flatMap(({ provider, catalog }) =>
  catalog.entries.filter(({ listed }) => listed).map(({ type }): [string, string] => [provider, type]),
);

describe("an undeclared resource", () => {
  test.each(CLOUDS.map(({ provider }) => provider))("of %s gets a level from its type alone", (provider) => {
    const own = TYPES.filter(([cloud]) => cloud === provider);
    for (const [, type] of own) {
      const { risk_level, risk_flags } = judgedLive(provider, type, { properties: {} });
      expect(["low", "medium"]).toContain(risk_level);
      expect(risk_flags.length).toBe(1);
    }
  });

  test("of an unknown type is low", () => {
    for (const provider of ["aws", "gcp", "azure", "other"]) {
      for (const type of ["AWS::New::Thing", "new.googleapis.com/Thing", "x", "", "__proto__"]) {
        expect(judgedLive(provider, type, { properties: { a: 1 } }).risk_level).toBe("low");
      }
    }
  });

  /** Names that tables look up, among random ones. */
  const name = fc.oneof(
    fc.constantFrom(
      ...`properties Policy PolicyDocument IpPermissions SecurityGroupIngress securityRules iamPolicy bindings members access
      supplementaryConfiguration Statement settings sourceRanges allowed Entries AttachedManagedPolicies policyText rules`.split(
        /\s+/,
      ),
    ),
    fc.string({ maxLength: 8 }),
  );
  const properties = fc.dictionary(
    name,
    fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<Json>(null, true, 0, "*", "0.0.0.0/0", "%7B", "{}", '{"Statement":[{}]}', "allUsers"),
        fc.string({ maxLength: 8 }),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(name, tie("value"), { maxKeys: 4 }),
      ),
    })).value,
  );

  test("is judged without changing its properties", () => {
    fc.assert(
      fc.property(fc.constantFrom(...TYPES), properties, ([provider, type], given) => {
        const before = JSON.stringify(given);
        expect(RISK_LEVELS).toContain(judgedLive(provider, type, { properties: given }).risk_level);
        expect(JSON.stringify(given)).toBe(before);
      }),
      { numRuns: 2_000 },
    );
  });

  test("is judged at any nesting depth", () => {
    let deep: JsonObject = {};
    for (let depth = 0; depth < 5_000; depth += 1) deep = { Inner: [deep] };
    expect(judgedLive("aws", "AWS::EC2::Volume", { properties: deep }).risk_level).toBe("low");
  });
});

describe("a resource listed by its Terraform type", () => {
  test("already has Terraform's attributes", () => {
    const properties = { publiclyAccessible: 1, publicly_accessible: true };
    const resource = { cloud: cloudOf("aws"), providerType: "aws_db_instance", properties };
    expect(createdFrom(resource)).toMatchObject({ type: "aws_db_instance", attributes: properties });
    expect(judgedLive("aws", "aws_db_instance", { properties }).risk_level).toBe("critical");
  });
});

function judged({ type, properties }: { type: string; properties: JsonObject }): unknown {
  return judgedLive("aws", type, { properties });
}

describe("judging a large resource takes time in proportion to its size", () => {
  test.each([
    [
      "a security group with 10,000 rules",
      2_500,
      (size: number) => ({
        type: "AWS::EC2::SecurityGroup",
        properties: {
          ipPermissionsEgress: [],
          ipPermissions: Array.from({ length: size }, (_, index) => ({
            ipProtocol: "tcp",
            fromPort: index,
            toPort: index,
            ipv4Ranges: [{ cidrIp: index % 2 === 0 ? "0.0.0.0/0" : `10.0.${index >> 8}.${index & 255}/32` }],
          })),
        },
      }),
    ],
    [
      "a policy of 500 KB",
      1_250,
      (size: number) => ({
        type: "AWS::IAM::ManagedPolicy",
        properties: {
          PolicyDocument: JSON.stringify({
            Statement: Array.from({ length: size }, (_, index) => ({
              Effect: "Allow",
              Action: [`s3:Get${index}`],
              Resource: `arn:aws:s3:::bucket-${index}/*`,
            })),
          }),
        },
      }),
    ],
    [
      "a zone with 10,000 records",
      2_500,
      (size: number) => ({
        type: "AWS::Route53::HostedZone",
        properties: {
          ResourceRecordSets: Array.from({ length: size }, (_, index) => ({
            Name: `${index}.example.com.`,
            Type: "A",
            ResourceRecords: [{ Value: "203.0.113.7" }],
          })),
        },
      }),
    ],
  ])("%s", async (_, size, make) => {
    expect(await growthOf({ make, work: judged, size })).toBeLessThan(STEEPEST);
  });
});

/** Returns all resources in the corpus's listings, except those that exclusion rules leave out. */
function corpusResources(): [Cloud, ListedResource][] {
  return corpusFiles("live-listings/**/*.json").flatMap((path) => {
    const found = corpusPages(path).flatMap((page) =>
      CLOUDS.flatMap((cloud) => listedIn(cloud, page).map((one): [Cloud, ListedResource] => [cloud, one])),
    );
    return found.filter(([{ exclusions }, one]) => !exclusions.some(({ applies }) => applies(one)));
  });
}

function corpusPages(path: string): JsonObject[] {
  const value: Json = JSON.parse(corpusText(path));
  return [value].flat().flatMap((page) => {
    if (!isObject(page)) return [];
    return isObject(page["data"]) ? [page["data"]] : [page];
  });
}

function listedIn({ formats }: Cloud, page: JsonObject): ListedResource[] {
  return formats.flatMap((format) => {
    const [first] = format.rows;
    const rows: Json[] = first === undefined ? [page] : Array.isArray(page[first]) ? page[first] : [];
    return rows.flatMap((row) => format.read(row, page) ?? []);
  });
}

test.skipIf(!hasCorpus)("in real listings, only publicly accessible resources are high or critical", () => {
  const severe = corpusResources().flatMap(([{ provider }, { provider_type: type, properties = {} }]) => {
    const { risk_level, risk_flags } = judgedLive(provider, type, { properties });
    const where = risk_flags.flatMap(({ rule, evidence }) =>
      evidence.map((path) => `${rule} ${path.join(".")}`),
    );
    return ["critical", "high"].includes(risk_level) ? [`${type}: ${where.join()}`] : [];
  });
  expect([...new Set(severe)].toSorted()).toEqual([
    "AWS::EC2::SecurityGroup: R09 ingress.0.cidr_blocks",
    "AWS::ECR::Repository: R10 aws_ecr_repository_policy.policy",
    "AWS::RDS::DBClusterSnapshot: R10 shared_accounts",
    "AWS::RDS::DBSnapshot: R10 shared_accounts",
    "Microsoft.Network/networkSecurityGroups: R09 security_rule.0.source_address_prefix",
  ]);
});

test("a risk found in several places is one finding", () => {
  const properties = {
    AssumeRolePolicyDocument: policyOf({
      Action: "sts:AssumeRole",
      Principal: { Service: "ec2.amazonaws.com" },
    }),
    Policies: ["a", "b"].map((PolicyName) => ({
      PolicyName,
      PolicyDocument: policyOf({ Action: "*", Resource: "*" }),
    })),
  };
  expect(judgedLive("aws", "AWS::IAM::Role", { properties }).risk_flags).toMatchObject([{ rule: "R11" }]);
});
