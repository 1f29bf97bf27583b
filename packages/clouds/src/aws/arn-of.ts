import type { CatalogEntry } from "../catalog.ts";
import { isAccountId, parseArn, partition } from "./arn.ts";
import { isGlobal } from "./global-types.ts";
import { forms } from "./types.ts";

/**
 * Returns the ARN of a native id in a region of an account, in the format of AWS's Service Authorization Reference.
 * Segments outside the id are `*`. Returns undefined if the ARN or its region is unknown.
 */
export function arnOf(
  entry: CatalogEntry,
  id: string,
  { region, account }: { region: string; account: string },
): string | undefined {
  if (!REGION.test(region) || !isAccountId(account)) return undefined;
  if (isGlobal(entry.type) || SHOWN_ANYWHERE.has(entry.type)) return undefined;
  const written = parseArn(id) === undefined ? forms.write(entry, id) : undefined;
  if (written === undefined) return undefined;
  const { service, resource } = written;
  const place = [
    REGIONLESS.has(entry.type) ? "" : region,
    ACCOUNTLESS.has(entry.type) || service === "apigateway" ? "" : account,
  ];
  return ["arn", partition(region), service, ...place, resource].join(":");
}

/** Reports whether resources of a type belong to the region that lists them. */
export function isRegional(type: string): boolean {
  return !isGlobal(type) && !SHOWN_ANYWHERE.has(type) && !REGIONLESS.has(type);
}

const REGION = /^[a-z]{2,10}(?:-[a-z]{1,20}){1,3}-\d{1,2}$/;

/** Types that every region lists for all regions, without naming the region. */
const SHOWN_ANYWHERE: ReadonlySet<string> = new Set(["AWS::CloudTrail::Trail"]);

/** Types whose ARNs contain no region, so several regions may list the same ARN. */
const REGIONLESS: ReadonlySet<string> = new Set([
  "AWS::ARCRegionSwitch::Plan",
  "AWS::Chatbot::MicrosoftTeamsChannelConfiguration",
  "AWS::Chatbot::SlackChannelConfiguration",
  "AWS::CloudWatch::Dashboard",
  "AWS::DirectConnect::DirectConnectGateway",
  "AWS::DocDB::GlobalCluster",
  "AWS::DynamoDB::GlobalTable",
  "AWS::EC2::IPAM",
  "AWS::EC2::IPAMPool",
  "AWS::EC2::IPAMResourceDiscovery",
  "AWS::EC2::IPAMResourceDiscoveryAssociation",
  "AWS::EC2::IPAMScope",
  "AWS::ECR::PublicRepository",
  "AWS::ElastiCache::GlobalReplicationGroup",
  "AWS::MemoryDB::MultiRegionCluster",
  "AWS::Neptune::GlobalCluster",
  "AWS::Notifications::NotificationConfiguration",
  "AWS::NotificationsContacts::EmailContact",
  "AWS::RDS::GlobalCluster",
  "AWS::SSMIncidents::ResponsePlan",
  "AWS::VerifiedPermissions::PolicyStore",
]);

/** Types whose ARNs contain no account. */
const ACCOUNTLESS: ReadonlySet<string> = new Set([
  "AWS::EC2::Image",
  "AWS::EC2::Snapshot",
  "AWS::GameLift::Alias",
]);
