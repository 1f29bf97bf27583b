import type { ExclusionRule, ListedResource } from "../cloud.ts";
import { canonicalId } from "./arn.ts";
import { field } from "./payload.ts";
import { resolveType } from "./types.ts";

type Test = (resource: ListedResource) => boolean;

/** Returns an exclusion rule for AWS types, named as in the catalog. */
export function rule(
  id: string,
  title: string,
  { types, when }: { types: readonly string[]; when: Test },
): ExclusionRule {
  const known = new Set(types);
  return {
    id: `aws.${id}`,
    title,
    applies: (resource) => known.has(typeOf(resource)) && when(resource),
  };
}

function typeOf({ terraform_type, provider_type }: ListedResource): string {
  return terraform_type === undefined
    ? provider_type
    : (resolveType(terraform_type).entry?.type ?? provider_type);
}

/** Returns a test that passes if any of the tests does. */
export function either(...tests: readonly Test[]): Test {
  return (resource) => tests.some((test) => test(resource));
}

/** Returns a test for a property that is `true`. */
export function flag(name: string): Test {
  return ({ properties }) => field(properties, name) === true;
}

/** Returns a test for a part of the ARN. */
export function arnHas(part: string): Test {
  return ({ provider_resource_id }) => provider_resource_id.includes(part);
}

/** Returns a test for a pattern in the name; for resources without a name, in the identifier. */
export function named(pattern: RegExp): Test {
  return ({ name, provider_resource_id }) => pattern.test(name ?? provider_resource_id);
}

/** Returns a test for a pattern in the identifier. */
export function idMatches(pattern: RegExp): Test {
  return ({ provider_resource_id }) => pattern.test(canonicalId(provider_resource_id));
}
