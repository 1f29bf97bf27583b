import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, members, text, type Json, type JsonObject } from "@leeway/shared/json";

import { goesForGood, updates, type ResourceChange } from "../../plan/model.ts";
import { isClosedOff } from "../closures.ts";
import { nameOf } from "../leaves.ts";
import { bindingsOf, isTrust, statementsOf, type Statement } from "../policy.ts";
import { added, attributesAt, type Rule, type Trait } from "../sighting.ts";
import { isEmpty, pathsOf, signsIn, textsOf } from "../turns.ts";
import { concernsStateful, EXPOSURES, isPublicAccessBlock, oneOf, PUBLIC_ACCESS } from "../types.ts";

/** `allUsers`, in an ACL behind what they may do (`READER:`). */
const EVERYBODY = /^(?:([a-z]+):)?all(?:authenticated)?users$/i;
/** Attributes that name who may use a Google Cloud resource. */
const MEMBERS = ["member", "members", "entity", "special_group", "iam_member", "role_entity"];
/** What an AWS account lets others use, by a principal. */
const isPermission = oneOf([
  "aws_lambda_permission",
  "aws_lambda_layer_version_permission",
  "aws_cloudwatch_event_permission",
]);
/** What only a network's own machines reach: its policy says what they may do there. */
const isWithinNetwork = oneOf(["aws_vpc_endpoint", "aws_vpc_endpoint_policy"]);
/** Attributes that say who calls, or from where. */
const NARROWING = ["source_arn", "source_account", "principal_org_id", "organization_id", "condition"];

/** R10 */
export const becomePublic: Rule = ({ change, type, shown, leaves }) => {
  const verdict = concernsStateful(type) ? "publicData" : "publicAccess";
  if (goesForGood(change) && isPublicAccessBlock(type) && !letsIn(change.before)) {
    return [{ verdict, paths: [], message: `Deleting this ${shown} lifts the block of public access.` }];
  }
  const signs = signsIn(PUBLIC_ACCESS, type, leaves).filter((leaf) => !isClosedOff(type, change, leaf));
  // Much is created with an address or without limits, and says so in its code.
  const whole = updates(change) ? exposed(type, change) : [];
  const opened = [
    ...openedStatements(type, change),
    ...added(change, (side) => [...openBindings(side), ...openMembers(type, side)]),
  ];
  const paths = pathsOf([...signs, ...whole, ...opened]);
  if (paths.length === 0) return [];
  return [{ verdict, paths, message: `By its ${attributesAt(paths)}, this ${shown} can let the public in.` }];
};

/** Whether what blocks public access blocked none, by its default. */
function letsIn(before: Json): boolean {
  return isObject(before) && text(before, "default_action")?.toLowerCase() === "allow";
}

/** Where an update takes the last of what limits who is let in, or brings the first of what lets everybody in. */
function exposed(type: string, change: ResourceChange): { path: Path }[] {
  const { before, after } = change;
  return EXPOSURES.filter(({ isFor }) => isFor(type)).flatMap(({ attributes, when }) =>
    attributes.flatMap((name) => {
      if (isClosedOff(type, change, { name })) return [];
      const [were, are] = [before, after].map((side) => filledAt(side, name.split(".")));
      const [there, gone] = when === "there" ? [are, were] : [were, are];
      return gone?.length === 0 ? (there ?? []).map((path) => ({ path })) : [];
    }),
  );
}

/** Paths at which there is something, in each block of lists on the way. */
function filledAt(block: Json | undefined, [step = "", ...rest]: readonly string[], path: Path = []): Path[] {
  if (!isObject(block)) return [];
  const value = block[step];
  const items: { item: Json | undefined; at: Path }[] = Array.isArray(value)
    ? value.map((item, index) => ({ item, at: [...path, step, index] }))
    : [{ item: value, at: [...path, step] }];
  if (rest.length > 0) return items.flatMap(({ item, at }) => filledAt(item, rest, at));
  return items.filter(({ item }) => !isEmpty(item)).map(({ at }) => at);
}

/** What a policy lets everybody do, which no statement of the one before did. */
function openedStatements(type: string, change: ResourceChange): { path: Path }[] {
  if (isWithinNetwork(type)) return [];
  const opened = added(change, (side) =>
    publicStatements(side).map((statement) => ({ ...statement, key: keyOf(statement) })),
  );
  if (opened.length === 0) return [];
  const were = publicStatements(change.before).slice(0, MOST_COMPARED).filter(isShort);
  return opened.filter((one) => !isShort(one) || !were.some((wide) => covers(wide, one)));
}

/** So that no plan makes this slow: what is the same is known by its key anyway. */
const MOST_COMPARED = 100;

function isShort({ actions, resources }: Statement): boolean {
  return actions.length <= MOST_COMPARED && resources.length <= MOST_COMPARED;
}

/** Statements that let in everybody. */
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

/** Whether a pattern whose only wildcard is at its end has another below it. */
function includes(wide: string, narrow: string): boolean {
  return wide === narrow || (wide.endsWith("*") && narrow.startsWith(wide.slice(0, -1)));
}

function openBindings(side: Json): Trait[] {
  return bindingsOf(side)
    .filter(({ members }) => members.some((member) => EVERYBODY.test(member)))
    .map(({ path, role }) => ({ path, key: `${role} everybody` }));
}

function openMembers(type: string, side: Json): Trait[] {
  if (!isObject(side)) return [];
  if (isPermission(type)) return isOpenPermission(side) ? [{ path: ["principal"], key: "principal" }] : [];
  if (!type.startsWith("google_")) return [];
  const access = members(side, "access").flatMap((block, index) => openIn(block, ["access", index]));
  return [...openIn(side, []), ...access];
}

function isOpenPermission(side: JsonObject): boolean {
  return text(side, "principal") === "*" && NARROWING.every((name) => isEmpty(side[name]));
}

/** What a block lets everybody do. */
function openIn(block: JsonObject, path: Path): Trait[] {
  const role = text(block, "role") ?? "";
  return MEMBERS.flatMap((name) =>
    textsOf(block[name]).flatMap((member) => {
      const [isOpen, granted = role] = EVERYBODY.exec(member) ?? [];
      return isOpen === undefined ? [] : [{ path: [...path, name], key: `everybody ${granted}` }];
    }),
  );
}
