import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, members, type Json, type JsonObject } from "@leeway/shared/values/json";
import { oncePer } from "@leeway/shared/values/once";

import { parseBounded } from "../plan/parse-exact.ts";
import { textsOf } from "./attribute-values.ts";
import { wholeInternet } from "./internet.ts";

/** An `Allow` statement of an AWS policy. */
export interface Statement {
  /** Path of the attribute that holds the policy. */
  path: Path;
  principals: readonly string[];
  actions: readonly string[];
  resources: readonly string[];
  /** Whether conditions restrict the callers. */
  narrowed: boolean;
  /** Whether conditions restrict the subjects of an OpenID provider. */
  hasSubject: boolean;
  /** Whether it allows everything except some actions. */
  isAllBut: boolean;
}

/** A role that a Google Cloud policy binds to its members. */
export interface Binding {
  path: Path;
  role: string;
  members: readonly string[];
}

/** Trust policy attribute, as providers and Cloud Control name it. */
const TRUST = /^assume_?role_?policy(?:_?document)?$/i;
const POLICY_NAME = /polic(?:y|ies)|permissions?$/i;
const LONGEST = 500_000;
/** Notations for any resource, short and long. */
const EVERY_RESOURCE = /^(?:arn:(?:aws[\w-]*:)?)?[*:]*\*$/i;

/** Returns the `Allow` statements of every policy in a resource's attributes and its direct blocks. */
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
        hasSubject: hasSubject(element(one, "Condition")),
        isAllBut: isAllBut(textsOf(element(one, "NotAction"))),
      })),
  );
}

/** A `Deny` statement of an AWS policy. */
interface Denial {
  path: Path;
  actions: readonly string[];
  statement: JsonObject;
}

/** Returns the `Deny` statements, including those of organization policies. */
export function denialsOf(side: JsonObject): Denial[] {
  const ofOrganization = policiesIn(side["content"] ?? null, ["content"], 0);
  return [...policiesOf(side), ...ofOrganization].flatMap(({ path, policy }) =>
    [element(policy, "Statement")]
      .flat()
      .filter((one) => isObject(one))
      .filter((one) => element(one, "Effect") === "Deny")
      .map((statement) => ({ path, actions: allowedOf(statement, "Action"), statement })),
  );
}

/** Returns a policy element; Pulumi may write its name with a lower-case initial. */
function element(of: JsonObject, name: string): Json | undefined {
  return of[name] ?? of[name.charAt(0).toLowerCase() + name.slice(1)];
}

function allowedOf(statement: JsonObject, name: "Action" | "Resource"): string[] {
  const left = element(statement, `Not${name}`);
  return left === undefined ? textsOf(element(statement, name)) : allBut(textsOf(left));
}

/** Returns whether a policy resource matches any resource. */
export function isEveryResource(resource: string): boolean {
  return EVERY_RESOURCE.test(resource);
}

/** Returns whether a statement defines who may assume a role. */
export function isTrust({ path }: Statement): boolean {
  return TRUST.test(String(path[0]));
}

/**
 * Returns the actions that remain after exceptions: all, unless IAM actions are excluded, with which an identity
 * could grant itself the rest.
 */
function allBut(left: readonly string[]): string[] {
  return left.some((one) => /^(?:\*|iam:\*|arn:[^:]*:iam:.*\*)$/i.test(one)) ? [] : ["*"];
}

/** Checks whether everything except some actions is allowed. */
function isAllBut(left: readonly string[]): boolean {
  return left.length > 0 && !left.some((one) => /^\*(?::\*)?$/.test(one));
}

/** Returns the bindings of every policy in a resource's attributes. */
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

function policiesOf(side: Json): Policy[] {
  return isObject(side) ? readPolicies(side) : [];
}

/** Returns the policies of a side, which several rules need. */
const readPolicies = oncePer((side: JsonObject): Policy[] =>
  Object.keys(side)
    .filter((name) => POLICY_NAME.test(name))
    .flatMap((name) => policiesIn(side[name] ?? null, [name], 2)),
);

/** Returns the policies at a value and up to `depth` levels of blocks below, as text or as Pulumi's objects. */
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

/** Condition keys that identify the caller or the source, by AWS's definition of a non-public policy. */
const CALLER =
  /^(?:aws:(?:sourcearn|sourceaccount|sourceowner|sourceorgid|sourceorgpaths|sourcevpc|sourcevpce|sourceip|vpcsourceip|principalarn|principalaccount|principalorgid|principalorgpaths|principaltag\/.*|userid|username)|kms:calleraccount|kms:viaservice|lambda:eventsourcetoken|sns:endpoint|s3:dataaccesspoint(?:arn|account)|elasticfilesystem:accessedviamounttarget)$/;

/** Checks whether a key's values still allow anyone: any account, any organization, nearly all addresses. */
function leaveAnybody(values: readonly string[]): boolean {
  return (
    values.some((value) => isEveryResource(value) || ANY_ACCOUNT.test(value)) ||
    wholeInternet(values).length > 0
  );
}

const ANY_ACCOUNT = /^(?:arn:[^:]*:[^:]*:[^:]*:(?:[^:]*[*?][^:]*:|:\*)|o-\*)/i;

/** Conditions on the subject that an OpenID provider vouches for, such as `token.actions.githubusercontent.com:sub`. */
const SUBJECT = /:(?:sub|amr|oaud|azp|repository|repository_owner|project_path|namespace_path)$/;
/** Subjects that match anyone: any repository, any project. */
const ANY_SUBJECT = /^(?:\*|repo:\*|project_path:\*|system:serviceaccount:\*:?\*?$)/;

function hasSubject(condition: Json | undefined): boolean {
  return conditionsOf(condition).some(
    ([key, values]) => SUBJECT.test(key) && !values.some((value) => ANY_SUBJECT.test(value)),
  );
}

function isNarrowed(condition: Json | undefined): boolean {
  return conditionsOf(condition).some(([key, values]) => CALLER.test(key) && !leaveAnybody(values));
}

/** Returns the keys, in lower case, and values of conditions that fail if the caller lacks the key. */
function conditionsOf(condition: Json | undefined): [key: string, values: string[]][] {
  if (!isObject(condition)) return [];
  return Object.entries(condition).flatMap(([operator, keys]) =>
    /not|ifexists|null|forallvalues/i.test(operator) || !isObject(keys)
      ? []
      : Object.entries(keys).map(([key, values]): [string, string[]] => [key.toLowerCase(), textsOf(values)]),
  );
}
