import { describe, expect, test } from "bun:test";
import fc from "fast-check";

import { parseArn } from "./arn.ts";
import { idSegments } from "./arn-forms.ts";
import { catalog, forms, resolveType } from "./types.ts";

const withPath = catalog.entries.flatMap((entry) =>
  entry.path === undefined ? [] : { ...entry, entry, path: entry.path },
);

describe("the catalog of AWS", () => {
  test("knows the types that practitioners meet", () => {
    expect(catalog.entries.filter(({ listed }) => listed).length).toBeGreaterThan(700);
    expect(new Set(catalog.entries.flatMap(({ terraform }) => terraform)).size).toBeGreaterThan(1400);
  });

  test("names every type once", () => {
    const types = catalog.entries.map(({ type }) => type);
    expect(types.filter((type, index) => types.indexOf(type) !== index)).toEqual([]);
  });

  test("writes the keys of a Terraform type with one name, whichever row is asked", () => {
    const canonical = new Map<string, string | undefined>();
    for (const { terraform } of catalog.entries) {
      for (const type of terraform) {
        if (canonical.has(type)) expect([type, canonical.get(type)]).toEqual([type, terraform[0]]);
        canonical.set(type, terraform[0]);
      }
    }
  });

  test("counts as missing only what has an ARN or an identifier to be listed by", () => {
    expect(catalog.entries.filter(({ listed, path }) => listed && path === undefined)).toEqual([]);
  });

  test.each([
    ["aws_db_instance", "stateful"],
    ["aws_rds_cluster_instance", "stateful"],
    ["aws_s3_bucket", "stateful"],
    ["aws_sqs_queue", "stateful"],
    ["aws_ecr_repository", "stateful"],
    ["aws_cloudwatch_log_group", "stateful"],
    ["aws_fsx_ontap_file_system", "stateful"],
    ["aws_elasticache_replication_group", "stateful"],
    ["aws_cognito_user_pool", "stateful"],
    ["aws_ssm_parameter", "stateful"],
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
  ] as const)("calls the loss of %s %s", (type, loss) => {
    expect(catalog.byTerraform(type)?.loss).toBe(loss);
  });
});

describe("an ARN alone tells the type and the native id", () => {
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

  test("and so does one of every form in the table, or the first row with that form", () => {
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

  test("of a type that the catalog lacks tells nothing", () => {
    expect(forms.recognize(parseArn("arn:aws:quantum:eu-west-1:123456789012:qubit/1")!)).toBeUndefined();
    expect(forms.recognize(parseArn("arn:aws:ec2:eu-west-1:123456789012:wormhole/1")!)).toBeUndefined();
  });
});

describe("a type is known in the spelling of", () => {
  test.each([
    ["CloudFormation", "AWS::SQS::Queue", "aws_sqs_queue"],
    ["CloudFormation in another case", "aws::sqs::queue".replace("aws", "AWS"), "aws_sqs_queue"],
    ["the Cloud Control provider", "awscc_appsync_graph_ql_api", "aws_appsync_graphql_api"],
    [
      "the Cloud Control provider, of several words",
      "awscc_apigatewayv2_api_mapping",
      "aws_apigatewayv2_api_mapping",
    ],
    ["Pulumi", "aws:sqs/queue:Queue", "aws_sqs_queue"],
    ["Pulumi, with a version", "aws:s3/bucketV2:BucketV2", "aws_s3_bucket"],
    ["Pulumi, where the module isn't Terraform's prefix", "aws:rds/instance:Instance", "aws_db_instance"],
    ["Pulumi, where Terraform has no prefix", "aws:ec2/instance:Instance", "aws_instance"],
    ["Pulumi, where the names differ", "aws:lb/loadBalancer:LoadBalancer", "aws_lb"],
    ["Pulumi, of AWS Config", "aws:cfg/recorder:Recorder", "aws_config_configuration_recorder"],
    ["Pulumi's native provider", "aws-native:lambda:Function", "aws_lambda_function"],
    [
      "Pulumi's native provider, of AWS Config",
      "aws-native:configuration:ConfigRule",
      "aws_config_config_rule",
    ],
    ["a variant", "aws_default_security_group", "aws_security_group"],
  ])("%s", (_, type, key) => {
    expect(resolveType(type).key).toBe(key);
  });

  test("the Cloud Control provider also where the catalog is asked by Terraform type", () => {
    expect(catalog.byTerraform("awscc_s3_bucket")?.loss).toBe("stateful");
  });

  test("no tool, but the tools that say the same of it agree on a name", () => {
    const names = ["AWS::Quantum::QubitPool", "awscc_quantum_qubit_pool", "aws-native:quantum:QubitPool"];
    expect(new Set(names.map((name) => resolveType(name).key)).size).toBe(1);
  });
});
