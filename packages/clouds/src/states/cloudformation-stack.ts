import { isObject, text, type Json } from "@leeway/shared/values/json";

import type { DeclaredResource } from "../cloud.ts";
import type { StateFormat } from "./state-format.ts";

/** Output of `aws cloudformation describe-stack-resources` and `list-stack-resources`. */
export const cloudformationStack: StateFormat = {
  name: "CloudFormation stack resources",
  kind: "cloudformation",
  lists: [
    { path: ["StackResources"], read: readResource },
    { path: ["StackResourceSummaries"], read: readResource },
  ],
  matches: (document) => "StackResources" in document || "StackResourceSummaries" in document,
  flaw: ({ NextToken: next }) =>
    typeof next === "string"
      ? "it is incomplete because of `NextToken`; push all of the stack's resources"
      : undefined,
};

/** Statuses of resources that aren't in the stack: removed from it, even if kept in the account, or never created. */
const NOT_OWNED: ReadonlySet<string | undefined> = new Set([
  "CREATE_FAILED",
  "DELETE_COMPLETE",
  "DELETE_SKIPPED",
]);

function readResource(row: Json): DeclaredResource[] {
  if (!isObject(row)) return [];
  const type = text(row, "ResourceType");
  const logicalId = text(row, "LogicalResourceId");
  const physicalId = text(row, "PhysicalResourceId");
  if (type === undefined || logicalId === undefined || physicalId === undefined) return [];
  if (NOT_OWNED.has(text(row, "ResourceStatus"))) return [];
  const stack = text(row, "StackName");
  const stackId = text(row, "StackId");
  return [
    {
      address: stack === undefined ? logicalId : `${stack}.${logicalId}`,
      type,
      provider_config: stackId ?? "cloudformation",
      ...(stackId !== undefined && { stack_id: stackId }),
      attributes: { id: physicalId },
    },
  ];
}
