/** Attributes that no configuration can set, by name, because providers and clouds compute them. */

/** Counters and timestamps that clouds maintain. */
const KEPT_BY_CLOUD: ReadonlySet<string> = new Set(
  `etag last_modified last_modified_date last_modified_time last_updated last_updated_date last_updated_time
  latest_restorable_time number_of_record_sets observed_generation resource_version self_link_unique_id update_time
  updated_at updated_date modified_time`.split(/\s+/),
);
/** Attributes that only Google computes; elsewhere a fingerprint identifies a key. */
const KEPT_BY_GOOGLE: ReadonlySet<string> = new Set(
  "fingerprint generation label_fingerprint metadata_fingerprint metageneration tags_fingerprint".split(" "),
);
/** Identifiers and versions that other resources refer to. */
const REFERENCES: ReadonlySet<string> = new Set(
  `arn id invoke_arn latest_revision latest_version qualified_arn qualified_invoke_arn self_link stream_arn unique_id
  version version_number`.split(/\s+/),
);
const SUMMARIES: ReadonlySet<string> = new Set(
  "effective_annotations effective_labels source_code_size terraform_labels".split(" "),
);
/** Types in which such a name describes content or is configurable. */
const CONFIGURED: Readonly<Record<string, ReadonlySet<string>>> = {
  aws_cloudwatch_event_target: new Set(["arn"]),
  aws_s3_object: new Set(["etag"]),
  aws_s3_bucket_object: new Set(["etag"]),
  aws_s3_object_copy: new Set(["etag"]),
  google_storage_bucket_object: new Set(["generation"]),
};
/** Types with a computed `version`; in most others it is configured. */
const VERSION_TYPE = /^aws_(?:lambda_function|lambda_layer_version|ssm_parameter)$/;

/** Returns whether a cloud maintains an attribute of a resource. */
export function isKeptByCloud(type: string, name: string): boolean {
  if (isConfigured(type, name)) return false;
  return KEPT_BY_CLOUD.has(name) || (type.startsWith("google_") && KEPT_BY_GOOGLE.has(name));
}

/** Returns whether an attribute is an identifier or version that the provider computes. */
export function isComputedReference(type: string, name: string): boolean {
  if (isConfigured(type, name)) return false;
  return name === "version" ? VERSION_TYPE.test(type) : REFERENCES.has(name);
}

/** Returns whether no configuration can set an attribute of a resource. */
export function isReadOnly(type: string, name: string): boolean {
  return isKeptByCloud(type, name) || isComputedReference(type, name) || SUMMARIES.has(name);
}

function isConfigured(type: string, name: string): boolean {
  return Object.hasOwn(CONFIGURED, type) && CONFIGURED[type]?.has(name) === true;
}
