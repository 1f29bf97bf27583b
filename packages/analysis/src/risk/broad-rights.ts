import { isObject, text, type Json } from "@leeway/shared/values/json";

import { textsOf } from "./attribute-values.ts";
import { bindingsOf, isEveryResource, statementsOf, type Statement } from "./policy.ts";

/** Actions with which an identity can grant itself or others any right. */
const ESCALATING =
  /^iam:(?:attach(?:user|role|group)policy|put(?:user|role|group)policy|createpolicyversion|setdefaultpolicyversion|updateassumerolepolicy|createaccesskey|(?:create|update)loginprofile|addusertogroup)$/i;
/** Actions that run code with a role passed to them. */
const RUNNING =
  /^(?:lambda:(?:\*|createfunction)|ec2:(?:\*|runinstances)|ecs:(?:\*|runtask|createservice)|glue:(?:\*|createjob|createdevendpoint)|cloudformation:(?:\*|createstack)|codebuild:(?:\*|createproject)|sagemaker:(?:\*|create\w+)|datapipeline:\*)$/i;
/** Services where full access reaches data, keys or machines. */
const SERVICES =
  /^(?:s3|ec2|rds|dynamodb|kms|secretsmanager|ssm|lambda|ecs|eks|cloudformation|organizations|sts|route53|cloudtrail|redshift|es):\*$/i;
const MANAGED =
  /:policy\/(?:poweruseraccess|amazons3fullaccess|amazonec2fullaccess|amazonrdsfullaccess|amazondynamodbfullaccess)$/i;

/** Returns the policy actions with which their holder can become an administrator. */
export function escalatingActions(side: Json): { path: Statement["path"]; actions: string[] }[] {
  const wide = identityStatements(side);
  const runs = statementsOf(side).some(({ actions }) => actions.some((action) => RUNNING.test(action)));
  return wide.flatMap(({ path, actions }) => {
    const found = actions.filter(
      (action) => ESCALATING.test(action) || (runs && /^iam:passrole$/i.test(action)),
    );
    return found.length > 0 ? [{ path, actions: found }] : [];
  });
}

/** Describes rights on a whole service, or on everything except a few actions. */
export function broadPolicies(side: Json): { path: Statement["path"]; text: string }[] {
  return identityStatements(side).flatMap(({ path, actions, isAllBut }) => {
    if (isAllBut) return [{ path, text: "Allows everything but a few actions on all resources" }];
    const found = actions.filter((action) => SERVICES.test(action) || /^sts:assumerole$/i.test(action));
    return found.length > 0
      ? [{ path, text: `Allows ${found.slice(0, 3).join(", ")} on all resources` }]
      : [];
  });
}

/** Returns roles that may change nearly everything in a project, account or subscription. */
export function broadGrants(
  type: string,
  side: Json,
): { path: Statement["path"]; text: string; isGrant: true }[] {
  if (!isObject(side)) return [];
  const found = [
    ...(/^google_(?:project|folder)_iam_/.test(type) && text(side, "role") === "roles/editor"
      ? ["role"]
      : []),
    ...(isContributor(side) ? ["role_definition_name"] : []),
    ...(managesTenancy(type, side) ? ["statements"] : []),
    ...(isOutsideAdmin(type, side) ? ["permission"] : []),
    ...OWNERSHIPS.filter((name) => type.startsWith("gitlab_group_") && text(side, name) === "owner"),
    ...["policy_arn", "managed_policy_arns"].filter((name) =>
      textsOf(side[name]).some((arn) => MANAGED.test(arn)),
    ),
  ];
  const bound = /^google_(?:project|folder)_iam_policy$/.test(type)
    ? bindingsOf(side).filter(({ role, members }) => role === "roles/editor" && members.length > 0)
    : [];
  return [
    ...found.map((name) => ({ path: [name], text: "Grants broad rights", isGrant: true as const })),
    ...bound.map(({ path }) => ({ path, text: "Grants roles/editor", isGrant: true as const })),
  ];
}

/** Checks for an outside collaborator with administrator rights; organization members get theirs through teams. */
function isOutsideAdmin(type: string, side: { [key: string]: Json }): boolean {
  return type === "github_repository_collaborator" && text(side, "permission") === "admin";
}

const TENANCY = /\bto\s{1,9}manage\s{1,9}all-resources\s{1,9}in\s{1,9}tenancy\b/i;

/** Checks for rights on everything in Oracle's cloud. A condition (`where …`) usually narrows them. */
function managesTenancy(type: string, side: { [key: string]: Json }): boolean {
  return (
    type === "oci_identity_policy" &&
    textsOf(side["statements"]).some((one) => TENANCY.test(one) && !/\bwhere\b/i.test(one))
  );
}

/** Attributes that grant ownership of a group with all its projects. */
const OWNERSHIPS = ["access_level", "group_access"];

const SUBSCRIPTION =
  /^\/(?:subscriptions\/[^/]+|providers\/microsoft\.management\/managementgroups\/[^/]+)\/?$/i;

function isContributor(side: { [key: string]: Json }): boolean {
  const role = text(side, "role_definition_name")?.toLowerCase();
  return role === "contributor" && SUBSCRIPTION.test(text(side, "scope") ?? "");
}

/** Returns an identity's statements on all resources. A policy with principals concerns only its own resource. */
function identityStatements(side: Json): Statement[] {
  return statementsOf(side).filter(
    ({ principals, resources }) => principals.length === 0 && resources.some(isEveryResource),
  );
}
