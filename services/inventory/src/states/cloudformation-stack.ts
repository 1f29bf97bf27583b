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

function readResource(row: Json): DeclaredResource[] {
  if (!isObject(row)) return [];
  const type = text(row, "ResourceType");
  const logicalId = text(row, "LogicalResourceId");
  const physicalId = text(row, "PhysicalResourceId");
  if (type === undefined || logicalId === undefined || physicalId === undefined) return [];
  if (text(row, "ResourceStatus") === "DELETE_COMPLETE") return [];
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
