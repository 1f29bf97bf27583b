import type { DeclaredResource, ListedResource } from "@leeway/clouds/cloud";
import type { JsonObject } from "@leeway/shared/values/json";

const DRIFTED_OF = 50;
export const ACCOUNT = "123456789012";
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

/** One resource in a state and in a listing. */
export interface Sides {
  declared: DeclaredResource;
  listed: ListedResource;
}

/** Builds one resource as read from a state and a listing, sharing no objects with others. One of 50 has drifted. */
export function sidesAt(index: number, name = `r${index}`): Sides {
  const kind = KINDS[index % KINDS.length];
  if (kind === undefined) throw new Error("there is a kind for each");
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
