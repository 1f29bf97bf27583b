import { isDeepStrictEqual } from "node:util";

import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import { importFormOf } from "@leeway/clouds/imports/import-forms";
import { argumentsOf, type Argument } from "../src/adopt/arguments.ts";
import { readAttributes } from "../src/adopt/read-attributes.ts";
import { ATTRIBUTES_OF_LB, ATTRIBUTES_OF_TARGETS } from "../src/adopt/balancers.ts";
import { extraEntry } from "../src/adopt/extra-places.ts";
import { isInitial } from "../src/adopt/values.ts";
import { mapperOf } from "../src/tables.ts";
import type { Argument as SchemaArgument, Member } from "./schema.ts";
import { leavesIn, type Leaf } from "./gap-lines.ts";
import { liveWith, memberAt, pairsOf, pathsTo, stepsOf } from "./mutations.ts";
import { trialsFor } from "./trials.ts";

/** Settable attributes of a type, by what adopting makes of their live value. */
export interface Readings {
  right: string[];
  wrong: string[];
  unread: string[];
  /** Attributes that code can leave out without a change, because the provider computes them or uses them only to create. */
  left: string[];
}

/**
 * Puts a value of each settable attribute into the cloud, reads it as adopting does, and compares the two.
 * @param isCounted reports whether a cloud can have the attribute
 */
export function readings(
  type: string,
  args: readonly SchemaArgument[],
  resources: readonly Member[],
  isCounted: (path: string) => boolean,
): Readings {
  const found: Readings = { right: [], wrong: [], unread: [], left: [] };
  const known = resources.map((resource) => ({ resource, pairs: pairsOf(type, args, resource) }));
  const own = argumentsOf(type);
  for (const leaf of leavesIn(args)) {
    if (!isCounted(leaf.path)) continue;
    if (isOfId(type, leaf) || isLeftOut(own, leaf) || isWrittenApart(type, leaf)) {
      found.left.push(leaf.path);
      continue;
    }
    const outcomes = known.flatMap(({ resource, pairs }) =>
      pathsTo(leaf, type, pairs).map((path) =>
        outcomeOf(type, own, leaf, { resource, steps: stepsOf(path) }),
      ),
    );
    found[bestOf(outcomes)].push(leaf.path);
  }
  return found;
}

/** Returns a trial with the other value of a switch or number, because the first can be the default. */
function opposite(declared: Json, other: Json): [Json, Json][] {
  if (typeof declared === "boolean") return [[!declared, other]];
  return typeof declared === "number" ? [[declared + 1, other]] : [];
}

const TAGS = /^(?:tags|labels|user_labels|resource_labels)$/;

/** Arguments that only say how a provider creates a resource; a state lacks them after an import. */
const AT_CREATION =
  /^(?:(?:restore|send|skip|force|wait_for|get|clone|import|replicate|recover|copy)(?:_.*)?|create_mode|s3_import|snapshot_identifier|snapshot_id|.*_source_.*id|revoke_rules_on_delete|publish|publish_to|replace.*|upgrade_storage_config|blue_green_update|instance_refresh|volume_tags|allow_stopping_for_update|user_data_replace_on_change|bypass_.*|desired_status|.*_wo_version|remove_default_node_pool|deletion_.*|put_rest_api_mode|auto_accept|create_.*|final_snapshot|private_ip_list_enabled|ipv6_address_list_enabled|enforce_consumer_deletion|delete_.*|early_renewal_duration|auth_token_update_strategy|client|client_version|autogenerate_.*|disk_encryption_key_r.*|sigint_rollback|elb_name|metadata_startup_script|acl|certificate_body|certificate_chain|associate_with_private_ip|.*_ipv6_cidr_block|ipv6_netmask_length|ipv6_ipam_pool_id|is_enabled|hybernation)$/;

/** Reports whether code can leave an attribute out, because the provider or the resource's tags give its value. */
function isLeftOut(args: readonly Argument[], { steps }: Leaf): boolean {
  const names = steps.map(({ name }) => name);
  if (TAGS.test(names[0] ?? "") || names.some((name) => AT_CREATION.test(name))) return true;
  let inner: readonly Argument[] = args;
  for (const name of names) {
    const argument = inner.find((one) => one.name === name);
    if (argument === undefined || argument.isComputed) return true;
    inner = argument.inner;
  }
  return false;
}

