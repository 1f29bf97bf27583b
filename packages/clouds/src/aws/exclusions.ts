import type { ExclusionRule } from "../cloud.ts";
import { arnHas, either, flag, idMatches, named, rule } from "./exclusion-rule.ts";
import { field, objects, textField } from "./payload.ts";

/** Rules for resources that AWS creates on its own, in every account or along with another resource. */
export const exclusions: readonly ExclusionRule[] = [
  rule("service_linked_role", "Roles that AWS services create for themselves and only they can change.", {
    types: ["AWS::IAM::Role", "AWS::IAM::ServiceLinkedRole"],
    when: either(arnHas(":role/aws-service-role/"), named(/^AWSServiceRoleFor/)),
  }),
  rule("sso_role", "Roles that IAM Identity Center creates from permission sets in every account.", {
    types: ["AWS::IAM::Role"],
    when: either(arnHas(":role/aws-reserved/sso.amazonaws.com/"), named(/^AWSReservedSSO_/)),
  }),
  rule("managed_policy", "IAM policies managed by AWS, the same in every account.", {
    types: ["AWS::IAM::ManagedPolicy"],
    when: arnHas(":iam::aws:policy/"),
  }),
  rule("default_vpc", "The default VPC that AWS creates in every region.", {
    types: ["AWS::EC2::VPC"],
    when: flag("IsDefault"),
  }),
  rule("default_subnet", "Subnets of a default VPC.", {
    types: ["AWS::EC2::Subnet"],
    when: flag("DefaultForAz"),
  }),
  rule("main_route_table", "The main route table, created with its VPC.", {
    types: ["AWS::EC2::RouteTable"],
    when: ({ properties }) =>
      objects(properties, "Associations").some((association) => field(association, "Main") === true),
  }),
  rule("local_route", "The local route, created with its route table.", {
    types: ["AWS::EC2::Route"],
    when: ({ properties }) =>
      textField(properties, "GatewayId") === "local" ||
      textField(properties, "Origin") === "CreateRouteTable",
  }),
  rule("default_network_acl", "The default network ACL, created with its VPC.", {
    types: ["AWS::EC2::NetworkAcl"],
    when: flag("IsDefault"),
  }),
  rule("default_network_acl_entry", "The last entry of every network ACL, which denies all other traffic.", {
    types: ["AWS::EC2::NetworkAclEntry"],
    when: ({ properties }) => [32_767, 32_768].includes(Number(field(properties, "RuleNumber"))),
  }),
  rule("default_security_group", "The default security group, created with its VPC.", {
    types: ["AWS::EC2::SecurityGroup"],
    when: ({ properties }) => textField(properties, "GroupName") === "default",
  }),
  rule("default_listener_rule", "The last rule of a listener, which is its default action.", {
    types: ["AWS::ElasticLoadBalancingV2::ListenerRule"],
    when: either(flag("IsDefault"), ({ properties }) => textField(properties, "Priority") === "default"),
  }),
  rule("default_dhcp_options", "The DHCP options that AWS creates for a region's default VPC.", {
    types: ["AWS::EC2::DHCPOptions"],
    when: ({ properties, tags }) =>
      tags === undefined &&
      /^(?:ec2|[a-z0-9-]{1,30}\.compute)\.internal$/.test(textField(properties, "DomainName") ?? "") &&
      JSON.stringify(field(properties, "DomainNameServers")) === '["AmazonProvidedDNS"]',
  }),
  rule("requester_managed_interface", "Network interfaces that an AWS service creates and manages.", {
    types: ["AWS::EC2::NetworkInterface"],
    when: either(flag("RequesterManaged"), ({ properties }) => {
      const kind = textField(properties, "InterfaceType") ?? "interface";
      return !["interface", "efa", "efa-only", "trunk", "branch"].includes(kind);
    }),
  }),
  rule("image_snapshot", "Snapshots of a machine image, deleted together with it.", {
    types: ["AWS::EC2::Snapshot"],
    when: ({ properties }) =>
      /^(?:Created by CreateImage\(|Copied for DestinationAmi )/.test(
        textField(properties, "Description") ?? "",
      ),
  }),
  rule("managed_key", "Keys that AWS services create and rotate, and their aliases.", {
    types: ["AWS::KMS::Key", "AWS::KMS::ReplicaKey", "AWS::KMS::Alias"],
    when: either(named(/^alias\/aws\//), ({ properties }) => textField(properties, "KeyManager") === "AWS"),
  }),
  rule("default_event_bus", "The default event bus of every region.", {
    types: ["AWS::Events::EventBus"],
    when: named(/^default$/),
  }),
  rule("managed_event_rule", "EventBridge rules that an AWS service creates and manages.", {
    types: ["AWS::Events::Rule"],
    when: either(
      ({ properties }) => textField(properties, "ManagedBy") !== undefined,
      named(/(?:^|\/)(?:AutoScalingManagedRule|DO-NOT-DELETE-|StepFunctionsGet)/),
    ),
  }),
  rule("default_schedule_group", "The default schedule group of every region.", {
    types: ["AWS::Scheduler::ScheduleGroup"],
    when: named(/^default$/),
  }),
  rule(
    "default_parameter_group",
    "Default parameter and option groups, which AWS creates and nobody can change.",
    {
      types: [
        "AWS::RDS::DBParameterGroup",
        "AWS::RDS::DBClusterParameterGroup",
        "AWS::RDS::OptionGroup",
        "AWS::DocDB::DBClusterParameterGroup",
        "AWS::Neptune::DBParameterGroup",
        "AWS::Neptune::DBClusterParameterGroup",
        "AWS::ElastiCache::ParameterGroup",
        "AWS::MemoryDB::ParameterGroup",
        "AWS::Redshift::ClusterParameterGroup",
        "AWS::DAX::ParameterGroup",
      ],
      when: named(/^default[.:]/),
    },
  ),
  rule("default_subnet_group", "Subnet groups that AWS creates from a VPC's subnets by default.", {
    types: [
      "AWS::RDS::DBSubnetGroup",
      "AWS::DocDB::DBSubnetGroup",
      "AWS::Neptune::DBSubnetGroup",
      "AWS::ElastiCache::SubnetGroup",
      "AWS::MemoryDB::SubnetGroup",
      "AWS::Redshift::ClusterSubnetGroup",
      "AWS::DAX::SubnetGroup",
    ],
    when: named(/^default(?:-vpc-[0-9a-f]{8,17})?$/),
  }),
  rule("default_cache_access", "The default user and access list of ElastiCache and MemoryDB.", {
    types: ["AWS::ElastiCache::User", "AWS::MemoryDB::User", "AWS::MemoryDB::ACL"],
    when: named(/^(?:default|open-access)$/),
  }),
  rule("automated_snapshot", "Automatic snapshots and backups of databases.", {
    types: [
      "AWS::RDS::DBSnapshot",
      "AWS::RDS::DBClusterSnapshot",
      "AWS::RDS::DBInstanceAutomatedBackup",
      "AWS::RDS::DBClusterAutomatedBackup",
      "AWS::Redshift::ClusterSnapshot",
      "AWS::ElastiCache::Snapshot",
      "AWS::FSx::Backup",
    ],
    when: either(
      ({ provider_type }) => provider_type.endsWith("AutomatedBackup"),
      idMatches(/(?:snapshot:|snapshot:[^/]{1,100}\/|^)(?:rds:|rs:|automatic\.)[^/:]{1,255}$/),
      ({ properties }) => /^automated$/i.test(textField(properties, "SnapshotType") ?? ""),
      ({ properties }) => textField(properties, "Type") === "AUTOMATIC",
    ),
  }),
  rule("default_workgroup", "Athena's primary work group and default data catalog.", {
    types: ["AWS::Athena::WorkGroup", "AWS::Athena::DataCatalog"],
    when: named(/^(?:primary|AwsDataCatalog)$/),
  }),
  rule("default_dashboard", "CloudWatch's automatic dashboards.", {
    types: ["AWS::CloudWatch::Dashboard"],
    when: named(/^CloudWatch-(?:Default|CrossService)/),
  }),
  rule("target_tracking_alarm", "Alarms that a scaling policy creates and deletes.", {
    types: ["AWS::CloudWatch::Alarm"],
    when: named(/^(?:TargetTracking-|awseb-)/),
  }),
  rule("default_tracing", "X-Ray's default group and sampling rule.", {
    types: ["AWS::XRay::Group", "AWS::XRay::SamplingRule"],
    when: idMatches(/[:/]Default(?:\/[A-Z0-9]{1,64})?$/),
  }),
  rule("default_storage_lens", "The default Storage Lens dashboard of every account.", {
    types: ["AWS::S3::StorageLens"],
    when: named(/^default-account-dashboard$/),
  }),
  rule("default_backup_vault", "Backup vaults that AWS Backup and EFS create.", {
    types: ["AWS::Backup::BackupVault"],
    when: named(/^(?:Default|aws\/efs\/automatic-backup-vault)$/),
  }),
  rule("managed_document", "Systems Manager documents and patch baselines managed by AWS.", {
    types: ["AWS::SSM::Document", "AWS::SSM::PatchBaseline"],
    when: either(
      named(/^(?:AWS|Amazon)-/),
      idMatches(/^arn:[a-z-]{1,20}:ssm:[a-z0-9-]{0,30}::document\/[^/]{1,128}$/),
    ),
  }),
  rule("managed_delivery_policy", "CloudFront policies managed by AWS.", {
    types: [
      "AWS::CloudFront::CachePolicy",
      "AWS::CloudFront::OriginRequestPolicy",
      "AWS::CloudFront::ResponseHeadersPolicy",
    ],
    when: named(/^Managed-/),
  }),
  rule("predefined_deployment", "Predefined deployment strategies and configurations of AWS.", {
    types: ["AWS::AppConfig::DeploymentStrategy", "AWS::CodeDeploy::DeploymentConfig"],
    when: idMatches(/(?:AppConfig|CodeDeployDefault)\.[A-Za-z0-9]{1,100}$/),
  }),
  rule("default_api_account", "API Gateway's account settings while no logging role is set.", {
    types: ["AWS::ApiGateway::Account"],
    when: ({ properties }) => textField(properties, "CloudWatchRoleArn") === undefined,
  }),
  rule("default_gateway_response", "Default gateway responses of an API.", {
    types: ["AWS::ApiGateway::GatewayResponse"],
    when: flag("DefaultResponse"),
  }),
  rule("empty_queue_policy", "The empty policy of a queue without a policy.", {
    types: ["AWS::SQS::QueuePolicy"],
    when: ({ properties }) =>
      properties !== undefined && !field(properties, "PolicyDocument") && !field(properties, "Policy"),
  }),
  rule("service_quota", "Service quotas, which every account has.", {
    types: ["AWS::ServiceQuotas::ServiceQuota"],
    when: () => true,
  }),
  rule("service_log_group", "Log groups below /aws/ that AWS services create on their first write.", {
    types: ["AWS::Logs::LogGroup"],
    when: named(/^(?:\/aws\/|API-Gateway-Execution-Logs_|RDSOSMetrics$)/),
  }),
  rule("container_task", "Tasks that a container service starts and stops.", {
    types: ["AWS::ECS::Task"],
    when: () => true,
  }),
  rule("registered_instance", "Instances registered by the agents of ECS and Systems Manager.", {
    types: ["AWS::ECS::ContainerInstance", "AWS::SSM::ManagedInstance"],
    when: () => true,
  }),
  rule("recovery_point", "Recovery points that AWS Backup creates and deletes.", {
    types: ["AWS::Backup::RecoveryPoint"],
    when: () => true,
  }),
  rule("cdk_bootstrap", "Resources created by `cdk bootstrap`.", {
    types: [
      "AWS::S3::Bucket",
      "AWS::ECR::Repository",
      "AWS::IAM::Role",
      "AWS::SSM::Parameter",
      "AWS::CloudFormation::Stack",
    ],
    when: either(
      idMatches(
        /[:/]cdk-[a-z0-9]{1,10}-(?:assets|container-assets|[a-z-]{1,30}-role)-\d{12}-[a-z0-9-]{1,30}$/,
      ),
      idMatches(/\/cdk-bootstrap\/[a-z0-9]{1,10}\/version$/),
      idMatches(/:stack\/CDKToolkit\//),
    ),
  }),
];
