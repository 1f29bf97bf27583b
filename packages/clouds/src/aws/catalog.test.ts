import { describe, expect, test } from "bun:test";
import fc from "fast-check";

import { parseArn } from "./arn.ts";
import { idSegments } from "./arn-forms.ts";
import { catalog, forms, resolveType } from "./types.ts";

const withPath = catalog.entries.flatMap((entry) =>
  entry.path === undefined ? [] : { ...entry, entry, path: entry.path },
);

describe("the AWS catalog", () => {
  test("contains more than 700 listed types and 1,400 Terraform types", () => {
    expect(catalog.entries.filter(({ listed }) => listed).length).toBeGreaterThan(700);
    expect(new Set(catalog.entries.flatMap(({ terraform }) => terraform)).size).toBeGreaterThan(1400);
  });

  test("contains every type once", () => {
    const types = catalog.entries.map(({ type }) => type);
    expect(types.filter((type, index) => types.indexOf(type) !== index)).toEqual([]);
  });

  test("uses one canonical Terraform type in all rows", () => {
    const canonical = new Map<string, string | undefined>();
    for (const { terraform } of catalog.entries) {
      for (const type of terraform) {
        if (canonical.has(type)) expect([type, canonical.get(type)]).toEqual([type, terraform[0]]);
        canonical.set(type, terraform[0]);
      }
    }
  });

  test("lists only types with an ARN or an identifier", () => {
    expect(catalog.entries.filter(({ listed, path }) => listed && path === undefined)).toEqual([]);
  });

  test.each([
    ["aws_db_instance", "stateful"],
    ["aws_rds_cluster_instance", "stateful"],
    ["aws_s3_bucket", "stateful"],
    ["aws_sqs_queue", "stateful"],
    ["aws_ecr_repository", "stateful"],
    ["aws_cloudwatch_log_group", "maybe_stateful"],
    ["aws_fsx_ontap_file_system", "stateful"],
    ["aws_elasticache_replication_group", "stateful"],
    ["aws_cognito_user_pool", "stateful"],
    ["aws_ssm_parameter", "key_material"],
    ["aws_kms_key", "key_material"],
    ["aws_kms_replica_key", "key_material"],
    ["aws_secretsmanager_secret", "key_material"],
    ["aws_vpc", "container"],
    ["aws_default_vpc", "container"],
    ["aws_route53_zone", "container"],
    ["aws_organizations_account", "container"],
    ["aws_instance", "serving"],
    ["aws_autoscaling_group", "serving"],
    ["aws_alb", "serving"],
    ["aws_nat_gateway", "serving"],
    ["aws_eks_node_group", "serving"],
    ["aws_lambda_alias", "serving"],
    ["aws_eip", "serving"],
    ["aws_route53_record", "serving"],
    ["aws_security_group", "other"],
    ["aws_iam_role_policy_attachment", "other"],
  ] as const)("classifies the loss of %s as %s", (type, loss) => {
    expect(catalog.byTerraform(type)?.loss).toBe(loss);
  });
});

