import { createRequire } from "node:module";
import { join } from "node:path";

import type { Member, Resource } from "./schema.ts";

/** A type in the database of CloudFormation's specification. */
interface SpecType {
  type: string;
  element?: SpecType;
  types?: SpecType[];
  reference?: { $ref: string };
}

type Properties = Readonly<Record<string, { type: SpecType; causesReplacement?: string }>>;

interface Database {
  all(entity: "resource"): Iterable<{
    cloudFormationType: string;
    properties: Properties;
    attributes: Properties;
  }>;
  get(entity: "typeDefinition", id: string): { properties: Properties };
}

/**
 * Reads CloudFormation's resource types.
 * @param folder a folder in whose `node_modules` the package is
 */
export function cloudFormationTypes(folder: string): Map<string, Resource> {
  const require = createRequire(join(folder, "package.json"));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the package is installed for this command alone
  const { loadAwsServiceSpecSync } = require("@aws-cdk/aws-service-spec") as {
    loadAwsServiceSpecSync(): Database;
  };
  const database = loadAwsServiceSpecSync();
  return new Map(
    [...database.all("resource")].map(({ cloudFormationType, properties, attributes }) => [
      cloudFormationType,
      { kind: "object", members: () => membersOf({ ...attributes, ...properties }, database) },
    ]),
  );
}

function membersOf(properties: Properties, database: Database, isFixed = false): ReadonlyMap<string, Member> {
  return new Map(
    Object.entries(properties).map(([name, { type, causesReplacement }]) => [
      name,
      memberOf(type, database, isFixed || causesReplacement === "yes"),
    ]),
  );
}

const SCALARS: Readonly<Record<string, Member["kind"]>> = {
  string: "text",
  "date-time": "text",
  number: "number",
  integer: "number",
  boolean: "switch",
  json: "json",
};

function memberOf(type: SpecType, database: Database, isFixed: boolean): Member {
  const { element, types = [], reference } = type;
  if (type.type === "union") {
    const [first = { type: "json" }] = [...types.filter((one) => one.type === "ref"), ...types];
    return memberOf(first, database, isFixed);
  }
  if (type.type === "array" && element)
    return { kind: "list", element: () => memberOf(element, database, isFixed), isFixed };
  if (reference) {
    const { properties } = database.get("typeDefinition", reference.$ref);
    return { kind: "object", members: () => membersOf(properties, database, isFixed), isFixed };
  }
  return { kind: type.type === "map" ? "map" : (SCALARS[type.type] ?? "any"), isFixed };
}
