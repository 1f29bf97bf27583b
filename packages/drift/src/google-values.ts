import { isObject, type Json } from "@leeway/shared/values/json";

import { mirroredMember } from "./live-path.ts";
import type { Shape } from "./mapping.ts";
import { coerced, mirroredBy, type Member } from "./mirrored.ts";
import { reference } from "./shapes.ts";

/** Enumeration values for "not set". Cloud Asset Inventory writes them where the API omits the member. */
const NOT_SET = /^(?:\w+_UNSPECIFIED|UNSPECIFIED_\w+|INVALID_NETWORK_TIER)$/;
const ENUMERATION = /^[A-Z][A-Z\d_]*$/;
const SECONDS = /^\d+(?:\.\d+)?s$/;
/** Words of three-state switches in Terraform, where the third state is unset. */
const SWITCH = /^(?:TRUE|FALSE)$/;
const PROJECT_NUMBER = /(^|\/)projects\/\d+(?=\/)/;

/** Converts a scalar of Google's APIs to the state's notation. */
export function googleScalar(live: Json, declared: Json): Json {
  const value = asTyped(live, declared);
  if (typeof value !== "string") return value;
  if (NOT_SET.test(value) || isSameWord(value, declared) || isSameQuantity(value, declared)) return declared;
  if (typeof declared === "number") return SECONDS.test(value) ? Number(value.slice(0, -1)) : value;
  return value.includes("/") || isPath(declared) ? pathOf(value, declared) : value;
}

function asTyped(live: Json, declared: Json): Json {
  const isSwitch = typeof live === "boolean" && typeof declared === "string" && SWITCH.test(declared);
  return isSwitch ? String(live).toUpperCase() : coerced(live, declared);
}

/** Compares references. Google writes a URL, a path or only a name; the result is a URL only if the state has one. */
function pathOf(value: string, declared: Json): Json {
  const path = value.replace(
    /^(?:https:)?\/\/(?:[\w-]+\.)*googleapis\.com\/(?:compute\/)?(?:v\d\w*|beta)\//,
    "",
  );
  if (typeof declared !== "string") return path;
  if (isSamePath(path, declared)) return declared;
  return declared.startsWith("https:") ? value : path;
}

/**
 * Reports whether two words are equal. Cloud Asset Inventory capitalizes some words that an API writes in lower case.
 */
function isSameWord(value: string, declared: Json): boolean {
  return ENUMERATION.test(value) && typeof declared === "string" && declared.toUpperCase() === value;
}

/** Reports whether two quantities are equal: 1000m of a CPU is 1. */
function isSameQuantity(value: string, declared: Json): boolean {
  const [live, known] = [value, declared].map(thousandths);
  return live !== undefined && live === known;
}

function thousandths(value: Json): number | undefined {
  const [, amount, unit] = typeof value === "string" ? (/^([1-9]\d{0,8})(m?)$/.exec(value) ?? []) : [];
  return amount === undefined ? undefined : Number(amount) * (unit === "m" ? 1 : 1000);
}

function isPath(value: Json): boolean {
  return typeof value === "string" && /(?:^|\/)projects\/[^/]+\//.test(value);
}

function isSamePath(path: string, declared: string): boolean {
  const own = declared.replace(/\?uniqueId=\d+$/, "");
  // The key chooses the version in use, unless the state names one.
  const found = own.includes("/cryptoKeyVersions/") ? path : path.replace(/\/cryptoKeyVersions\/\d+$/, "");
  if (reference(found, own) === own) return true;
  // The id of a project is unknown if only its number is given.
  if (PROJECT_NUMBER.test(found) === PROJECT_NUMBER.test(own)) return false;
  return reference(inAnyProject(found), inAnyProject(own)) === inAnyProject(own);
}

function inAnyProject(path: string): string {
  return path.replace(/(^|\/)projects\/[^/]+(?=\/)/, "$1projects/-");
}

/** Members that users can't set, in any block. */
const STAMPS: ReadonlySet<string> = new Set(["etag", "update_time"]);

/** Returns a member. Lists may have a singular name in Terraform: `accessConfigs` is `access_config`. */
export const googleMember: Member = (value, name, declared) => {
  if (STAMPS.has(name)) return undefined;
  const found = mirroredMember(value, name);
  if (found !== undefined || !Array.isArray(declared) || !declared.every(isObject)) return found;
  const list = mirroredMember(value, pluralOf(name));
  return Array.isArray(list) ? list : undefined;
};

/** Returns the name of a list of what a name is for. */
export function pluralOf(name: string): string {
  return `${name.replace(/([^aeiou])y$/, "$1ie")}s`;
}

/** Returns a shape for values of Google's APIs that finds the members of blocks with `member`. */
export const googleBlocksBy = (member: Member): Shape => mirroredBy({ scalar: googleScalar, member });

/** Compares values of Google's APIs with the usual member names. */
export const googleBlocks: Shape = googleBlocksBy(googleMember);

/** Returns a shape that ignores blocks that the state lacks, which may be the API's defaults. */
export function unlessAbsent(shape: Shape): Shape {
  return (live, declared) => {
    const isBlock = isObject(live) || (Array.isArray(live) && live.some(isObject));
    const isAbsent = declared === null || (Array.isArray(declared) && declared.length === 0);
    return isBlock && isAbsent ? undefined : shape(live, declared);
  };
}

/** Compares values like `googleBlocks`, but ignores blocks that the state lacks. */
export const googleValue: Shape = unlessAbsent(googleBlocks);

/**
 * Attributes that change without a user's action. They include labels, which are compared as tags: since provider
 * version 5, states contain only a part of them.
 */
export const GOOGLE_COMPUTED: ReadonlySet<string> = new Set(
  `annotations approximate_row_count associations available_maintenance_versions backup_count connected_endpoints
  connected_projects connection_endpoints continuous_backup_info cpu_platform creator current_actions
  current_location_id detailed_status discovery_endpoints earliest_version_time effective_maintenance_version
  errors execution_count filesystem_used_bytes health_state interconnect_attachments last_attach_timestamp
  last_detach_timestamp last_editor last_modified_time last_modifier last_run_time last_scheduled_run_response
  latest_created_execution latest_created_revision latest_ready_revision maintenance_events maintenance_schedule
  maintenance_version most_recent_editor next_run_time nodes num_bytes num_long_term_bytes num_rows
  observed_generation operational_status primary protected_pod_count psc_connection_status psc_connections
  reconciling replica_names resource_labels resource_status routing_vpcs rule_tuple_count satisfies_pzi
  satisfies_pzs server_ca_certs size_bytes state_details state_info state_message state_reason storage_bytes
  streaming_buffer terminal_condition time_created traffic_statuses upcoming_maintenance_schedule updated
  upgrade_history used_gib users volume_capacity_gib volume_count`.split(/\s+/),
);

/** Reports whether properties are a search result, a summary in which missing members mean nothing. */
export function isGoogleSummary(properties: Json): boolean {
  return mirroredMember(properties, "asset_type") !== undefined;
}
