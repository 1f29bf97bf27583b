import { isObject, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import { valueAtPath } from "../../live-path.ts";
import { derivedRows } from "../../derived/rows.ts";
import type { Row, Shape, Whole } from "../../mapping.ts";
import { mirrored } from "../../mirrored.ts";
import { isWhole, setting } from "./bucket-setting.ts";

/** Returns rules by id, from a list or from an object with ids as keys. */
function rulesOf(live: Json): Map<string, JsonObject> {
  const all = isObject(live)
    ? Object.entries(live)
    : [live].flat().map((rule) => [idOf(rule), rule] as const);
  return new Map(all.filter((entry): entry is [string, JsonObject] => isObject(entry[1])));
}

function idOf(rule: Json): string {
  return isObject(rule) ? (text(rule, "Id") ?? text(rule, "id") ?? "") : "";
}

const DERIVED = derivedRows("aws_s3_bucket_replication_configuration", {})["rule"]?.shape;
const NOWHERE: Whole = { declared: {}, live: {}, parts: [] };

/** Returns a rule as a block. AWS Config's object names the bucket differently, and most of it isn't compared. */
function blockOf(rule: JsonObject, declared: JsonObject): JsonObject {
  const [own = declared] = [DERIVED?.([rule], [declared], NOWHERE) ?? declared].flat().filter(isObject);
  const bucket = valueAtPath(rule, "Destination.Bucket | destinationConfig.bucketARN");
  const [destination] = [own["destination"] ?? null].flat();
  const known = isObject(destination) ? destination : {};
  return {
    ...own,
    status: valueAtPath(rule, "Status") ?? own["status"] ?? null,
    ...(bucket !== undefined && { destination: [{ ...known, bucket }] }),
  };
}

const rules: Shape = (live, declared) => {
  const left = rulesOf(live);
  const kept = (Array.isArray(declared) ? declared : []).map((own): Json => {
    const rule = left.get(idOf(own));
    left.delete(idOf(own));
    return rule === undefined || !isObject(own) ? null : blockOf(rule, own);
  });
  return [...kept, ...left.entries().map(([id, rule]) => blockOf(rule, { id }))];
};

/** Reports replication of a bucket that declares none. */
const added: Shape = (live, declared) => {
  const found = rulesOf(live);
  if (!Array.isArray(declared) || declared.length > 0 || found.size === 0) return undefined;
  return [{ rules: rules(live, []) ?? [] }];
};

const replicated = (shape: Shape): Row =>
  setting("ReplicationConfiguration.Rules", "BucketReplicationConfiguration.rules", {
    shape,
    otherwise: [],
    isReported: isWhole,
  });

/** Destination and role of a bucket's replication. */
export const REPLICATION: Readonly<Record<string, Row>> = {
  role: setting("ReplicationConfiguration.Role", "BucketReplicationConfiguration.roleARN", {
    shape: mirrored,
    otherwise: null,
    isReported: () => false,
  }),
  rule: replicated(rules),
};
export const ADDED_REPLICATION = replicated(added);
