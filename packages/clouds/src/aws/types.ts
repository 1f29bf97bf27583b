import { once } from "@leeway/shared/values/once";

import { type Catalog, type CatalogEntry, openCatalog } from "../catalog.ts";
import { arnForms, idSegments } from "./arn-forms.ts";
import table from "./catalog.tsv" with { type: "text" };

const own = openCatalog(table);

/** AWS's types; `byTerraform` also knows the names of the `awscc` provider. */
export const catalog: Catalog = {
  get entries() {
    return own.entries;
  },
  byType: own.byType,
  byTerraform: (type) => own.byTerraform(type) ?? (type.startsWith("awscc_") ? typeOf(type) : undefined),
};

/** ARN forms of the catalog. */
export const forms = arnForms(() => own.entries);

/** Catalog entry and key name of a type in any tool's spelling. */
export interface ResolvedType {
  entry?: CatalogEntry;
  /** Name that keys contain. */
  key: string;
}

/** Reports whether `type` is an AWS type in Terraform, CloudFormation or Pulumi. */
export function declares(type: string): boolean {
  return /^(?:aws_|awscc_|AWS::|aws:|aws-native:)/.test(type);
}

/** Returns the catalog's entry and key name for AWS's own type or a type of any tool that declares it. */
export function resolveType(type: string): ResolvedType {
  let resolved = resolvedTypes.get(type);
  if (resolved === undefined) {
    const entry = typeOf(type);
    resolved = {
      key: entry === undefined ? unknownName(type) : (entry.terraform[0] ?? entry.type),
      ...(entry && { entry }),
    };
    // Types come from users: implausible ones aren't cached.
    if (resolvedTypes.size < 10_000 && type.length < 200) resolvedTypes.set(type, resolved);
  }
  return resolved;
}

const resolvedTypes = new Map<string, ResolvedType>();

/** Reports whether names identify an entry's resources within a region. */
export function isNamed(entry: CatalogEntry): boolean {
  const [segment, ...more] = idSegments(entry);
  return segment !== undefined && segment === entry.name && more.length === 0;
}

function typeOf(type: string): CatalogEntry | undefined {
  if (type.startsWith("aws_")) return own.byTerraform(type);
  if (type.startsWith("awscc_")) return byCloudName().get(squash(type.slice("awscc_".length)));
  if (type.startsWith("aws-native:")) return byCloudName().get(nativeName(type));
  if (type.startsWith("aws:")) return own.byTerraform(bridgedType(type) ?? "");
  return own.byType(type);
}

/**
 * Returns one name for a type missing from the catalog, in any spelling:
 * Cloud Control, CloudFormation, awscc or Pulumi.
 */
function unknownName(type: string): string {
  if (type.startsWith("awscc_")) return `aws::${squash(type.slice("awscc_".length))}`;
  if (type.startsWith("aws-native:")) return `aws::${nativeName(type)}`;
  return type.startsWith("AWS::") ? `aws::${squash(type.slice("AWS::".length))}` : type;
}

function squash(name: string): string {
  return name.replaceAll(/[_:]/g, "").toLowerCase();
}

function nativeName(type: string): string {
  return squash(type.slice("aws-native:".length).replace(/^configuration:/, "config:"));
}

const byCloudName = once(() =>
  index(own.entries.map((entry) => [squash(entry.type.slice("AWS::".length)), entry])),
);
const bySquashedTerraform = once(() =>
  index(
    own.entries.flatMap((entry) =>
      entry.terraform.map((type) => [squash(type.slice("aws_".length)), type] as const),
    ),
  ),
);

function index<T>(pairs: readonly (readonly [string, T])[]): Map<string, T> {
  return new Map(pairs.toReversed());
}

/**
 * Returns the Terraform type of a Pulumi type: `aws:sqs/queue:Queue` is `aws_sqs_queue`. It combines the module, or
 * Terraform's word for it, with the name. A `V2` at the end (`BucketV2`) is ignored.
 */
export function bridgedType(type: string): string | undefined {
  const [, module, name] = /^aws:([a-z0-9]+)\/[A-Za-z0-9_]+:([A-Za-z0-9_]+)$/.exec(type) ?? [];
  if (module === undefined || name === undefined) return undefined;
  const exception = PULUMI_EXCEPTIONS.get(`${module}:${name}`);
  if (exception !== undefined) return exception;
  const names = [squash(name), squash(name).replace(/v2$/, "")];
  const prefixes = [module, ...(PULUMI_MODULES.get(module) ?? []), ""];
  return names
    .flatMap((candidate) => prefixes.map((prefix) => bySquashedTerraform().get(prefix + candidate)))
    .find((found) => found !== undefined);
}

