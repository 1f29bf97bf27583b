import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import { members, type JsonObject } from "@leeway/shared/values/json";

/** A plan and the level that a reviewer gave it without knowing the rules. */
export interface ReviewedPlan {
  name: string;
  level: RiskLevel;
  /** The reviewer's comment on the merge request. */
  why: string;
  plan: JsonObject;
}

/** Attributes that a provider computes, so a plan that creates the resource doesn't know them. */
const COMPUTED = new Set(
  `id arn self_link owner_id unique_id dns_name endpoint address hosted_zone_id url uri project_number
  repository_url registry_id instance_state private_ip public_ip latest_revision revision etag
  create_time creation_timestamp security_group_rule_id reader_endpoint resource_id domain_id
  generated_id association_id stream_arn last_modified qualified_arn invoke_arn version_id`.split(/\s+/),
);

const PROVIDERS: Readonly<Record<string, string>> = {
  github: "registry.terraform.io/integrations/github",
  cloudflare: "registry.terraform.io/cloudflare/cloudflare",
  datadog: "registry.terraform.io/DataDog/datadog",
  snowflake: "registry.terraform.io/snowflakedb/snowflake",
  terraform: "terraform.io/builtin/terraform",
};

/** Builds a resource change as `terraform show -json` writes it. */
function resourceChange(address: string, change: JsonObject, members: JsonObject = {}): JsonObject {
  const [, type = "", name = ""] = /(?:^|\.)([a-z0-9_]+)\.([\w-]+)(?:\[.*\])?$/.exec(address) ?? [];
  const [provider = ""] = type.split("_");
  return {
    address,
    mode: "managed",
    type,
    name,
    provider_name: PROVIDERS[provider] ?? `registry.terraform.io/hashicorp/${provider}`,
    change: { before_sensitive: {}, after_sensitive: {}, after_unknown: {}, ...change },
    ...members,
  };
}

/** Splits the attributes of a new resource into known ones and the names of those known only after apply. */
function splitNew(
  attributes: JsonObject,
  unknown: readonly string[],
): { after: JsonObject; after_unknown: JsonObject } {
  const isUnknown = (name: string): boolean => COMPUTED.has(name) || unknown.includes(name);
  const entries = Object.entries(attributes);
  return {
    after: Object.fromEntries(entries.filter(([name]) => !isUnknown(name))),
    after_unknown: Object.fromEntries(
      [...Object.keys(attributes).filter(isUnknown), "id", ...unknown].map((name) => [name, true]),
    ),
  };
}

/** Returns the attributes that are known in a plan that creates the resource. */
export function knownWhenNew(attributes: JsonObject): JsonObject {
  return splitNew(attributes, []).after;
}

/** Builds a created resource. `unknown` names attributes that depend on other new resources. */
export function created(
  address: string,
  attributes: JsonObject,
  unknown: readonly string[] = [],
): JsonObject {
  return resourceChange(address, { actions: ["create"], before: null, ...splitNew(attributes, unknown) });
}

/** Builds a resource updated in place: `changes` override `before`. */
export function updated(
  address: string,
  before: JsonObject,
  changes: JsonObject,
  unknown: readonly string[] = [],
): JsonObject {
  const after = Object.fromEntries(
    Object.entries({ ...before, ...changes }).filter(([name]) => !unknown.includes(name)),
  );
  const after_unknown = Object.fromEntries(unknown.map((name) => [name, true]));
  return resourceChange(address, { actions: ["update"], before, after, after_unknown });
}

/** Builds a resource deleted because its block was removed from the configuration. */
export function destroyed(address: string, before: JsonObject): JsonObject {
  const change = { actions: ["delete"], before, after: null };
  return resourceChange(address, change, { action_reason: "delete_because_no_resource_config" });
}

/** Builds a resource destroyed and recreated, because the attributes in `changes` can't be updated. */
export function replaced(
  address: string,
  before: JsonObject,
  changes: JsonObject,
  actions: readonly string[] = ["delete", "create"],
): JsonObject {
  const change = {
    actions: [...actions],
    before,
    ...splitNew({ ...before, ...changes }, []),
    replace_paths: Object.keys(changes).map((name) => [name]),
  };
  return resourceChange(address, change, { action_reason: "replace_because_cannot_update" });
}

/** Builds {@link replaced} with `create_before_destroy`. */
export function replacedCreateFirst(address: string, before: JsonObject, changes: JsonObject): JsonObject {
  return replaced(address, before, changes, ["create", "delete"]);
}

/** Builds an unchanged resource. */
export function unchanged(address: string, attributes: JsonObject, members: JsonObject = {}): JsonObject {
  return resourceChange(address, { actions: ["no-op"], before: attributes, after: attributes }, members);
}

/** Builds a resource removed from the state but not from the cloud. */
export function forgotten(address: string, before: JsonObject): JsonObject {
  return resourceChange(address, { actions: ["forget"], before, after: null });
}

export function planOf(...changes: JsonObject[]): JsonObject {
  return { format_version: "1.2", terraform_version: "1.9.8", resource_changes: changes };
}

/** Builds a plan that found `drift` and makes `changes`; without `changes`, a refresh-only plan. */
export function planAfterDrift(drift: JsonObject[], ...changes: JsonObject[]): JsonObject {
  return { ...planOf(...changes), resource_drift: drift };
}

/** Writes an AWS policy document of these statements as a JSON string. */
export function policyDocument(...statements: JsonObject[]): string {
  const Statement = statements.map((statement) => ({ Effect: "Allow", ...statement }));
  return JSON.stringify({ Version: "2012-10-17", Statement });
}

/** Returns the single block `name` with `changes` applied: `{ name: [block] }`. */
export function changedBlock(attributes: JsonObject, name: string, changes: JsonObject): JsonObject {
  const [block] = members(attributes, name);
  return { [name]: [{ ...block, ...changes }] };
}
