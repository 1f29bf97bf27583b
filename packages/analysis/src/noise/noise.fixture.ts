import type { Json, JsonObject } from "@leeway/shared/values/json";
import { maskPlan } from "../plan/mask-plan.ts";

import type { Plan } from "../plan/model.ts";
import { readPlan } from "../plan/read-plan.ts";
import { noiseIn, type Noise } from "./noise-in.ts";

/** Short form of a plan's resource. */
export interface Resource {
  type: string;
  before: Json;
  after: Json;
  address?: string;
  actions?: string[];
  mode?: string;
  provider?: string;
  unknown?: JsonObject;
  sensitive?: JsonObject;
}

export interface Plans {
  changes?: readonly Resource[];
  drift?: readonly Resource[];
}

/** A plan and the fact that it shows. */
export type Case = [fact: string, plan: Plans];

/** Masks and reads a plan. */
export function planOf({ changes = [], drift = [] }: Plans): Plan {
  return readPlan(
    maskPlan({
      format_version: "1.2",
      resource_changes: changes.map(asPlanned),
      resource_drift: drift.map(asPlanned),
    }),
  );
}

export function noiseOf(plans: Plans): Noise[] {
  return noiseIn(planOf(plans));
}

function asPlanned(resource: Resource): JsonObject {
  const { type, before, after, unknown = {}, sensitive = {} } = resource;
  const { address = `${type}.main`, actions = ["update"], mode = "managed" } = resource;
  return {
    address,
    mode,
    type,
    name: "main",
    provider_name: resource.provider ?? `registry.terraform.io/hashicorp/${type.split("_", 1)[0]}`,
    change: {
      actions,
      before,
      after,
      after_unknown: unknown,
      before_sensitive: sensitive,
      after_sensitive: sensitive,
    },
  };
}

/** Builds a resource that changes, or drifted, from `before` to `after`. */
export function change(
  type: string,
  before: JsonObject,
  after: JsonObject,
  rest: Partial<Resource> = {},
): Resource {
  return { type, before, after, ...rest };
}

/** Builds an unchanged resource. */
export function unchanged(type: string, attributes: JsonObject, address = `${type}.other`): Resource {
  return { type, address, actions: ["no-op"], before: attributes, after: attributes };
}

/** Returns the noise classes of a plan with their confidence, such as `set_order 1`. */
export function classesOf(plan: Plans): string[] {
  return noiseOf(plan).map(({ class: noiseClass, confidence }) => `${noiseClass} ${confidence}`);
}

/** Returns the noise classes of a change from `before` to `after`. */
export function classesOfChange(type: string, before: JsonObject, after: JsonObject): string[] {
  return classesOf({ changes: [{ type, before, after }] });
}
