import { isObject, text, type Json, type JsonObject, sameJson } from "@leeway/shared/values/json";

import type { Row, Shape } from "../../mapping.ts";
import { isEmptyScalar, mirrored } from "../../mirrored.ts";
import { row } from "../../shapes.ts";
import { isRecordedRule, recordedRule } from "./bucket-recorded.ts";
import { isRead, isWhole, setting } from "./bucket-setting.ts";

/** Members of a rule's block or blocks: the state's names and Cloud Control's. */
type Members = Readonly<Record<string, string>>;

const EXPIRATION: Members = {
  days: "ExpirationInDays",
  date: "ExpirationDate",
  expired_object_delete_marker: "ExpiredObjectDeleteMarker",
};
const TRANSITION: Members = {
  days: "TransitionInDays",
  date: "TransitionDate",
  storage_class: "StorageClass",
};

/** Blocks of a rule by name, with their paths; the empty path is the rule itself. */
const BLOCKS: Readonly<Record<string, { path: string; members: Members }>> = {
  expiration: { path: "", members: EXPIRATION },
  noncurrent_version_expiration: {
    path: "NoncurrentVersionExpiration",
    members: { noncurrent_days: "NoncurrentDays", newer_noncurrent_versions: "NewerNoncurrentVersions" },
  },
  abort_incomplete_multipart_upload: {
    path: "AbortIncompleteMultipartUpload",
    members: { days_after_initiation: "DaysAfterInitiation" },
  },
  transition: { path: "Transitions", members: TRANSITION },
  noncurrent_version_transition: {
    path: "NoncurrentVersionTransitions",
    members: {
      noncurrent_days: "TransitionInDays",
      newer_noncurrent_versions: "NewerNoncurrentVersions",
      storage_class: "StorageClass",
    },
  },
};

/** Effect of a lifecycle rule: its blocks in a fixed order, without empty members. */
interface Rule {
  status: string;
  filter: JsonObject;
  blocks: Readonly<Record<string, JsonObject[]>>;
}

function declaredRule(rule: JsonObject): Rule {
  const [filter] = blocksOf(rule["filter"]);
  const [and] = blocksOf(filter?.["and"]);
  const { prefix, object_size_greater_than, object_size_less_than } = and ?? filter ?? rule;
  const tags = isObject(and?.["tags"]) ? and["tags"] : pairs(filter?.["tag"], "key", "value");
  return {
    status: text(rule, "status") ?? "",
    filter: normalized({ prefix, tags, object_size_greater_than, object_size_less_than }),
    blocks: Object.fromEntries(
      Object.entries(BLOCKS).map(([name, { members }]) => [
        name,
        inOrder(blocksOf(rule[name]).map((block) => normalized(pick(block, Object.keys(members))))),
      ]),
    ),
  };
}

function liveRule(rule: JsonObject): Rule {
  return {
    status: text(rule, "Status") ?? "",
    filter: normalized({
      prefix: rule["Prefix"],
      tags: pairs(rule["TagFilters"], "Key", "Value"),
      object_size_greater_than: rule["ObjectSizeGreaterThan"],
      object_size_less_than: rule["ObjectSizeLessThan"],
    }),
    blocks: Object.fromEntries(
      Object.entries(BLOCKS).map(([name, { path, members }]) => {
        const found = path === "" ? [rule] : blocksOf(rule[path]);
        return [name, inOrder(found.map((block) => normalized(renamed(block, members))))];
      }),
    ),
  };
}

/** Compares lifecycle rules by id. Equivalent rules stay as declared. */
const lifecycle: Shape = (live, declared) => {
  if (!Array.isArray(live) || !live.every(isObject)) return undefined;
  const left = new Map(live.map((rule) => [text(rule, "Id") ?? text(rule, "id") ?? "", rule]));
  const kept = blocksOf(declared).map((own) => {
    const id = text(own, "id") ?? "";
    const found = left.get(id);
    left.delete(id);
    const before = declaredRule(own);
    return found ? withWhatDiffers(own, before, ruleIn(found, before)) : null;
  });
  const added = left.entries().map(([id, rule]) => asBlocks(id, ruleIn(rule)));
  return [...kept, ...added];
};

