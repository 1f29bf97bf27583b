import { isObject, text, type Json, type JsonObject } from "@leeway/shared/json";

import { valueAtPath } from "../live-path.ts";
import type { Row, Shape } from "../mapping.ts";
import { mirrored } from "../mirrored.ts";
import { isWhole, setting } from "./aws-bucket-setting.ts";

/** Rules by their ids, whichever way they are listed: in a list, or as members of an object by that name. */
function rulesOf(live: Json): Map<string, JsonObject> {
  const all = isObject(live)
    ? Object.entries(live)
    : [live].flat().map((rule) => [idOf(rule), rule] as const);
  return new Map(all.filter((entry): entry is [string, JsonObject] => isObject(entry[1])));
}

function idOf(rule: Json): string {
  return isObject(rule) ? (text(rule, "Id") ?? text(rule, "id") ?? "") : "";
}

/** Whether a rule is in force, and where it copies to; an object of AWS Config has the bucket by another name. */
function blockOf(rule: JsonObject, own: JsonObject): JsonObject {
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

/** What a bucket that declares none itself has all the same. */
const added: Shape = (live, declared) => {
  const found = rulesOf(live);
  if (!Array.isArray(declared) || declared.length > 0 || found.size === 0) return undefined;
  return [{ rules: rules(live, []) ?? [] }];
};

const replicated = (shape: Shape): Row =>
  setting("ReplicationConfiguration.Rules", "BucketReplicationConfiguration.rules", {
    shape,
    otherwise: [],
    isTold: isWhole,
  });

/** To where a bucket is copied, and as whom. */
export const REPLICATION: Readonly<Record<string, Row>> = {
  role: setting("ReplicationConfiguration.Role", "BucketReplicationConfiguration.roleARN", {
    shape: mirrored,
    otherwise: null,
    isTold: () => false,
  }),
  rule: replicated(rules),
};
export const ADDED_REPLICATION = replicated(added);
