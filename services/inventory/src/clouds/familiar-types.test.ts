import { expect, test } from "bun:test";

import { familiarType } from "@leeway/analysis/risk/familiar-type";
import {
  isAudit,
  isContainer,
  isEncryptionSetting,
  isIam,
  isKeyMaterial,
  isNetworkPolicy,
  isNodePool,
  isProtectionSetting,
  isPublicAccessBlock,
  isServing,
  isStateful,
  isTrafficPath,
} from "@leeway/analysis/risk/types";

import { snakeCase } from "../drift/compare/names.ts";
import { cloudOf } from "./clouds.ts";

const KINDS = {
  isStateful,
  isKeyMaterial,
  isContainer,
  isServing,
  isNodePool,
  isNetworkPolicy,
  isIam,
  isTrafficPath,
  isAudit,
  isProtectionSetting,
  isPublicAccessBlock,
  isEncryptionSetting,
};

/** What rules take a type for. */
const kindsOf = (type: string): string[] =>
  Object.entries(KINDS).flatMap(([name, is]) => (is(type) ? [name] : []));

/** A resource as another provider would declare it. */
interface Named {
  type: string;
  before?: { type: string };
}

/** What the rules know of a catalog's types, under the name that another provider has for each. */
function differing(cloud: string, named: (type: string) => Named | undefined) {
  return cloudOf(cloud).catalog.entries.flatMap(({ type, terraform }) => {
    const given = named(type);
    if (!given) return [];
    const twin = familiarType({ before: null, after: null, ...given });
    const known = new Set(terraform.flatMap(kindsOf));
    const missed = [...known].filter((kind) => !kindsOf(twin).includes(kind));
    return missed.length > 0 ? [`${given.type} ${type} is taken for ${twin}: ${missed.join(", ")}`] : [];
  });
}

function ofCloudControl(type: string): Named | undefined {
  const [, service, name, ...more] = type.split("::");
  if (service === undefined || name === undefined || more.length > 0 || name.includes(".")) return undefined;
  return { type: `awscc_${service.toLowerCase()}_${snakeCase(name)}` };
}

function ofResourceManager(type: string): Named | undefined {
  if (type.includes("#") || type.startsWith("Microsoft.Graph/")) return undefined;
  return { type: "azapi_resource", before: { type: `${type}@2024-01-01` } };
}

test("what the rules know of a type of AWS they know of it in the Cloud Control provider", () => {
  expect(differing("aws", ofCloudControl)).toEqual([]);
});

test("what the rules know of a type of Azure they know of it in the generic provider", () => {
  expect(differing("azure", ofResourceManager)).toEqual([]);
});

/** What a provider only forgets when it is to destroy it, and what shares a cloud's type with what holds data. */
const KEPT = new Set([
  "aws_default_vpc",
  "aws_route53domains_registered_domain",
  "google_container_registry",
  "google_sql_source_representation_instance",
]);

/** The gravest of what goes with a type, as rules of plans have it. */
function lossOf(type: string): string {
  if (isKeyMaterial(type)) return "key_material";
  if (isContainer(type)) return "container";
  if (isStateful(type)) return "stateful";
  return isServing(type) ? "serving" : "other";
}

test.each(["aws", "azure", "gcp", "other"])("%s: a type's loss is as bad in a plan as in drift", (cloud) => {
  const differing = cloudOf(cloud).catalog.entries.flatMap(({ loss, terraform }) =>
    terraform.filter((type) => lossOf(type) !== loss && !KEPT.has(type)),
  );
  expect(differing).toEqual([]);
});
