/**
 * How long it takes to judge the attribute drift of an account, against the bare match of the same pairs, in turns in
 * the same run: at most ten times as long. One of 50 resources drifted. Needs no services.
 * `bun tests/load/compare.ts [pairs]`
 */
import type { JsonObject } from "@leeway/shared/json";

import { aws } from "../../services/inventory/src/clouds/aws/aws.ts";
import type { DeclaredResource, ListedResource } from "../../services/inventory/src/clouds/cloud.ts";
import { driftOf } from "../../services/inventory/src/drift/compare/drift-of.ts";
import { createMatcher } from "../../services/inventory/src/matching/matcher.ts";

const pairs = Number(Bun.argv[2] ?? 100_000);
const TURNS = 5;
const MOST_RATIO = 10;
const DRIFTED_OF = 50;
const ACCOUNT = "123456789012";
const REGION = "eu-west-1";

interface Kind {
  type: string;
  providerType: string;
  arn: (name: string) => string;
  declared: JsonObject;
  properties: JsonObject;
  drifted: JsonObject;
}

const TRUST = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "sts:AssumeRole" }] };
const RULE = { from_port: 443, to_port: 443, protocol: "tcp", self: false, description: "" };
const LISTS = { ipv6_cidr_blocks: [], prefix_list_ids: [], security_groups: [] };

const KINDS: readonly Kind[] = [
  {
    type: "aws_lambda_function",
    providerType: "AWS::Lambda::Function",
    arn: (name) => `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`,
    declared: {
      runtime: "nodejs22.x",
      handler: "index.handler",
      memory_size: 256,
      timeout: 30,
      environment: [{ variables: { STAGE: "prod", LEVEL: "info" } }],
      vpc_config: [{ subnet_ids: ["subnet-1", "subnet-2"], security_group_ids: ["sg-1"] }],
    },
    properties: {
      Runtime: "nodejs22.x",
      Handler: "index.handler",
      MemorySize: 256,
      Timeout: 30,
      Environment: { Variables: { STAGE: "prod", LEVEL: "info" } },
      VpcConfig: { SubnetIds: ["subnet-2", "subnet-1"], SecurityGroupIds: ["sg-1"] },
    },
    drifted: { Timeout: 60 },
  },
  {
    type: "aws_security_group",
    providerType: "AWS::EC2::SecurityGroup",
    arn: (name) => `arn:aws:ec2:${REGION}:${ACCOUNT}:security-group/${name}`,
    declared: {
      description: "web",
      ingress: [{ ...RULE, ...LISTS, cidr_blocks: ["10.0.0.0/8", "192.168.0.0/16"] }],
      egress: [],
    },
    properties: {
      description: "web",
      ipPermissions: [
        { ipProtocol: "tcp", fromPort: 443, toPort: 443, ipRanges: ["192.168.0.0/16", "10.0.0.0/8"] },
      ],
      ipPermissionsEgress: [],
    },
    drifted: {
      ipPermissions: [{ ipProtocol: "tcp", fromPort: 22, toPort: 22, ipRanges: ["0.0.0.0/0"] }],
    },
  },
  {
    type: "aws_iam_role",
    providerType: "AWS::IAM::Role",
    arn: (name) => `arn:aws:iam::${ACCOUNT}:role/${name}`,
    declared: { path: "/", max_session_duration: 3600, assume_role_policy: JSON.stringify(TRUST) },
    properties: { Path: "/", MaxSessionDuration: 3600, AssumeRolePolicyDocument: TRUST },
    drifted: { MaxSessionDuration: 43_200 },
  },
];

interface Sides {
  declared: DeclaredResource;
  listed: ListedResource;
}

/** Each with objects of its own, as they come out of a state and a listing. */
function sidesAt(index: number): Sides {
  const kind = KINDS[index % KINDS.length];
  if (kind === undefined) throw new Error("there is a kind for each");
  const name = `r${index}`;
  const arn = kind.arn(name);
  const tags = { team: "web", name };
  const declared = structuredClone(kind.declared);
  const properties = structuredClone(kind.properties);
  const drifted = index % DRIFTED_OF === 0 ? kind.drifted : {};
  return {
    declared: {
      address: `${kind.type}.${name}`,
      type: kind.type,
      attributes: { id: name, arn, name, ...declared, tags, tags_all: { ...tags } },
    },
    listed: {
      provider_resource_id: arn,
      provider_type: kind.providerType,
      region: REGION,
      name,
      tags: { ...tags },
      properties: { ...properties, ...drifted },
      complete: true,
    },
  };
}

const all = Array.from({ length: pairs }, (_, index) => sidesAt(index));

function match(): number {
  const matcher = createMatcher(
    all.map(({ declared: resource }, index) => {
      const { keys, region } = aws.declaredIdentity(resource);
      return { id: `d${index}`, sourceId: "s", region, keys, inline: false, contested: false };
    }),
  );
  for (const [index, { listed }] of all.entries()) {
    matcher.see({ id: `l${index}`, region: listed.region, keys: aws.liveKeys(listed, ACCOUNT) });
  }
  return matcher.pairs().length;
}

function compare(): number {
  let drifted = 0;
  for (const { declared, listed } of all) {
    const { type, address, attributes } = declared;
    const live = { properties: listed.properties ?? {}, tags: listed.tags ?? {} };
    if (driftOf({ type, address, declared: attributes, live }, { profile: "baseline" }).drift) drifted += 1;
  }
  return drifted;
}

function timed(run: () => number): { ms: number; count: number } {
  const started = performance.now();
  const count = run();
  return { ms: performance.now() - started, count };
}

const turns = Array.from({ length: TURNS }, () => ({ match: timed(match), compare: timed(compare) }));
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const [matchMs, compareMs] = [
  median(turns.map((turn) => turn.match.ms)),
  median(turns.map((turn) => turn.compare.ms)),
];
const [last] = turns.slice(-1);
const ratio = compareMs / matchMs;
console.log(`${last?.match.count} of ${pairs} pairs matched in ${matchMs.toFixed(0)} ms`);
console.log(`${last?.compare.count} of them drifted, found in ${compareMs.toFixed(0)} ms`);
console.log(`ratio ${ratio.toFixed(2)}, goal: at most ${MOST_RATIO}`);
if (ratio > MOST_RATIO) process.exitCode = 1;
