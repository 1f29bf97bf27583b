import { KEY_ARN } from "../estate/aws-data.ts";
import { cluster } from "../estate/aws-edge.ts";
import { ACCOUNT } from "../estate/aws-network.ts";
import { emailsFunction, loadBalancer, shopServer } from "../estate/aws-serving.ts";
import { changedBlock, knownWhenNew } from "../plan.ts";
import type { CommonType } from "./common-type.ts";

const TOPIC = `arn:aws:sns:eu-central-1:${ACCOUNT}:order-events`;
const EMAILS = `arn:aws:lambda:eu-central-1:${ACCOUNT}:function:emails`;

const liveCluster = (vpc: object) => ({
  Name: "production",
  Arn: `arn:aws:eks:eu-central-1:${ACCOUNT}:cluster/production`,
  Version: "1.30",
  ClusterStatus: "ACTIVE",
  RoleArn: `arn:aws:iam::${ACCOUNT}:role/eks-production`,
  EncryptionConfig: [{ Resources: ["secrets"], Provider: { KeyArn: KEY_ARN } }],
  ResourcesVpcConfig: {
    EndpointPrivateAccess: true,
    SecurityGroupIds: ["sg-0a7c2e19d4b8f6035"],
    SubnetIds: ["subnet-0a94b1c7e6d25f381"],
    ...vpc,
  },
});
const permission = {
  function_name: EMAILS,
  action: "lambda:InvokeFunction",
  statement_id: "invoke",
  source_account: null,
};
const functionUrl = { function_name: "emails", invoke_mode: "BUFFERED", qualifier: null, cors: [] };
const OPEN_ENDPOINT = changedBlock(cluster, "vpc_config", {
  endpoint_public_access: true,
  public_access_cidrs: ["0.0.0.0/0"],
});

/** AWS: servers, functions and clusters. */
export const AWS_COMPUTE: readonly CommonType[] = [
  {
    type: "aws_instance",
    harmless: knownWhenNew(shopServer),
    live: {
      provider_type: "AWS::EC2::Instance",
      harmless: {
        instanceId: "i-0d9c8b7a6f5e43210",
        imageId: "ami-0a1b2c3d4e5f67890",
        instanceType: "m6i.large",
        state: { code: 16, name: "running" },
        privateIpAddress: "10.20.50.31",
        metadataOptions: { httpEndpoint: "enabled", httpTokens: "required", state: "applied" },
        securityGroups: [{ groupId: "sg-0a7c2e19d4b8f6035", groupName: "shop-app" }],
        subnetId: "subnet-0a94b1c7e6d25f381",
        vpcId: "vpc-0f3d6a1b9c8e74521",
      },
    },
  },
  {
    type: "aws_lb",
    harmless: knownWhenNew(loadBalancer),
    live: {
      provider_type: "AWS::ElasticLoadBalancingV2::LoadBalancer",
      harmless: {
        loadBalancerArn: `arn:aws:elasticloadbalancing:eu-central-1:${ACCOUNT}:loadbalancer/app/shop/50dc6c495c0c9188`,
        loadBalancerName: "shop",
        dNSName: "shop-1736190422.eu-central-1.elb.amazonaws.com",
        scheme: "internet-facing",
        type: "application",
        state: { code: "active" },
        securityGroups: ["sg-05d8b3f7a1c9e2460"],
        vpcId: "vpc-0f3d6a1b9c8e74521",
      },
    },
  },
  {
    type: "aws_lambda_function",
    harmless: knownWhenNew(emailsFunction),
    live: {
      provider_type: "AWS::Lambda::Function",
      harmless: {
        functionName: "emails",
        functionArn: EMAILS,
        runtime: "nodejs20.x",
        role: `arn:aws:iam::${ACCOUNT}:role/emails`,
        handler: "index.handler",
        memorySize: 256,
        timeout: 15,
        packageType: "Zip",
        tracingConfig: { mode: "Active" },
      },
    },
  },
  {
    type: "aws_lambda_function_url",
    harmless: { ...functionUrl, authorization_type: "AWS_IAM" },
    exposed: {
      after: { ...functionUrl, authorization_type: "NONE" },
      level: "high",
      why: "Anyone on the internet can call the function.",
    },
    live: { unlisted: "AWS Config records neither function URLs nor a function's resource policy" },
  },
  {
    type: "aws_lambda_permission",
    harmless: { ...permission, principal: "sns.amazonaws.com", source_arn: TOPIC },
    medium: "access",
    exposed: {
      after: { ...permission, principal: "*", source_arn: null },
      level: "high",
      why: "Any AWS account can call the function.",
    },
    live: { unlisted: "AWS Config records neither function URLs nor a function's resource policy" },
  },
  {
    type: "aws_eks_cluster",
    harmless: knownWhenNew(cluster),
    exposed: {
      after: knownWhenNew({ ...cluster, ...OPEN_ENDPOINT }),
      level: "high",
      why: "The API server is reachable from the internet.",
    },
    live: {
      provider_type: "AWS::EKS::Cluster",
      harmless: liveCluster({ EndpointPublicAccess: false, PublicAccessCidrs: [] }),
      exposed: liveCluster({ EndpointPublicAccess: true, PublicAccessCidrs: ["0.0.0.0/0"] }),
    },
  },
];