/** Reports whether the import id gives an attribute. */
function isOfId(type: string, { path }: Leaf): boolean {
  return importFormOf(type)?.form.includes(`{${path}`) === true;
}

/** Attributes that `extraAttributes` reads; tests of it show that they are right. */
const APART: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "aws_dynamodb_table",
    [
      "hash_key",
      "range_key",
      "attribute",
      "global_secondary_index",
      "local_secondary_index",
      "read_capacity",
      "write_capacity",
    ],
  ],
  ["aws_autoscaling_group", ["tag"]],
  ["aws_lb", [...ATTRIBUTES_OF_LB.values(), "internal", "access_logs"]],
  ["aws_lb_target_group", [...ATTRIBUTES_OF_TARGETS.values(), "stickiness"]],
]);

/** Reports whether a row by hand reads an attribute from several members, which no single value can show. */
function isWrittenApart(type: string, { path }: Leaf): boolean {
  const rows = mapperOf(type)?.byHand ?? {};
  const steps = path.split(".");
  const paths = steps.map((_, index) => steps.slice(0, index + 1).join("."));
  const isExtra = steps.length === 1 && extraEntry(type, "", { name: path }) !== undefined;
  return isExtra || paths.some((one) => rows[one]?.live === "" || APART.get(type)?.includes(one) === true);
}

function outcomeOf(
  type: string,
  args: readonly Argument[],
  leaf: Leaf,
  { resource, steps }: { resource: Member; steps: readonly string[] },
): keyof Readings {
  const member = memberAt(resource, steps);
  const trials = member
    ? trialsFor(leaf.kind, member).flatMap(
        ([declared, same, other]) => [[declared, same], ...opposite(declared, other)] as const,
      )
    : [];
  const argument = argumentAt(args, leaf);
  const outcomes = trials.map(([declared, same]): keyof Readings => {
    if (argument && isInitial(argument, declared)) return "unread";
    const read = valueIn(readAttributes(type, args, liveWith(type, resource, steps, same)), leaf);
    if (read === undefined) return "unread";
    return isSame(read, declared) ? "right" : "wrong";
  });
  return bestOf(outcomes);
}

function bestOf(outcomes: readonly (keyof Readings)[]): keyof Readings {
  return (["right", "wrong"] as const).find((one) => outcomes.includes(one)) ?? "unread";
}

function argumentAt(args: readonly Argument[], { steps }: Leaf): Argument | undefined {
  let found: Argument | undefined;
  for (const { name } of steps) found = (found?.inner ?? args).find((one) => one.name === name);
  return found;
}

function valueIn(attributes: JsonObject, { steps }: Leaf): Json | undefined {
  let at: Json | undefined = attributes;
  for (const { name } of steps) {
    const block: Json | undefined = Array.isArray(at) ? at[0] : at;
    at = isObject(block) ? block[name] : undefined;
  }
  return at;
}

function isSame(read: Json, declared: Json): boolean {
  return isDeepStrictEqual(written(read), written(declared));
}

function written(value: Json): Json {
  if (Array.isArray(value)) return value.map(written);
  if (typeof value !== "string") return isObject(value) ? value : String(value);
  return /^\s*[{[]/.test(value) ? JSON.stringify(JSON.parse(value)) : value.toLowerCase();
}

/**
 * Returns the share of attributes that are read or can be left out. A block counts like an attribute, so that rare
 * blocks with many attributes don't outweigh all others.
 */
export function shareOf({ right, wrong, unread, left }: Readings): number {
  const all = [right, left, wrong, unread].flatMap((list, index) =>
    list.map((path) => ({ top: path.split(".", 1)[0] ?? "", isRead: index < 2 })),
  );
  const units = [...Map.groupBy(all, ({ top }) => top).values()];
  const shares = units.map((unit) => unit.filter(({ isRead }) => isRead).length / unit.length);
  return shares.length === 0 ? 1 : shares.reduce((sum, one) => sum + one, 0) / shares.length;
}
