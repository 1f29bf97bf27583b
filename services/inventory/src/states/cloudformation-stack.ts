import { isObject, text, type Json } from "@leeway/shared/json";

import type { DeclaredResource } from "../clouds/cloud.ts";
import type { StateFormat } from "./state-format.ts";

/** What `aws cloudformation describe-stack-resources` and `list-stack-resources` print. */
export const cloudformationStack: StateFormat = {
  name: "CloudFormation stack resources",
  kind: "cloudformation",
  lists: [
    { path: ["StackResources"], read: readResource },
    { path: ["StackResourceSummaries"], read: readResource },
  ],
  matches: (document) => "StackResources" in document || "StackResourceSummaries" in document,
  flaw: ({ NextToken: next }) =>
    typeof next === "string" ? "it goes on behind `NextToken`: push all of the stack's resources" : undefined,
};

/** A resource that the stack has no more, whatever is left of it in the account, or that it never came to have. */
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
