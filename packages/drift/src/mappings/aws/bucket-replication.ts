import { isObject, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import { valueAtPath } from "../../live-path.ts";
import { derivedRows } from "../../derived/rows.ts";
import type { Row, Shape } from "../../mapping.ts";
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

/** Returns a declared rule with the live values that the schemas know. */
type Derived = (rule: JsonObject, own: JsonObject) => Json | undefined;

const RULE = derivedRows("aws_s3_bucket_replication_configuration", {})["rule"];
const apart: Derived = (rule, own) => shapedBy(RULE, [rule], [own]);

const BLOCK = derivedRows("aws_s3_bucket", {})["replication_configuration"];
const inBucket: Derived = (rule, own) => {
  const block = shapedBy(BLOCK, { Rules: [rule] }, [{ rules: [own] }]);
  return isObject(block) ? [block["rules"] ?? null].flat()[0] : undefined;
};

/** Returns the only item that a row makes of these. */
function shapedBy(row: Row | undefined, live: Json, declared: Json): Json | undefined {
  const shaped = row?.shape(live, declared, { declared: {}, live: {}, parts: [] });
  return Array.isArray(shaped) ? shaped[0] : undefined;
}

/** Returns a rule as a block. AWS Config's object names the bucket differently, and most of it isn't compared. */
function blockOf(rule: JsonObject, declared: JsonObject, derived: Derived): JsonObject {
  const found = derived(rule, declared);
  const own = isObject(found) ? found : declared;
  const bucket = valueAtPath(rule, "Destination.Bucket | destinationConfig.bucketARN");
  const [destination] = [own["destination"] ?? null].flat();
  const known = isObject(destination) ? destination : {};
  return {
    ...own,
    status: valueAtPath(rule, "Status") ?? own["status"] ?? null,
    ...(bucket !== undefined && { destination: [{ ...known, bucket }] }),
  };
}

const rules =
  (derived: Derived): Shape =>
  (live, declared) => {
    const left = rulesOf(live);
    const kept = (Array.isArray(declared) ? declared : []).map((own): Json => {
      const rule = left.get(idOf(own));
      left.delete(idOf(own));
      return rule === undefined || !isObject(own) ? null : blockOf(rule, own, derived);
    });
    return [...kept, ...left.entries().map(([id, rule]) => blockOf(rule, { id }, derived))];
  };

/** Compares the replication that a bucket declares itself. */
const ofBucket: Shape = (live, declared) => {
  const [block = {}] = Array.isArray(declared) ? declared : [null];
  if (!isObject(block) || (Object.keys(block).length === 0 && rulesOf(live).size === 0)) return undefined;
  return [{ ...block, rules: rules(inBucket)(live, block["rules"] ?? []) ?? [] }];
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
  rule: replicated(rules(apart)),
};
export const OWN_REPLICATION = replicated(ofBucket);
