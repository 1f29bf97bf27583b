import type { ExclusionRule, ListedResource } from "../cloud.ts";
import { canonicalId } from "./arn.ts";
import { field } from "./payload.ts";
import { resolveType } from "./types.ts";

type Test = (resource: ListedResource) => boolean;

/** A rule of AWS for resources of some types, in the catalog's spelling. */
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

/** Whether one of the tests holds. */
export function either(...tests: readonly Test[]): Test {
  return (resource) => tests.some((test) => test(resource));
}

/** Whether the payload says yes to `name`. */
export function flag(name: string): Test {
  return ({ properties }) => field(properties, name) === true;
}

/** Whether the ARN holds `part`. */
export function arnHas(part: string): Test {
  return ({ provider_resource_id }) => provider_resource_id.includes(part);
}

/** Whether the name, or the identifier of a resource without one, is of the pattern. */
export function named(pattern: RegExp): Test {
  return ({ name, provider_resource_id }) => pattern.test(name ?? provider_resource_id);
}

/** Whether the identifier is of the pattern. */
export function idMatches(pattern: RegExp): Test {
  return ({ provider_resource_id }) => pattern.test(canonicalId(provider_resource_id));
}
