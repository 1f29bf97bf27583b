import { expect, test } from "bun:test";

import { ACCOUNT, drifting, type Declared } from "./drifting.ts";
import { ndjson } from "./kit.ts";

const { changesBetween } = drifting();

const BUCKET = "arn:aws:s3:::files";
const BLOCKED = {
  block_public_acls: true,
  block_public_policy: true,
  ignore_public_acls: true,
  restrict_public_buckets: true,
};
const RULE = {
  cidr_blocks: ["10.0.0.0/8"],
  ipv6_cidr_blocks: [],
  prefix_list_ids: [],
  security_groups: [],
  self: false,
  description: "",
};
const STATE: Declared[] = [
  { type: "aws_s3_bucket", name: "files", attributes: { id: "files", bucket: "files", arn: BUCKET } },
  {
    type: "aws_s3_bucket_public_access_block",
    name: "files",
    attributes: { id: "files", bucket: "files", ...BLOCKED },
  },
  {
    type: "aws_security_group",
    name: "app",
    attributes: {
      id: "sg-1",
      arn: `arn:aws:ec2:eu-west-1:${ACCOUNT}:security-group/sg-1`,
      ingress: [{ ...RULE, protocol: "tcp", from_port: 22, to_port: 22 }],
      egress: [{ ...RULE, protocol: "-1", from_port: 0, to_port: 0 }],
    },
  },
];

const ALL_OUT = [{ CidrIp: "10.0.0.0/8", IpProtocol: "-1", FromPort: -1, ToPort: -1 }];

/** Builds resources as Cloud Control returns them one by one, with these additional properties. */
const read = (bucket: object, group: object) =>
  ndjson(
    [
      {
        TypeName: "AWS::S3::Bucket",
        Identifier: "files",
        properties: {
          BucketName: "files",
          Arn: BUCKET,
          RegionalDomainName: "files.s3.eu-west-1.amazonaws.com",
          ...bucket,
        },
      },
      {
        TypeName: "AWS::EC2::SecurityGroup",
        Identifier: "sg-1",
        properties: { Id: "sg-1", GroupId: "sg-1", SecurityGroupEgress: ALL_OUT, ...group },
      },
    ].map(({ TypeName, Identifier, properties }) => ({
      TypeName,
      ResourceDescription: { Identifier, Properties: JSON.stringify(properties) },
    })),
  );

test("settings that Cloud Control omits after removal are reported with their risk", async () => {
  const asDeclared = read(
    {
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    },
    {
      SecurityGroupIngress: [{ CidrIp: "10.0.0.0/8", IpProtocol: "tcp", FromPort: 22, ToPort: 22 }],
    },
  );
  expect(await changesBetween(STATE, asDeclared)).toEqual([]);

  const changes = await changesBetween(STATE, read({}, {}));
  const reported = changes.map(({ kind, address = "", risk_level, attribute_changes }) => [
    address,
    [kind, risk_level, ...attribute_changes.map(({ path }) => path.join("."))],
  ]);
  expect(Object.fromEntries(reported)).toEqual({
    "aws_s3_bucket_public_access_block.files": ["changed", "high", ...Object.keys(BLOCKED)],
    "aws_security_group.app": ["changed", "medium", "ingress.0"],
  });
});
