import { attributeText } from "@leeway/clouds/aws/attributes";
import { isObject, members, type Json, type JsonObject } from "@leeway/shared/values/json";

import { createdType, mirroredMembers, type CreatedPart, type LiveResource } from "./created.ts";
import { valueAtPath } from "./live-path.ts";

const BUCKET = "aws_s3_bucket";
const BLOCK = "aws_s3_bucket_public_access_block";

/**
 * Returns the undeclared parts of a live resource, except grants in Google's policies (see `grantsBeside`).
 * @param apart the parts that the type's rows found
 */
export function createdParts(resource: LiveResource, apart: readonly CreatedPart[]): CreatedPart[] {
  const type = createdType(resource);
  const parts = [...apart, ...(PARTS.get(type)?.(resource) ?? []), ...firewallRules(resource, type)];
  return type === BUCKET ? parts.map((part) => ({ ...part, isShut: isShut(part, resource) })) : parts;
}

const PARTS: ReadonlyMap<string, (resource: LiveResource) => CreatedPart[]> = new Map([
  [BUCKET, accessBlock],
  ["aws_lambda_function", invocations],
  ["aws_db_snapshot", sharing],
  ["aws_db_cluster_snapshot", sharing],
]);

const BLOCKED = "PublicAccessBlockConfiguration | supplementaryConfiguration.PublicAccessBlockConfiguration";

function accessBlock({ properties, parts = [] }: LiveResource): CreatedPart[] {
  const block = valueAtPath(properties, BLOCKED);
  if (!isObject(block) || parts.some(({ type }) => type === BLOCK)) return [];
  return [{ type: BLOCK, attributes: mirroredMembers(block), at: [BLOCK] }];
}

/** Reports whether a bucket ignores the public access in its ACL or policy. */
function isShut({ type }: CreatedPart, { properties }: LiveResource): boolean {
  const block = valueAtPath(properties, BLOCKED) ?? null;
  const member = type === "aws_s3_bucket_acl" ? "IgnorePublicAcls" : "RestrictPublicBuckets";
  return valueAtPath(block, member) === true;
}

const PERMISSION = "aws_lambda_permission";

/**
 * Returns a function's undeclared permissions. AWS Config stores all of them in one policy, whose statements have the
 * declared ids.
 */
function invocations({ properties, parts = [] }: LiveResource): CreatedPart[] {
  const policy = parsed(valueAtPath(properties, "supplementaryConfiguration.Policy"));
  const declared = new Set(
    parts
      .filter(({ type }) => type === PERMISSION)
      .map(({ attributes }) => attributeText(attributes, "statement_id")),
  );
  const left = members(policy, "Statement").filter(
    ({ Sid }) => !(typeof Sid === "string" && declared.has(Sid)),
  );
  if (left.length === 0) return [];
  return [{ type: PERMISSION, attributes: { policy: { ...policy, Statement: left } }, at: [PERMISSION] }];
}

/** Parses a document that AWS Config may store as JSON within JSON. */
function parsed(value: Json | undefined, depth = 2): JsonObject | undefined {
  if (isObject(value)) return value;
  if (typeof value !== "string" || depth === 0) return undefined;
  try {
    return parsed(JSON.parse(value), depth - 1);
  } catch {
    return undefined;
  }
}

/** Returns the accounts that may restore a snapshot, according to AWS Config. In Terraform they are an attribute. */
function sharing(resource: LiveResource): CreatedPart[] {
  const named = ["DBSnapshotAttributes", "DBClusterSnapshotAttributes"].flatMap((name) => {
    const found = valueAtPath(resource.properties, `supplementaryConfiguration.${name}`);
    return Array.isArray(found) ? found.filter(isObject) : [];
  });
  const accounts = named
    .filter((one) => valueAtPath(one, "attributeName") === "restore")
    .flatMap((one) => valueAtPath(one, "attributeValues") ?? []);
  if (accounts.length === 0) return [];
  return [{ type: createdType(resource), attributes: { shared_accounts: accounts }, at: [] }];
}

const FIREWALL_POLICY = /^google_compute_(?:\w+_)?firewall_policy$/;

/** Returns the rules of a Google firewall policy, which are declared separately. */
function firewallRules({ properties }: LiveResource, type: string): CreatedPart[] {
  if (!FIREWALL_POLICY.test(type)) return [];
  const rule = `${type}_rule`;
  return members(properties, "rules").map((one, index) => ({
    type: rule,
    attributes: mirroredMembers(one),
    at: [rule, index],
  }));
}