/** Prefixes of Terraform types in a Pulumi module, if they differ from the module's name. */
const PULUMI_MODULES = new Map([
  ["amp", ["prometheus"]],
  ["bcmdata", ["bcmdataexports"]],
  ["cfg", ["config", "configconfig", "configconfiguration"]],
  ["costexplorer", ["ce"]],
  ["directconnect", ["dx"]],
  ["ec2", ["vpc", "ebs"]],
  ["ec2transitgateway", ["ec2"]],
  ["macie", ["macie2"]],
  ["opensearchingest", ["osis"]],
  ["rds", ["db", "dbinstance"]],
  ["resourceexplorer", ["resourceexplorer2"]],
  ["route53recoverycontrol", ["route53recoverycontrolconfig"]],
]);

/** Resources that Pulumi and Terraform name differently. */
const PULUMI_EXCEPTIONS = new Map([
  ["account:AlternativeContact", "aws_account_alternate_contact"],
  ["alb:LoadBalancer", "aws_lb"],
  ["apigateway:Response", "aws_api_gateway_gateway_response"],
  ["appconfig:EventIntegration", "aws_appintegrations_event_integration"],
  ["applicationloadbalancing:LoadBalancer", "aws_lb"],
  ["autoscaling:Tag", "aws_autoscaling_group_tag"],
  ["cloudcontrol:Resource", "aws_cloudcontrolapi_resource"],
  ["cloudformation:CloudFormationType", "aws_cloudformation_type"],
  ["cloudtrail:Trail", "aws_cloudtrail"],
  ["cloudwatch:InternetMonitor", "aws_internetmonitor_monitor"],
  ["codeartifact:DomainPermissions", "aws_codeartifact_domain_permissions_policy"],
  ["codedeploy:Application", "aws_codedeploy_app"],
  ["codepipeline:Pipeline", "aws_codepipeline"],
  ["cognito:IdentityPoolRoleAttachment", "aws_cognito_identity_pool_roles_attachment"],
  ["controltower:ControlTowerControl", "aws_controltower_control"],
  ["datasync:EfsLocation", "aws_datasync_location_efs"],
  ["datasync:FsxOpenZfsFileSystem", "aws_datasync_location_fsx_openzfs_file_system"],
  ["datasync:LocationFsxLustre", "aws_datasync_location_fsx_lustre_file_system"],
  ["datasync:LocationFsxWindows", "aws_datasync_location_fsx_windows_file_system"],
  ["datasync:NfsLocation", "aws_datasync_location_nfs"],
  ["datasync:S3Location", "aws_datasync_location_s3"],
  ["directconnect:HostedTransitVirtualInterfaceAcceptor", "aws_dx_hosted_transit_virtual_interface_accepter"],
  ["directconnect:LinkAggregationGroup", "aws_dx_lag"],
  ["directoryservice:ServiceRegion", "aws_directory_service_region"],
  ["ec2:DedicatedHost", "aws_ec2_host"],
  ["ec2:NetworkInterfaceSecurityGroupAttachment", "aws_network_interface_sg_attachment"],
  ["ec2:SecurityGroupAssociation", "aws_vpc_endpoint_security_group_association"],
  ["ec2:VpcEndpointServiceAllowedPrinciple", "aws_vpc_endpoint_service_allowed_principal"],
  ["elb:ListenerPolicy", "aws_load_balancer_listener_policy"],
  ["elb:LoadBalancer", "aws_elb"],
  ["elb:LoadBalancerCookieStickinessPolicy", "aws_lb_cookie_stickiness_policy"],
  ["elb:SslNegotiationPolicy", "aws_lb_ssl_negotiation_policy"],
  ["iam:SshKey", "aws_iam_user_ssh_key"],
  ["lb:LoadBalancer", "aws_lb"],
  ["licensemanager:LicenseGrant", "aws_licensemanager_grant"],
  ["licensemanager:LicenseGrantAccepter", "aws_licensemanager_grant_accepter"],
  ["location:RouteCalculation", "aws_location_route_calculator"],
  ["rds:InstanceDesiredState", "aws_rds_instance_state"],
  ["rds:RoleAssociation", "aws_db_instance_role_association"],
  ["s3:AnalyticsConfiguration", "aws_s3_bucket_analytics_configuration"],
  ["s3:BucketObjectv2", "aws_s3_object"],
  ["s3:BucketReplicationConfig", "aws_s3_bucket_replication_configuration"],
  ["s3:Inventory", "aws_s3_bucket_inventory"],
  ["serverlessrepository:CloudFormationStack", "aws_serverlessapplicationrepository_cloudformation_stack"],
  ["securityhub:AccountV2", "aws_securityhub_account_v2"],
  ["ses:MailFrom", "aws_ses_domain_mail_from"],
  ["sns:DataProtectionPolicy", "aws_sns_topic_data_protection_policy"],
  ["sqs:RedriveAllowPolicy", "aws_sqs_queue_redrive_allow_policy"],
  ["sqs:RedrivePolicy", "aws_sqs_queue_redrive_policy"],
  ["storagegateway:CachesIscsiVolume", "aws_storagegateway_cached_iscsi_volume"],
]);
