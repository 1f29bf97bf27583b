import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";
import fc from "fast-check";

import type { DeclaredResource, ListedResource } from "../cloud.ts";
import { idSegments } from "./arn-forms.ts";
import { declaredIdentity, liveKeys } from "./keys.ts";
import { catalog } from "./types.ts";

const ACCOUNT = "123456789012";

function live(
  provider_type: string,
  provider_resource_id: string,
  more: Partial<ListedResource> = {},
): string[] {
  return liveKeys({ provider_resource_id, provider_type, complete: false, ...more }, ACCOUNT);
}

function declared(type: string, attributes: JsonObject, identity?: JsonObject): DeclaredResource {
  return { address: `${type}.x`, type, attributes, ...(identity && { identity }) };
}

/** Returns the most reliable key that both sides share. */
function joins(live: readonly string[], resource: DeclaredResource): string | undefined {
  return declaredIdentity(resource).keys.find((key) => live.includes(key));
}

const arn = (service: string, resource: string) => `arn:aws:${service}:eu-west-1:${ACCOUNT}:${resource}`;

const STACK = arn("cloudformation", "stack/shop/6ddbde98");

describe("a listed and a declared resource share a key", () => {
  const url = `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/jobs`;
  test.each<[string, string[], DeclaredResource, string]>([
    [
      "a queue listed by ARN and declared by URL",
      live("AWS::SQS::Queue", arn("sqs", "jobs")),
      declared("aws_sqs_queue", { id: url }),
      `2:${arn("sqs", "jobs")}`,
    ],
    [
      "a queue listed by URL and declared by ARN",
      live("AWS::SQS::Queue", url),
      declared("aws_sqs_queue", { id: url, arn: arn("sqs", "jobs") }),
      `2:${arn("sqs", "jobs")}`,
    ],
    [
      "a NAT gateway, whose state has no ARN",
      live("AWS::EC2::NatGateway", arn("ec2", "natgateway/nat-1")),
      declared("aws_nat_gateway", { id: "nat-1" }),
      "3:aws_nat_gateway|nat-1",
    ],
    [
      "a service that the Cloud Control provider identifies by ARN and cluster",
      live("AWS::ECS::Service", arn("ecs", "service/main/web")),
      declared("awscc_ecs_service", {
        id: `${arn("ecs", "service/main/web")}|main`,
        service_arn: arn("ecs", "service/main/web"),
      }),
      `2:${arn("ecs", "service/main/web")}`,
    ],
    [
      "a database proxy that the native provider identifies by name",
      live("AWS::RDS::DBProxy", arn("rds", "db-proxy:prx-0a1b")),
      declared("aws-native:rds:DbProxy", { id: "orders", dbProxyArn: arn("rds", "db-proxy:prx-0a1b") }),
      `2:${arn("rds", "db-proxy:prx-0a1b")}`,
    ],
    [
      "a schedule that Cloud Control identifies without its group",
      live("AWS::Scheduler::Schedule", "nightly"),
      declared("aws_scheduler_schedule", {
        id: "default/nightly",
        name: "nightly",
        group_name: "default",
        arn: arn("scheduler", "schedule/default/nightly"),
      }),
      "3:aws_scheduler_schedule|nightly",
    ],
    [
      "a stage that CloudFormation identifies by name, through its stack tags",
      live("AWS::ApiGateway::Stage", "arn:aws:apigateway:eu-west-1::/restapis/a1b2c3/stages/prod", {
        tags: { "aws:cloudformation:stack-id": STACK, "aws:cloudformation:logical-id": "Stage" },
      }),
      { address: "shop.Stage", type: "AWS::ApiGateway::Stage", attributes: { id: "prod" }, stack_id: STACK },
      `3:aws_api_gateway_stage|${STACK}|Stage`,
    ],
    [
      "a GuardDuty IP set that Cloud Control identifies before its detector",
      live("AWS::GuardDuty::IPSet", "0a1b|d3c4"),
      declared("aws_guardduty_ipset", {
        id: "d3c4:0a1b",
        detector_id: "d3c4",
        arn: arn("guardduty", "detector/d3c4/ipset/0a1b"),
      }),
      "3:aws_guardduty_ipset|d3c4|0a1b",
    ],
    [
      "an identity provider of a cluster, which Cloud Control lists in another order",
      live("AWS::EKS::IdentityProviderConfig", "dex|main|oidc"),
      declared("aws_eks_identity_provider_config", {
        id: "main:dex",
        cluster_name: "main",
        arn: arn("eks", "identityproviderconfig/main/oidc/dex/0a1b"),
      }),
      "3:aws_eks_identity_provider_config|main|oidc|dex",
    ],
    [
      "a web ACL that a stack identifies with its scope",
      live("AWS::WAFv2::WebACL", arn("wafv2", "regional/webacl/edge/0f-1")),
      declared("AWS::WAFv2::WebACL", { id: "edge|0f-1|REGIONAL" }),
      "3:aws_wafv2_web_acl|edge|0f-1",
    ],
    [
      "a dashboard that Cloud Control identifies with its account",
      live("AWS::QuickSight::Dashboard", `${ACCOUNT}|sales`),
      declared("aws_quicksight_dashboard", { arn: arn("quicksight", "dashboard/sales") }),
      "3:aws_quicksight_dashboard|sales",
    ],
    [
      "an address that a stack identifies by its IP only",
      live("AWS::EC2::EIP", "203.0.113.7|eipalloc-1"),
      declared("AWS::EC2::EIP", { id: "203.0.113.7" }),
      "4:aws_eip|203.0.113.7",
    ],
    [
      "a rule of a custom event bus in a stack",
      live("AWS::Events::Rule", arn("events", "rule/orders/nightly")),
      declared("AWS::Events::Rule", { id: "orders|nightly" }),
      "3:aws_cloudwatch_event_rule|orders/nightly",
    ],
    [
      "a broker that a stack identifies by id",
      live("AWS::AmazonMQ::Broker", arn("mq", "broker:orders:b-0a1b")),
      declared("AWS::AmazonMQ::Broker", { id: "b-0a1b" }),
      "3:aws_mq_broker|b-0a1b",
    ],
    [
      "an access entry of a cluster, listed by ARN",
      live("AWS::EKS::AccessEntry", arn("eks", `access-entry/main/role/${ACCOUNT}/admin/0a1b`)),
      declared("aws_eks_access_entry", {
        id: `main:arn:aws:iam::${ACCOUNT}:role/admin`,
        cluster_name: "main",
        principal_arn: `arn:aws:iam::${ACCOUNT}:role/admin`,
        access_entry_arn: arn("eks", `access-entry/main/role/${ACCOUNT}/admin/0a1b`),
      }),
      `2:${arn("eks", `access-entry/main/role/${ACCOUNT}/admin/0a1b`)}`,
    ],
    [
      "an address with the ARN format of AWS Config",
      live("AWS::EC2::EIP", arn("ec2", "eip-allocation/eipalloc-1")),
      declared("aws_eip", { id: "eipalloc-1", allocation_id: "eipalloc-1" }),
      "3:aws_eip|eipalloc-1",
    ],
    [
      "a role with a path",
      live("AWS::IAM::Role", `arn:aws:iam::${ACCOUNT}:role/team/deployer`),
      declared("aws_iam_role", { id: "deployer" }),
      "3:aws_iam_role|deployer",
    ],
    [
      "a user with the id that AWS Config lists",
      live("AWS::IAM::User", "AIDA1"),
      declared("aws_iam_user", { id: "ann", unique_id: "AIDA1" }),
      "3:aws_iam_user|AIDA1",
    ],
    [
      "a database whose id is its resource id, as since provider version 5",
      live("AWS::RDS::DBInstance", "main"),
      declared("aws_db_instance", { id: "db-ABC", identifier: "main", resource_id: "db-ABC" }),
      "3:aws_db_instance|main",
    ],
    [
      "a database that AWS Config lists by its resource id",
      live("AWS::RDS::DBInstance", "db-ABC"),
      declared("aws_db_instance", { id: "main", identifier: "main", resource_id: "db-ABC" }),
      "3:aws_db_instance|db-ABC",
    ],
    [
      "a cluster of another engine with the same ARN format",
      live("AWS::RDS::DBCluster", arn("rds", "cluster:docs")),
      declared("aws_docdb_cluster", { id: "docs", arn: arn("rds", "cluster:docs") }),
      `2:${arn("rds", "cluster:docs")}`,
    ],
    [
      "a stage by its API and name",
      live("AWS::ApiGateway::Stage", "a1|prod"),
      declared("aws_api_gateway_stage", { id: "ags-a1-prod", rest_api_id: "a1", stage_name: "prod" }),
      "3:aws_api_gateway_stage|a1|prod",
    ],
    [
      "a node group that Cloud Control lists with a slash",
      live("AWS::EKS::Nodegroup", "prod/blue"),
      declared("aws_eks_node_group", { id: "prod:blue", cluster_name: "prod", node_group_name: "blue" }),
      "3:aws_eks_node_group|prod|blue",
    ],
    [
      "an inline policy of a role",
      live("AWS::IAM::RolePolicy", "read|deployer"),
      declared("aws_iam_role_policy", { id: "deployer:read", name: "read", role: "deployer" }),
      "3:aws_iam_role_policy|read|deployer",
    ],
    [
      "a route by its table and destination",
      live("AWS::EC2::Route", "rtb-1|10.0.0.0/8"),
      declared("aws_route", {
        id: "r-rtb-11080289494",
        route_table_id: "rtb-1",
        destination_cidr_block: "10.0.0.0/8",
      }),
      "3:aws_route|rtb-1|10.0.0.0/8",
    ],
    [
      "a security group rule by its id",
      live("AWS::EC2::SecurityGroupRule", arn("ec2", "security-group-rule/sgr-1")),
      declared("aws_security_group_rule", { id: "sgrule-1", security_group_rule_id: "sgr-1" }),
      "3:aws_security_group_rule|sgr-1",
    ],
    [
      "an egress rule of the newer type",
      live("AWS::EC2::SecurityGroupEgress", "sgr-1"),
      declared("aws_vpc_security_group_egress_rule", { id: "sgr-1" }),
      "3:aws_security_group_rule|sgr-1",
    ],
    [
      "the default VPC",
      live("AWS::EC2::VPC", "vpc-1"),
      declared("aws_default_vpc", { id: "vpc-1" }),
      "3:aws_vpc|vpc-1",
    ],
    [
      "a load balancer under its old name",
      live(
        "AWS::ElasticLoadBalancingV2::LoadBalancer",
        arn("elasticloadbalancing", "loadbalancer/app/web/1"),
      ),
      declared("aws_alb", { id: arn("elasticloadbalancing", "loadbalancer/app/web/1") }),
      `2:${arn("elasticloadbalancing", "loadbalancer/app/web/1")}`,
    ],
    [
      "a topic's policy, whose id is the topic's ARN",
      live("AWS::SNS::TopicPolicy", arn("sns", "alerts")),
      declared("aws_sns_topic_policy", { id: arn("sns", "alerts") }),
      `3:aws_sns_topic_policy|${arn("sns", "alerts")}`,
    ],
    [
      "a function of a stack",
      live("AWS::Lambda::Function", arn("lambda", "function:resize")),
      declared("AWS::Lambda::Function", { id: "resize" }),
      "3:aws_lambda_function|resize",
    ],
    [
      "a bucket declared with Pulumi",
      live("AWS::S3::Bucket", "arn:aws:s3:::logs"),
      declared("aws:s3/bucketV2:BucketV2", { id: "logs", arn: "arn:aws:s3:::logs" }),
      "2:arn:aws:s3:::logs",
    ],
    [
      "a database with Pulumi's camelCase names",
      live("AWS::RDS::DBInstance", "db-ABC"),
      declared("aws:rds/instance:Instance", { id: "main", resourceId: "db-ABC" }),
      "3:aws_db_instance|db-ABC",
    ],
    [
      "a resource of the Cloud Control provider",
      live("AWS::Athena::PreparedStatement", "top|primary"),
      declared("awscc_athena_prepared_statement", { id: "top|primary" }),
      "3:aws_athena_prepared_statement|top|primary",
    ],
    [
      "an unknown type by ARN",
      live("quantum:qubit", arn("quantum", "qubit/1")),
      declared("aws_quantum_qubit", { id: "1", arn: arn("quantum", "qubit/1") }),
      `2:${arn("quantum", "qubit/1")}`,
    ],
    [
      "an unknown type by id",
      live("AWS::Quantum::Qubit", "q-1"),
      declared("awscc_quantum_qubit", { id: "q-1" }),
      "3:aws::quantumqubit|q-1",
    ],
    [
      "a queue in Leeway's own format",
      live("queue", url, { terraform_type: "aws_sqs_queue" }),
      declared("aws_sqs_queue", { id: url }),
      `2:${arn("sqs", "jobs")}`,
    ],
    [
      "a policy attachment in Leeway's own format",
      live("?", "deployer-1", { terraform_type: "aws_iam_role_policy_attachment" }),
      declared("aws_iam_role_policy_attachment", { id: "deployer-1" }),
      "3:aws_iam_role_policy_attachment|deployer-1",
    ],
  ])("%s", (_, keys, resource, key) => {
    expect(joins(keys, resource)).toEqual(key);
  });

  test("first by Terraform's identity object", () => {
    const keys = live("AWS::S3::Bucket", "arn:aws:s3:::logs", { region: "eu-west-1" });
    const bucket = declared(
      "aws_s3_bucket",
      { id: "logs" },
      { bucket: "logs", account_id: ACCOUNT, region: "eu-west-1" },
    );
    expect(joins(keys, bucket)).toBe(`1:aws_s3_bucket|${ACCOUNT}|eu-west-1|logs`);
    const role = declared("aws_iam_role", { id: "x" }, { name: "deployer", account_id: ACCOUNT });
    expect(joins(live("AWS::IAM::Role", `arn:aws:iam::${ACCOUNT}:role/a/deployer`), role)).toBe(
      `1:aws_iam_role|${ACCOUNT}||deployer`,
    );
    const balancer = arn("elasticloadbalancing", "loadbalancer/app/web/1");
    expect(
      joins(
        live("AWS::ElasticLoadBalancingV2::LoadBalancer", balancer),
        declared("aws_lb", {}, { arn: balancer }),
      ),
    ).toBe(`1:aws_lb|${ACCOUNT}|eu-west-1|app/web/1`);
  });

  test("by the identity object even if the ARN contains only random ids", () => {
    const channel = arn("ivs", "channel/AbCdEf");
    const key = joins(live("AWS::IVS::Channel", channel), declared("aws_ivs_channel", {}, { arn: channel }));
    expect(key).toBe(`1:aws_ivs_channel|${ACCOUNT}|eu-west-1|${channel}`);
  });

  test("of any type by ARN and by native id", () => {
    const named = catalog.entries.filter(
      ({ path, terraform }) => /^[a-z0-9-]+:[^{]*\{[a-z][a-z_]*\}$/.test(path ?? "") && terraform.length > 0,
    );
    fc.assert(
      fc.property(fc.constantFrom(...named), fc.stringMatching(/^[a-z0-9-]{1,20}$/), (entry, id) => {
        const text = `arn:aws:${entry.path!.replace(":", `:eu-west-1:${ACCOUNT}:`).replace(/\{.*\}/, id)}`;
        const keys = live(entry.type, text);
        for (const type of entry.terraform) {
          expect(joins(keys, declared(type, { arn: text }))).toBe(`2:${text}`);
          expect(joins(keys, declared(type, { id }))).toBe(`3:${entry.terraform[0]}|${id}`);
        }
      }),
    );
  });
});

test("a Cloud Control identifier matches a state's attributes in any order", () => {
  const ordered = catalog.entries.flatMap((entry) => {
    const segments = idSegments(entry);
    const orders = entry.ids.map((spec) => spec.split("|"));
    const order = orders.find((names) => names.length > 1 && segments.every((name) => names.includes(name)));
    return order && segments.length > 1 && entry.terraform[0] ? [{ entry, segments, order }] : [];
  });
  expect(ordered.length).toBeGreaterThan(10);
  for (const { entry, segments, order } of ordered) {
    const attributes = Object.fromEntries(order.map((name) => [name, `x-${name}`]));
    const identifier = order.map((name) => attributes[name]).join("|");
    const native = segments.map((name) => attributes[name]).join("|");
    const [type] = entry.terraform;
    const key = `3:${type}|${native}` as const;
    expect(live(entry.type, identifier)).toContain(key);
    expect(declaredIdentity(declared(type!, attributes)).keys).toContain(key);
  }
});

describe("different resources share no key of a reliable level", () => {
  test("a topic and its policy", () => {
    expect(
      joins(
        live("AWS::SNS::Topic", arn("sns", "alerts")),
        declared("aws_sns_topic_policy", { id: arn("sns", "alerts") }),
      ),
    ).toBeUndefined();
  });

  test("a function and one of its versions", () => {
    const version = declared("aws_lambda_function", { qualified_arn: arn("lambda", "function:resize:3") });
    expect(joins(live("AWS::Lambda::Function", arn("lambda", "function:resize")), version)).toBeUndefined();
  });

  test("a secret and its version, which has the secret's ARN", () => {
    const secret = arn("secretsmanager", "secret:db-AbCdEf");
    const version = declared("aws_secretsmanager_secret_version", { id: `${secret}|1`, arn: secret });
    expect(joins(live("AWS::SecretsManager::Secret", secret), version)).toBeUndefined();
  });

  test("two functions of one name in two known regions", () => {
    const here = live("AWS::Lambda::Function", "resize", { region: "eu-west-1" });
    const there = live("AWS::Lambda::Function", "resize", { region: "us-east-1" });
    expect(here.filter((key) => there.includes(key))).toEqual(["3:aws_lambda_function|resize"]);
    expect(here).toContain("4:aws_lambda_function|eu-west-1|resize");
    expect(
      joins(
        here.filter((key) => !there.includes(key)),
        declared("aws_lambda_function", { id: "resize", region: "eu-west-1" }),
      ),
    ).toBe("4:aws_lambda_function|eu-west-1|resize");
  });

  test("resources of one name and two types", () => {
    fc.assert(
      fc.property(fc.constantFrom(...catalog.entries), fc.constantFrom(...catalog.entries), (a, b) => {
        fc.pre(a.terraform[0] !== b.terraform[0] && a.terraform.length > 0 && b.terraform.length > 0);
        expect(joins(live(a.type, "main"), declared(b.terraform[0]!, { id: "main" }))).toBeUndefined();
      }),
    );
  });
});

describe("a declared resource's account and region", () => {
  test.each<[string, DeclaredResource, object]>([
    [
      "its ARN",
      declared("aws_sqs_queue", { arn: arn("sqs", "jobs") }),
      { account: ACCOUNT, region: "eu-west-1" },
    ],
    [
      "its URL",
      declared("aws_sqs_queue", { id: `https://sqs.us-east-1.amazonaws.com/${ACCOUNT}/jobs` }),
      { account: ACCOUNT, region: "us-east-1" },
    ],
    [
      "its identity",
      declared("aws_vpc", { id: "vpc-1" }, { id: "vpc-1", account_id: ACCOUNT, region: "eu-west-1" }),
      { account: ACCOUNT, region: "eu-west-1" },
    ],
    [
      "a global ARN",
      declared("aws_iam_role", { arn: `arn:aws:iam::${ACCOUNT}:role/x` }),
      { account: ACCOUNT },
    ],
    ["nothing", declared("aws_nat_gateway", { id: "nat-1", region: "eu-west-1" }), {}],
    ["an ARN without an account", declared("aws_s3_bucket", { arn: "arn:aws:s3:::logs" }), {}],
  ])("are found in %s", (_, resource, place) => {
    const { keys: _keys, ...rest } = declaredIdentity(resource);
    expect(rest).toEqual(place);
  });
});

test("a state without identifiers gives no key", () => {
  expect(declaredIdentity(declared("aws_instance", {})).keys).toEqual([]);
  expect(declaredIdentity(declared("aws_instance", { id: "", arn: null })).keys).toEqual([]);
});

test("keys are ordered by reliability, without duplicates", () => {
  const keys = live("AWS::SQS::Queue", arn("sqs", "jobs"));
  expect(keys).toEqual([
    `1:aws_sqs_queue|${ACCOUNT}|eu-west-1|jobs`,
    `2:${arn("sqs", "jobs")}`,
    "3:aws_sqs_queue|jobs",
    "4:aws_sqs_queue|eu-west-1|jobs",
  ]);
});

test("an instance with the stack tags of its group doesn't match the group", () => {
  const tags = { "aws:cloudformation:stack-id": STACK, "aws:cloudformation:logical-id": "Group" };
  const group = {
    address: "shop.Group",
    type: "AWS::AutoScaling::AutoScalingGroup",
    attributes: { id: "g" },
  };
  expect(joins(live("AWS::EC2::Instance", "i-1", { tags }), { ...group, stack_id: STACK })).toBeUndefined();
});
