import type { CatalogEntry } from "../catalog.ts";
import type { ListedResource } from "../cloud.ts";
import { idSegments } from "./arn-forms.ts";

/** Types that CloudFormation knows by a name or an address, in place of which their ARN has an id of AWS's own. */
const NAMED_OTHERWISE: ReadonlySet<string> = new Set([
  "AWS::Backup::RestoreTestingPlan",
  "AWS::CloudFront::KeyValueStore",
  "AWS::CodeCommit::Repository",
  "AWS::Config::ConfigRule",
  "AWS::EC2::EIP",
  "AWS::EC2::KeyPair",
  "AWS::EC2::PlacementGroup",
  "AWS::OpenSearchService::Application",
  "AWS::RedshiftServerless::Namespace",
  "AWS::RedshiftServerless::Workgroup",
  "AWS::Synthetics::Group",
]);

/** No id has more; of one that was made up, each would be kept. */
const MOST_PARTS = 8;

/**
 * Those of `ids`, all that CloudFormation knows a resource of `type` by, that may be but a part of what its ARN has: of a
 * stage the name, and not of which API. None, where there is one that has all of it.
 */
export function partialIds(
  entry: CatalogEntry | undefined,
  type: string,
  { arns, ids }: { arns: readonly string[]; ids: readonly string[] },
): readonly string[] {
  if (entry?.path === undefined || arns.length > 0 || !type.startsWith("AWS::")) return [];
  const { length } = idSegments(entry);
  const isFull = length === 1 ? !isNamedOtherwise(entry) : ids.some((id) => id.split("|").length === length);
  return isFull ? [] : ids;
}

/** What of a live resource may be all that is known of a declared one: parts of its id, and its name. */
export function partsOf(
  entry: CatalogEntry | undefined,
  ids: readonly string[],
  { name, tags }: ListedResource,
): string[] {
  if (entry?.path === undefined || (idSegments(entry).length === 1 && !isNamedOtherwise(entry))) return [];
  const own = name === undefined || name === tags?.["Name"] ? [] : [name]; // a tag is a name for people alone
  return [...ids.flatMap((id) => id.split("|", MOST_PARTS)), ...own];
}

function isNamedOtherwise({ type }: CatalogEntry): boolean {
  return NAMED_OTHERWISE.has(type) || type.startsWith("AWS::Lightsail::");
}
