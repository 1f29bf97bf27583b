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

/** The attribute that says who may take a role on, as the provider and as Cloud Control call it. */
const TRUST: ReadonlySet<unknown> = new Set(["assume_role_policy", "assume_role_policy_document"]);
const POLICY_NAME = /polic(?:y|ies)|permissions?$/;
const LONGEST = 500_000;
/** What means any resource, written shorter or longer. */
const EVERY_RESOURCE = /^(?:arn:(?:aws[\w-]*:)?)?[*:]*\*$/i;

/** The statements that allow something, of every policy in a resource's attributes and the blocks right in it. */
export function statementsOf(side: Json): Statement[] {
  return policiesOf(side).flatMap(({ path, policy }) => {
    const { Statement: given } = policy;
    const statements = Array.isArray(given) ? given : [given];
    return statements
      .filter((one) => isObject(one))
      .filter(({ Effect: effect }) => effect === "Allow")
      .map((one) => ({
        path,
        principals: "NotPrincipal" in one ? ["*"] : principalsOf(one["Principal"]),
        actions: "NotAction" in one ? allBut(textsOf(one["NotAction"])) : textsOf(one["Action"]),
        resources: "NotResource" in one ? allBut(textsOf(one["NotResource"])) : textsOf(one["Resource"]),
        narrowed: isNarrowed(one["Condition"]),
      }));
  });
}

/** Whether a resource of a policy is any. */
export function isEveryResource(resource: string): boolean {
  return EVERY_RESOURCE.test(resource);
}

/** Whether a statement says who may take a role on. */
export function isTrust({ path }: Statement): boolean {
  return TRUST.has(path[0]);
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
    .flatMap((name) => texts(side[name] ?? null, [name], 2))
    .flatMap(({ path, text }) => {
      const policy = parsed(text);
      return isObject(policy) ? [{ path, policy }] : [];
    });
}

/** The texts at a value and at most `depth` levels of blocks below. */
function texts(value: Json, path: Path, depth: number): { path: Path; text: string }[] {
  if (typeof value === "string") return [{ path, text: value }];
  if (depth === 0 || typeof value !== "object" || value === null) return [];
  return Array.isArray(value)
    ? value.flatMap((item, index) => texts(item, [...path, index], depth - 1))
    : Object.entries(value).flatMap(([name, inner]) => texts(inner, [...path, name], depth - 1));
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
      !/not|ifexists|null/i.test(operator) &&
      isObject(keys) &&
      Object.entries(keys).some(
        ([key, values]) => CALLER.test(key.toLowerCase()) && !leaveAnybody(textsOf(values)),
      ),
  );
}
