import type { CatalogEntry } from "../catalog.ts";
import type { ListedResource } from "../cloud.ts";
import { idSegments } from "./arn-forms.ts";

/** Types that CloudFormation identifies by a name or address, while their ARN contains an id of AWS's own. */
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

/** Max number of segments to keep. No real id has more. */
const MAX_PARTS = 8;

/**
 * Returns the CloudFormation ids that may be only a part of the ARN's id: a stage's id is its name without the API.
 * Returns none if one of the `ids` is complete.
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

/** Returns everything that a partial declaration may know of a live resource: the parts of its id, and its name. */
export function partsOf(
  entry: CatalogEntry | undefined,
  ids: readonly string[],
  { name, tags }: ListedResource,
): string[] {
  if (entry?.path === undefined || (idSegments(entry).length === 1 && !isNamedOtherwise(entry))) return [];
  const own = name === undefined || name === tags?.["Name"] ? [] : [name]; // the Name tag isn't an identifier
  return [...ids.flatMap((id) => id.split("|", MAX_PARTS)), ...own];
}

function isNamedOtherwise({ type }: CatalogEntry): boolean {
  return NAMED_OTHERWISE.has(type) || type.startsWith("AWS::Lightsail::");
}
