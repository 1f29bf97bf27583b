import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, members, type Json, type JsonObject } from "@leeway/shared/json";

import { parseBounded } from "../noise/json/parse-exact.ts";
import { wholeInternet } from "./internet.ts";
import { textsOf } from "./turns.ts";

/** A statement of an AWS policy that allows something. */
export interface Statement {
  /** Of the attribute that holds the policy. */
  path: Path;
  principals: readonly string[];
  actions: readonly string[];
  resources: readonly string[];
  /** Whether conditions leave only some callers. */
  narrowed: boolean;
}

/** A role that a Google Cloud policy binds to its members. */
export interface Binding {
  path: Path;
  role: string;
  members: readonly string[];
}

/** The attribute that says who may take a role on, as providers and Cloud Control call it. */
const TRUST = /^assume_?role_?policy(?:_?document)?$/i;
const POLICY_NAME = /polic(?:y|ies)|permissions?$/i;
const LONGEST = 500_000;
/** What means any resource, written shorter or longer. */
const EVERY_RESOURCE = /^(?:arn:(?:aws[\w-]*:)?)?[*:]*\*$/i;

/** The statements that allow something, of every policy in a resource's attributes and the blocks right in it. */
export function statementsOf(side: Json): Statement[] {
  return policiesOf(side).flatMap(({ path, policy }) =>
    [element(policy, "Statement")]
      .flat()
      .filter((one) => isObject(one))
      .filter((one) => element(one, "Effect") === "Allow")
      .map((one) => ({
        path,
        principals:
          element(one, "NotPrincipal") === undefined ? principalsOf(element(one, "Principal")) : ["*"],
        actions: allowedOf(one, "Action"),
        resources: allowedOf(one, "Resource"),
        narrowed: isNarrowed(element(one, "Condition")),
      })),
  );
}

/** An element of a policy, which Pulumi may write with a small letter. */
function element(of: JsonObject, name: string): Json | undefined {
  return of[name] ?? of[name.charAt(0).toLowerCase() + name.slice(1)];
}

function allowedOf(statement: JsonObject, name: "Action" | "Resource"): string[] {
  const left = element(statement, `Not${name}`);
  return left === undefined ? textsOf(element(statement, name)) : allBut(textsOf(left));
}

/** Whether a resource of a policy is any. */
export function isEveryResource(resource: string): boolean {
  return EVERY_RESOURCE.test(resource);
}

/** Whether a statement says who may take a role on. */
export function isTrust({ path }: Statement): boolean {
  return TRUST.test(String(path[0]));
}

/** What all but some comes to: all, unless the rights themselves are left out, by which one gives oneself all others. */
function allBut(left: readonly string[]): string[] {
  return left.some((one) => /^(?:\*|iam:\*|arn:[^:]*:iam:.*\*)$/i.test(one)) ? [] : ["*"];
}

/** The bindings of every policy in a resource's attributes. */
export function bindingsOf(side: Json): Binding[] {
  return policiesOf(side).flatMap(({ path, policy }) =>
    members(policy, "bindings").map((binding) => ({
      path,
      role: textsOf(binding["role"]).join(""),
      members: textsOf(binding["members"]),
    })),
  );
}

interface Policy {
  path: Path;
  policy: JsonObject;
}

/** Several rules ask for the policies of the same side. */
const known = new WeakMap<JsonObject, Policy[]>();

function policiesOf(side: Json): Policy[] {
  if (!isObject(side)) return [];
  const policies = known.get(side) ?? readPolicies(side);
  known.set(side, policies);
  return policies;
}

function readPolicies(side: JsonObject): Policy[] {
  return Object.keys(side)
    .filter((name) => POLICY_NAME.test(name))
    .flatMap((name) => policiesIn(side[name] ?? null, [name], 2));
}

/** The policies at a value and at most `depth` levels of blocks below, as text or, as Pulumi has them, as they are. */
function policiesIn(value: Json, path: Path, depth: number): Policy[] {
  if (typeof value === "string") {
    const policy = parsed(value);
    return isObject(policy) ? [{ path, policy }] : [];
  }
  if (isObject(value) && isPolicy(value)) return [{ path, policy: value }];
  if (depth === 0 || typeof value !== "object" || value === null) return [];
  return Array.isArray(value)
    ? value.flatMap((item, index) => policiesIn(item, [...path, index], depth - 1))
    : Object.entries(value).flatMap(([name, inner]) => policiesIn(inner, [...path, name], depth - 1));
}

function isPolicy(value: JsonObject): boolean {
  return [element(value, "Statement"), value["bindings"]].some((list) => typeof list === "object");
}

function parsed(text: string): Json {
  if (text.length > LONGEST || !/^\s*\{/.test(text)) return null;
  return parseBounded(text) ?? null;
}

function principalsOf(principal: Json | undefined): string[] {
  return isObject(principal) ? Object.values(principal).flatMap(textsOf) : textsOf(principal);
}

/** Keys that say who calls, or from where, in AWS's own sense of a policy that isn't public. */
const CALLER =
  /^(?:aws:(?:sourcearn|sourceaccount|sourceowner|sourceorgid|sourceorgpaths|sourcevpc|sourcevpce|sourceip|vpcsourceip|principalarn|principalaccount|principalorgid|principalorgpaths|principaltag\/.*|userid|username)|kms:calleraccount|kms:viaservice|lambda:eventsourcetoken|sns:endpoint|s3:dataaccesspoint(?:arn|account)|elasticfilesystem:accessedviamounttarget)$/;

/** Whether values of such a key leave anybody: any account, any organization, nearly all addresses. */
function leaveAnybody(values: readonly string[]): boolean {
  return (
    values.some((value) => isEveryResource(value) || ANY_ACCOUNT.test(value)) ||
    wholeInternet(values).length > 0
  );
}

const ANY_ACCOUNT = /^(?:arn:[^:]*:[^:]*:[^:]*:(?:[^:]*[*?][^:]*:|:\*)|o-\*)/i;

function isNarrowed(condition: Json | undefined): boolean {
  if (!isObject(condition)) return false;
  return Object.entries(condition).some(
    ([operator, keys]) =>
      // Of a caller who has no such key, all values are among any.
      !/not|ifexists|null|forallvalues/i.test(operator) &&
      isObject(keys) &&
      Object.entries(keys).some(
        ([key, values]) => CALLER.test(key.toLowerCase()) && !leaveAnybody(textsOf(values)),
      ),
  );
}
