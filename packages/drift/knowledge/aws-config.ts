import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Member, Resource } from "./schema.ts";

const KINDS: Readonly<Record<string, Member["kind"]>> = {
  string: "any",
  date: "text",
  integer: "number",
  float: "number",
  double: "number",
  boolean: "switch",
};

/** Types that AWS Config names otherwise than CloudFormation. */
const RENAMED: Readonly<Record<string, string>> = {
  "AWS::OpenSearchService::Domain": "AWS::OpenSearch::Domain",
  "AWS::CertificateManager::Certificate": "AWS::ACM::Certificate",
  "AWS::IAM::ManagedPolicy": "AWS::IAM::Policy",
};

/**
 * Reads the members that AWS Config records of a type. Its schemas don't show which objects are lists.
 * @param folder checkout of awslabs/aws-config-resource-schema
 */
export function configType(folder: string, type: string): Resource | undefined {
  const name = RENAMED[type] ?? type;
  const file = join(folder, "config/properties/resource-types", `${name}.properties.json`);
  if (!existsSync(file)) return undefined;
  const columns: Record<string, string> = JSON.parse(readFileSync(file, "utf8"));
  const recorded = Object.entries(columns)
    .filter(([path]) => path.startsWith("configuration."))
    .map(([path, kind]): [string[], string] => [path.split(".").slice(1), kind]);
  return objectOf(recorded);
}

function objectOf(columns: readonly [string[], string][]): Resource {
  const groups = Map.groupBy(columns, ([[first = ""]]) => first);
  const members = new Map(
    [...groups].map(([name, group]): [string, Member] => {
      const inner = group.filter(([steps]) => steps.length > 1);
      const own = group.find(([steps]) => steps.length === 1)?.[1] ?? "";
      const isValue = inner.every(([steps]) => steps.join(".") === `${name}.value`);
      if (isValue) return [name, { kind: KINDS[own] ?? "any" }];
      return [name, objectOf(inner.map(([steps, kind]) => [steps.slice(1), kind]))];
    }),
  );
  return { kind: "object", members: () => members };
}
