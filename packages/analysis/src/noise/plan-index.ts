import { isObject, text, type Json } from "@leeway/shared/values/json";

import { creates, deletes, type Plan, type ResourceChange } from "../plan/model.ts";
import { STANDALONE } from "./rules/standalone.ts";

const PRINCIPALS = ["aws_iam_role", "aws_iam_user"];
const READ_OF_OTHERS: ReadonlySet<string> = new Set([
  ...PRINCIPALS,
  ...Object.values(STANDALONE).flatMap((standalones) => standalones.map(({ type }) => type)),
]);

/** Lookups that detectors make in the rest of a plan. */
export interface PlanIndex {
  /** Returns the drift of a change's resource. */
  driftOf: (change: ResourceChange) => ResourceChange | undefined;
  /** Returns all resources of a type in the plan, including unchanged ones. */
  ofType: (type: string) => readonly ResourceChange[];
  /** Returns the resources of a type whose attribute has this text after the plan. */
  ofTypeWith: (type: string, attribute: string, value: string) => readonly ResourceChange[];
  /** Whether the plan creates or replaces a resource. */
  creates: boolean;
  /** Returns the unique id (`AROA…`, `AIDA…`) of an existing role or user by its ARN. */
  principalId: (arn: string) => string | undefined;
}

export function indexPlan({ changes, drift }: Plan): PlanIndex {
  const drifted = new Map(drift.map((change) => [keyOf(change), change]));
  const byType = Map.groupBy(changes, ({ type }) => type);
  const ofType = (type: string): readonly ResourceChange[] => byType.get(type) ?? [];
  const principals = new Map(
    PRINCIPALS.flatMap(ofType).flatMap((principal): [string, string][] => {
      const { before } = principal;
      if (deletes(principal) || !isObject(before)) return [];
      const [arn, id] = [text(before, "arn"), text(before, "unique_id")];
      return arn !== undefined && id !== undefined ? [[arn, id]] : [];
    }),
  );
  const byAttribute = new Map<string, ReadonlyMap<string | undefined, readonly ResourceChange[]>>();
  return {
    driftOf: (change) => drifted.get(keyOf(change)),
    ofType,
    creates: changes.some((change) => change.mode === "managed" && creates(change)),
    ofTypeWith(type, attribute, value) {
      const key = `${type}.${attribute}`;
      const known =
        byAttribute.get(key) ?? Map.groupBy(ofType(type), ({ after }) => textIn(after, attribute));
      byAttribute.set(key, known);
      return known.get(value) ?? [];
    },
    principalId: (arn) => principals.get(arn),
  };
}

/** Checks whether other resources are judged by values of this type, changed or not. */
export function isReadOfOthers(type: Json | undefined): boolean {
  return typeof type === "string" && READ_OF_OTHERS.has(type);
}

function textIn(resource: Json, attribute: string): string | undefined {
  return isObject(resource) ? text(resource, attribute) : undefined;
}

function keyOf({ address, deposed = "" }: ResourceChange): string {
  return `${address} ${deposed}`;
}
