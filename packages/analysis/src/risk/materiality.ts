import { stays, updates, type MaterialChange, type ResourceChange } from "../plan/model.ts";

/** Attributes that providers fill in, and that change with any other attribute, or for no reason at all. */
const COMPUTED = new Set(
  `arn etag id latest_revision latest_version qualified_arn qualified_invoke_arn invoke_arn last_modified last_updated
  last_updated_time last_modified_time update_time updated_at modified_time label_fingerprint tags_fingerprint
  metadata_fingerprint fingerprint generation metageneration self_link self_link_unique_id source_code_size
  version_number latest_restorable_time unique_id`.split(/\s+/),
);

/**
 * Whether a change is one that rules speak of: of a resource, not of what is only read, moved or imported; not of
 * what was taken out as noise altogether; not of attributes alone that providers fill in.
 */
export function isMaterial(change: ResourceChange & Partial<MaterialChange>): boolean {
  const { mode, differences, allDifferences = differences } = change;
  if (mode === "data" || stays(change)) return false;
  if (!updates(change)) return true;
  // What differs nowhere differs in what was masked or left out.
  if (differences.length === 0) return allDifferences.length === 0;
  return !differences.every(({ unknown, path }) => unknown && COMPUTED.has(String(path[0])));
}
