/** Property to list a type by, with one list call per value. */
export interface By {
  property: string;
  values: readonly string[];
}

/** Context for listing a type in a shard. */
interface Known {
  region: string;
  accountId: string;
  /** Returns Cloud Control's identifiers of the resources of a type that have been listed. */
  identifiersOf(type: string): readonly string[];
}

/** Types that are listed per parent: the parent, the property that names it, and the types' names. */
const CHILDREN: readonly (readonly [parent: string, property: string, names: string])[] = [
  ["AWS::Amplify::App", "AppId", "Branch"],
  ["AWS::ApiGateway::RestApi", "RestApiId", "Stage"],
  ["AWS::ApiGatewayV2::Api", "ApiId", "Stage"],
  ["AWS::AppConfig::Application", "ApplicationId", "ConfigurationProfile Environment"],
  ["AWS::Bedrock::Agent", "AgentId", "AgentAlias"],
  ["AWS::CodeDeploy::Application", "ApplicationName", "DeploymentGroup"],
  [
    "AWS::Connect::Instance",
    "InstanceArn",
    "ContactFlow ContactFlowModule HoursOfOperation Queue QuickConnect RoutingProfile SecurityProfile User UserHierarchyGroup",
  ],
  ["AWS::DeviceFarm::Project", "ProjectArn", "DevicePool NetworkProfile"],
  [
    "AWS::EKS::Cluster",
    "ClusterName",
    "AccessEntry Addon Capability FargateProfile IdentityProviderConfig Nodegroup PodIdentityAssociation",
  ],
  ["AWS::ElasticLoadBalancingV2::LoadBalancer", "LoadBalancerArn", "Listener"],
  ["AWS::ElasticLoadBalancingV2::Listener", "ListenerArn", "ListenerRule"],
  ["AWS::EventSchemas::Registry", "RegistryName", "Schema"],
  ["AWS::Lambda::Function", "FunctionName", "Alias"],
  ["AWS::Lex::Bot", "BotId", "BotAlias"],
  ["AWS::NetworkManager::GlobalNetwork", "GlobalNetworkId", "Device Link Site"],
  ["AWS::Route53RecoveryControl::ControlPanel", "ControlPanelArn", "RoutingControl SafetyRule"],
  ["AWS::S3Tables::TableBucket", "TableBucketARN", "Table"],
  ["AWS::S3Vectors::VectorBucket", "VectorBucketArn", "Index"],
  ["AWS::SSO::Instance", "InstanceArn", "Application PermissionSet"],
  ["AWS::SageMaker::Image", "ImageName", "ImageVersion"],
  ["AWS::StepFunctions::StateMachine", "StateMachineArn", "StateMachineAlias"],
  ["AWS::Transfer::Server", "ServerId", "Agreement User"],
  ["AWS::VpcLattice::Service", "ServiceIdentifier", "Listener"],
];

const parents = new Map(
  CHILDREN.flatMap(([parent, property, names]) =>
    names.split(" ").map((name) => [parent.replace(/\w+$/, name), { parent, property }] as const),
  ),
);

/** Properties that take the parent's name or id, where its identifier is an ARN that ends with it. */
const NAMED: ReadonlySet<string> = new Set(["AppId", "ImageName", "RegistryName", "ServerId"]);

const scope = ({ region }: Known): By => ({
  property: "Scope",
  values: region === "us-east-1" ? ["REGIONAL", "CLOUDFRONT"] : ["REGIONAL"],
});
const account = ({ accountId }: Known): By => ({ property: "AwsAccountId", values: [accountId] });

/** Types that are listed per kind or per account. */
const KINDS = new Map<string, (known: Known) => By>([
  ...["IPSet", "RegexPatternSet", "RuleGroup", "WebACL"].map(
    (name) => [`AWS::WAFv2::${name}`, scope] as const,
  ),
  ...["Analysis", "Dashboard", "Template", "Theme"].map(
    (name) => [`AWS::QuickSight::${name}`, account] as const,
  ),
  ["AWS::Rbin::Rule", () => ({ property: "ResourceType", values: ["EBS_SNAPSHOT", "EC2_IMAGE"] })],
]);

/** Returns the type that must be listed before `type`. */
export function parentOf(type: string): string | undefined {
  return parents.get(type)?.parent;
}

/** Returns the property to list a type by; undefined if Cloud Control lists the type in one call. */
export function listedBy(type: string, known: Known): By | undefined {
  const child = parents.get(type);
  if (child === undefined) return KINDS.get(type)?.(known);
  const { parent, property } = child;
  const named = (identifier: string): string =>
    NAMED.has(property) ? identifier.slice(identifier.lastIndexOf("/") + 1) : identifier;
  return { property, values: known.identifiersOf(parent).map(named) };
}
