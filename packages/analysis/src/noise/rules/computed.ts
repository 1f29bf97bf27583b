import type { AttributeChange } from "@leeway/shared/contracts/analyzer/analysis";

import { replaces } from "../../plan/model.ts";
import { OWNED } from "../confidence.ts";
import { explain, type Detector, type Subject } from "../detector.ts";
import { lookup } from "../lookup.ts";

/** What clouds count or stamp by themselves, by name; none of them can be configured. */
const KEPT_BY_CLOUD: ReadonlySet<string> = new Set(
  `etag last_modified last_modified_date last_modified_time last_updated_date last_updated_time number_of_record_sets
  observed_generation resource_version self_link_unique_id update_time updated_at updated_date`.split(/\s+/),
);
/** Elsewhere a fingerprint tells one key from another. */
const KEPT_BY_GOOGLE: ReadonlySet<string> = new Set(
  "fingerprint generation label_fingerprint metadata_fingerprint metageneration tags_fingerprint".split(" "),
);
/** And what providers only ever compute, so that it is unknown in each update. */
const COMPUTED: ReadonlySet<string> = new Set([
  ...KEPT_BY_CLOUD,
  ...`arn effective_annotations effective_labels id invoke_arn latest_revision latest_version qualified_arn
  qualified_invoke_arn self_link source_code_size stream_arn terraform_labels unique_id version`.split(/\s+/),
]);
/** Types where such a name tells of contents, or can be configured. */
const TOLD_BY_CONTENT: Readonly<Record<string, ReadonlySet<string>>> = {
  aws_s3_object: new Set(["etag"]),
  aws_s3_bucket_object: new Set(["etag"]),
  aws_s3_object_copy: new Set(["etag"]),
  google_storage_bucket_object: new Set(["generation"]),
};
/** `version` is computed in few types, and configured in most. */
const VERSION_TYPE = /^aws_(?:lambda_function|lambda_layer_version|ssm_parameter)$/;

/** All that is left to differ is computed: by the cloud, or after apply without a configured attribute that changes. */
export const computedOnly: Detector = (open, { change, source, readable }) => {
  if (open.length === 0 || replaces(change)) return [];
  const isComputed = (difference: AttributeChange): boolean =>
    source === "drift"
      ? readable.has(difference) && isNamed(difference, change, KEPT_BY_CLOUD)
      : difference.unknown && isNamed(difference, change, COMPUTED);
  if (!open.every(isComputed)) return [];
  return open.map((difference) => explain(difference, "computed_only", OWNED));
};

/** Only attributes of the resource itself: a block's may be configured. */
function isNamed(
  { path }: AttributeChange,
  { type }: Subject["change"],
  names: ReadonlySet<string>,
): boolean {
  const [name] = path;
  if (typeof name !== "string" || lookup(TOLD_BY_CONTENT, type)?.has(name)) return false;
  if (name === "version") return names.has(name) && VERSION_TYPE.test(type);
  return names.has(name) || (type.startsWith("google_") && KEPT_BY_GOOGLE.has(name));
}
