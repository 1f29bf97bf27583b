import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, members, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import type { ResourceChange } from "../plan/model.ts";
import { isEmpty, textsOf } from "./attribute-values.ts";
import { rightsText } from "./grants.ts";
import { nameOf } from "../plan/leaves.ts";
import { statementText } from "./policy-text.ts";
import { bindingsOf, isTrust, statementsOf, type Statement } from "./policy.ts";
import { added, type Trait } from "./subject.ts";
import { oneOf } from "./types.ts";
import { listed, shown } from "./values.ts";

/** A way in for everyone, with its message. */
export interface Opened extends Trait {
  text: string;
  /** Whether it only lets others send, without reading. */
  sendOnly: boolean;
}

/** Returns rights that a change newly grants to everyone. */
export function openedAccess(type: string, change: ResourceChange): Opened[] {
  return [
    ...openedStatements(type, change),
    ...added(change, (side) => [...openBindings(side), ...openMembers(type, side)]),
  ];
}

/** `allUsers`, which ACLs prefix with a role (`READER:`). */
const EVERYBODY = /^(?:([a-z]+):)?all(?:authenticated)?users$/i;
/** Attributes that name the members with access to a Google Cloud resource. */
const MEMBERS = ["member", "members", "entity", "special_group", "iam_member", "role_entity"];
/** AWS types that grant a permission to a principal. */
const isPermission = oneOf([
  "aws_lambda_permission",
  "aws_lambda_layer_version_permission",
  "aws_cloudwatch_event_permission",
]);
/** Types that only machines in the network reach; their policy governs what those machines may do. */
const isWithinNetwork = oneOf(["aws_vpc_endpoint", "aws_vpc_endpoint_policy"]);
/** Attributes that limit access to machines of one network. */
const NETWORKS = [
  ["vpc_options", "vpc_id"],
  ["vpc_options", "subnet_ids"],
];
/** Attributes that restrict the caller or the source. */
const NARROWING = ["source_arn", "source_account", "principal_org_id", "organization_id", "condition"];

const SENDING =
  /^(?:sqs:sendmessage\w*|sns:publish|kinesis:putrecords?|events:putevents|roles\/pubsub\.publisher)$/i;

function isSending(right: string): boolean {
  return SENDING.test(right);
}

/** Returns the paths that have a value, in every block of lists on the way. */
export function filledAt(
  block: Json | undefined,
  [step = "", ...rest]: readonly string[],
  path: Path = [],
): Path[] {
  if (!isObject(block)) return [];
  const value = block[step];
  const items: { item: Json | undefined; at: Path }[] = Array.isArray(value)
    ? value.map((item, index) => ({ item, at: [...path, step, index] }))
    : [{ item: value, at: [...path, step] }];
  if (rest.length > 0) return items.flatMap(({ item, at }) => filledAt(item, rest, at));
  return items.filter(({ item }) => !isEmpty(item)).map(({ at }) => at);
}

/** Returns rights that a policy newly grants to everyone. */
function openedStatements(type: string, change: ResourceChange): Opened[] {
  if (isWithinNetwork(type) || NETWORKS.some((steps) => filledAt(change.after, steps).length > 0)) return [];
  const opened = added(change, (side) =>
    publicStatements(side).map((statement) => ({ ...statement, key: keyOf(statement) })),
  );
  if (opened.length === 0) return [];
  const were = publicStatements(change.before).slice(0, MAX_COMPARED).filter(isShort);
  return opened
    .filter((one) => !isShort(one) || !were.some((wide) => covers(wide, one)))
    .map((one) => ({
      key: one.key,
      path: one.path,
      text: `Policy allows ${statementText(one)}`,
      sendOnly: one.actions.every(isSending),
    }));
}

/** Limit on comparisons, which bounds the time; equal statements are recognized by key. */
const MAX_COMPARED = 100;

function isShort({ actions, resources }: Statement): boolean {
  return actions.length <= MAX_COMPARED && resources.length <= MAX_COMPARED;
}

/** Returns statements that allow everyone. */
function publicStatements(side: Json): Statement[] {
  return statementsOf(side).filter((one) => one.principals.includes("*") && !one.narrowed && !isTrust(one));
}

function keyOf({ path, actions, resources }: Statement): string {
  return [nameOf(path), ...actions.toSorted(), ...resources.toSorted()].join(" ");
}

function covers(wide: Statement, narrow: Statement): boolean {
  return (
    narrow.actions.every((one) => wide.actions.some((other) => includes(other, one))) &&
    narrow.resources.every((one) => wide.resources.some((other) => includes(other, one)))
  );
}

/** Checks whether a pattern with a trailing wildcard includes another. */
function includes(wide: string, narrow: string): boolean {
  return wide === narrow || (wide.endsWith("*") && narrow.startsWith(wide.slice(0, -1)));
}

function openBindings(side: Json): Opened[] {
  return bindingsOf(side).flatMap(({ path, role, members }) => {
    const open = members.filter((member) => EVERYBODY.test(member));
    const text = `Grants ${rightsText([role])} to ${listed(open)}`;
    return open.length > 0 ? [{ path, key: `${role} everybody`, text, sendOnly: isSending(role) }] : [];
  });
}

function openMembers(type: string, side: Json): Opened[] {
  if (!isObject(side)) return [];
  if (isPermission(type)) return isOpenPermission(side) ? [openPermission(side)] : [];
  if (!type.startsWith("google_")) return [];
  const access = members(side, "access").flatMap((block, index) => openIn(block, ["access", index]));
  return [...openIn(side, []), ...access];
}

function openPermission(side: JsonObject): Opened {
  const may = text(side, "action") ?? "use of it";
  const granted = `Allows ${shown(may)} to anyone (*)`;
  return { path: ["principal"], key: "principal", text: granted, sendOnly: false };
}

function isOpenPermission(side: JsonObject): boolean {
  return text(side, "principal") === "*" && NARROWING.every((name) => isEmpty(side[name]));
}

/** Returns rights that a block grants to everyone. */
function openIn(block: JsonObject, path: Path): Opened[] {
  const role = text(block, "role") ?? "";
  const open = MEMBERS.flatMap((name) =>
    textsOf(block[name]).flatMap((member) => {
      const [isOpen, granted = role] = EVERYBODY.exec(member) ?? [];
      return isOpen === undefined ? [] : [{ path: [...path, name], granted, member }];
    }),
  );
  const holders = listed([...new Set(open.map(({ member }) => member))]);
  return open.map(({ path: at, granted }) => {
    const right = granted === "" ? "access" : rightsText([granted]);
    const given = `Grants ${right} to ${holders}`;
    return { path: at, key: `everybody ${granted}`, text: given, sendOnly: isSending(granted) };
  });
}