describe("the type and native id are found by ARN", () => {
  test.each([
    ["arn:aws:ec2:eu-west-1:123456789012:instance/i-1", "AWS::EC2::Instance", "i-1"],
    ["arn:aws:s3:::logs", "AWS::S3::Bucket", "logs"],
    ["arn:aws:s3:eu-west-1:123456789012:accesspoint/ap", "AWS::S3::AccessPoint", "ap"],
    ["arn:aws:sns:eu-west-1:123456789012:alerts", "AWS::SNS::Topic", "alerts"],
    ["arn:aws:sns:eu-west-1:123456789012:alerts:0f0e", "AWS::SNS::Subscription", ""],
    ["arn:aws:iam::123456789012:role/deployer", "AWS::IAM::Role", "deployer"],
    ["arn:aws:iam::123456789012:role/team/a/deployer", "AWS::IAM::Role", "deployer"],
    [
      "arn:aws:elasticloadbalancing:eu-west-1:123456789012:loadbalancer/web",
      "AWS::ElasticLoadBalancing::LoadBalancer",
      "web",
    ],
    [
      "arn:aws:elasticloadbalancing:eu-west-1:123456789012:loadbalancer/app/web/50dc6c495c0c9188",
      "AWS::ElasticLoadBalancingV2::LoadBalancer",
      "app/web/50dc6c495c0c9188",
    ],
    ["arn:aws:lambda:eu-west-1:123456789012:function:resize", "AWS::Lambda::Function", "resize"],
    ["arn:aws:lambda:eu-west-1:123456789012:function:resize:live", "AWS::Lambda::Alias", "resize|live"],
    ["arn:aws:apigateway:eu-west-1::/restapis/a1/stages/prod", "AWS::ApiGateway::Stage", "a1|prod"],
    [
      "arn:aws:logs:eu-west-1:123456789012:log-group:/aws/lambda/resize",
      "AWS::Logs::LogGroup",
      "/aws/lambda/resize",
    ],
    ["arn:aws:logs:eu-west-1:123456789012:log-group:app:log-stream:a/b", "AWS::Logs::LogStream", "app|a/b"],
    ["arn:aws:ssm:eu-west-1:123456789012:parameter/app/db", "AWS::SSM::Parameter", "/app/db"],
    ["arn:aws:ssm:eu-west-1:123456789012:parameter/db", "AWS::SSM::Parameter", "db"],
    [
      "arn:aws:rds:eu-west-1:123456789012:cluster-snapshot:rds:main-2026-01-02-03-04",
      "AWS::RDS::DBClusterSnapshot",
      "rds:main-2026-01-02-03-04",
    ],
    ["arn:aws:eks:eu-west-1:123456789012:nodegroup/prod/blue/6ac1", "AWS::EKS::Nodegroup", "prod|blue"],
    [
      "arn:aws:autoscaling:eu-west-1:123456789012:autoScalingGroup:0f-1:autoScalingGroupName/web",
      "AWS::AutoScaling::AutoScalingGroup",
      "web",
    ],
    ["arn:aws:wafv2:us-east-1:123456789012:global/webacl/edge/0f-1", "AWS::WAFv2::WebACL", "edge|0f-1"],
    ["arn:aws:kms:eu-west-1:123456789012:key/0f-1", "AWS::KMS::Key", "0f-1"],
    ["arn:aws:kms:eu-west-1:123456789012:alias/aws/s3", "AWS::KMS::Alias", "alias/aws/s3"],
    [
      "arn:aws:secretsmanager:eu-west-1:123456789012:secret:app/db-AbCdEf",
      "AWS::SecretsManager::Secret",
      "app/db-AbCdEf",
    ],
    [
      "arn:aws:inspector:eu-west-1:123456789012:target/0-a/template/0-b",
      "AWS::Inspector::AssessmentTemplate",
      "",
    ],
    ["arn:aws:route53:::hostedzone/Z1", "AWS::Route53::HostedZone", "Z1"],
  ])("%s", (text, type, id) => {
    const found = forms.recognize(parseArn(text)!);
    expect([found?.entry.type, found?.id]).toEqual([type, id]);
  });

  test("for every form in the table", () => {
    const segment = fc.stringMatching(/^[A-Za-z0-9_.-]{1,12}$/);
    fc.assert(
      fc.property(fc.constantFrom(...withPath), fc.infiniteStream(segment), (row, names) => {
        const values: string[] = [];
        const path = row.path.split(",")[0]!;
        const [service, form] = [path.slice(0, path.indexOf(":")), path.slice(path.indexOf(":") + 1)];
        const resource = form.replaceAll(/\{([a-z0-9_]+)\+?\}/g, (_, name: string) => {
          if (name === "path") return "/";
          const value = names.next().value!;
          if (name !== "_") values.push(value);
          return value;
        });
        const arn = parseArn(`arn:aws:${service}:eu-west-1:123456789012:${resource}`)!;
        expect(forms.idOf(row.entry, arn)).toBe(values.join("|"));
        expect(idSegments(row.entry)).toHaveLength(values.length);
        expect(forms.recognize(arn)).toBeDefined();
      }),
      { numRuns: 1000 },
    );
  });

  test("but not for an unknown type", () => {
    expect(forms.recognize(parseArn("arn:aws:quantum:eu-west-1:123456789012:qubit/1")!)).toBeUndefined();
    expect(forms.recognize(parseArn("arn:aws:ec2:eu-west-1:123456789012:wormhole/1")!)).toBeUndefined();
  });
});

describe("a type is found by its name in", () => {
  test.each([
    ["CloudFormation", "AWS::SQS::Queue", "aws_sqs_queue"],
    ["CloudFormation in another case", "aws::sqs::queue".replace("aws", "AWS"), "aws_sqs_queue"],
    ["the Cloud Control provider", "awscc_appsync_graph_ql_api", "aws_appsync_graphql_api"],
    [
      "the Cloud Control provider, with several words",
      "awscc_apigatewayv2_api_mapping",
      "aws_apigatewayv2_api_mapping",
    ],
    ["Pulumi", "aws:sqs/queue:Queue", "aws_sqs_queue"],
    ["Pulumi, with a version", "aws:s3/bucketV2:BucketV2", "aws_s3_bucket"],
    ["Pulumi, with a module other than Terraform's prefix", "aws:rds/instance:Instance", "aws_db_instance"],
    ["Pulumi, without a prefix in Terraform", "aws:ec2/instance:Instance", "aws_instance"],
    ["Pulumi, with a different name", "aws:lb/loadBalancer:LoadBalancer", "aws_lb"],
    ["Pulumi, for AWS Config", "aws:cfg/recorder:Recorder", "aws_config_configuration_recorder"],
    ["Pulumi's native provider", "aws-native:lambda:Function", "aws_lambda_function"],
    [
      "Pulumi's native provider, for AWS Config",
      "aws-native:configuration:ConfigRule",
      "aws_config_config_rule",
    ],
    ["a variant", "aws_default_security_group", "aws_security_group"],
  ])("%s", (_, type, key) => {
    expect(resolveType(type).key).toBe(key);
  });

  test("the Cloud Control provider, also in lookups by Terraform type", () => {
    expect(catalog.byTerraform("awscc_s3_bucket")?.loss).toBe("stateful");
  });

  test("several tools under one key, even if the catalog lacks it", () => {
    const names = ["AWS::Quantum::QubitPool", "awscc_quantum_qubit_pool", "aws-native:quantum:QubitPool"];
    expect(new Set(names.map((name) => resolveType(name).key)).size).toBe(1);
  });
});