/** Converts a live rule. Members that AWS Config doesn't record, or in an unknown format, stay as declared. */
function ruleIn(live: JsonObject, before?: Rule): Rule {
  if (!isRecordedRule(live)) return liveRule(live);
  const { status, filter, blocks } = liveRule(recordedRule(live));
  const sizes = pick(before?.filter ?? {}, ["object_size_greater_than", "object_size_less_than"]);
  const [versions] = before?.blocks["noncurrent_version_expiration"] ?? [];
  const kept = normalized(pick(versions ?? {}, ["newer_noncurrent_versions"]));
  const { expiration = [], noncurrent_version_expiration: noncurrent = [] } = blocks;
  return {
    status,
    filter: { ...normalized(sizes), ...filter },
    blocks: {
      ...before?.blocks,
      expiration,
      noncurrent_version_expiration: noncurrent.map((block) => ({ ...kept, ...block })),
    },
  };
}

function withWhatDiffers(own: JsonObject, before: Rule, after: Rule): JsonObject {
  const blocks = Object.entries(after.blocks).filter(
    ([name, found]) => !sameJson(found, before.blocks[name]),
  );
  return {
    ...own,
    status: after.status,
    ...(sameJson(after.filter, before.filter) ? {} : { filter: [after.filter] }),
    ...Object.fromEntries(
      blocks.map(([name, found]) => {
        const known = blocksOf(own[name]);
        return [name, found.map((block, index) => ({ ...unsaid(known[index]), ...block }))];
      }),
    ),
  };
}

/** Returns a block's empty members, which are no change. */
function unsaid(block: JsonObject = {}): JsonObject {
  return Object.fromEntries(Object.entries(block).filter(([, value]) => isEmptyScalar(value)));
}

function asBlocks(id: string, { status, filter, blocks }: Rule): JsonObject {
  return { id, status, filter: [filter], ...blocks };
}

/** Returns the members that aren't empty, with numbers as numbers and times in UTC. */
function normalized(block: Record<string, Json | undefined>): JsonObject {
  const said = Object.entries(block).flatMap(([name, value = null]): [string, Json][] => {
    if (isEmptyScalar(value) || (isObject(value) && Object.keys(value).length === 0)) return [];
    return [[name, name.startsWith("object_size") ? Number(value) : atOneTime(value)]];
  });
  return Object.fromEntries(said);
}

function atOneTime(value: Json): Json {
  const ms = typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? value : new Date(ms).toISOString();
}

function inOrder(blocks: readonly JsonObject[]): JsonObject[] {
  const said = blocks.filter((block) => Object.keys(block).length > 0);
  return said.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
}

function renamed(block: JsonObject, members: Members): Record<string, Json | undefined> {
  return Object.fromEntries(Object.entries(members).map(([own, name]) => [own, block[name]]));
}

function pick(block: JsonObject, names: readonly string[]): Record<string, Json | undefined> {
  return Object.fromEntries(names.map((name) => [name, block[name]]));
}

function pairs(tags: Json | undefined, key: string, value: string): JsonObject {
  return Object.fromEntries(blocksOf(tags).map((tag) => [text(tag, key) ?? "", text(tag, value) ?? ""]));
}

/** Returns one or several blocks as a list. */
function blocksOf(value: Json | undefined): JsonObject[] {
  return (Array.isArray(value) ? value : [value ?? null]).filter(isObject);
}

const CORS: Members = {
  id: "Id",
  allowed_headers: "AllowedHeaders",
  allowed_methods: "AllowedMethods",
  allowed_origins: "AllowedOrigins",
  expose_headers: "ExposedHeaders",
  max_age_seconds: "MaxAge",
};

/** Compares CORS rules of a bucket. */
const cors: Shape = (live, declared) => {
  if (!Array.isArray(live)) return undefined;
  const rules = blocksOf(live).map((rule) => {
    const known = Object.entries(renamed(rule, CORS)).flatMap(([name, value]): [string, Json][] =>
      value === undefined ? [] : [[name, value]],
    );
    return Object.fromEntries(known);
  });
  return mirrored(rules, declared);
};

/** Rules of a bucket. AWS Config omits rules of a kind that has none. */
export const LIFECYCLE: Readonly<Record<string, Row>> = {
  rule: setting("LifecycleConfiguration.Rules", "BucketLifecycleConfiguration.rules", {
    shape: lifecycle,
    otherwise: [],
    isReported: isWhole,
  }),
};
export const CORS_RULES: Readonly<Record<string, Row>> = {
  cors_rule: setting("CorsConfiguration.CorsRules", undefined, {
    shape: cors,
    otherwise: [],
    isReported: isRead,
  }),
};
export const WEBSITE: Readonly<Record<string, Row>> = {
  "index_document.suffix": row("WebsiteConfiguration.IndexDocument"),
  "error_document.key": row("WebsiteConfiguration.ErrorDocument"),
  "redirect_all_requests_to.host_name": row("WebsiteConfiguration.RedirectAllRequestsTo.HostName"),
};
