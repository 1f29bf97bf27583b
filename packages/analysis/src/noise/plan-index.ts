import { isObject, text, type Json } from "@leeway/shared/json";

import { deletes, type Plan, type ResourceChange } from "../plan/model.ts";
import { STANDALONE } from "./rules/standalone.ts";

const PRINCIPALS = ["aws_iam_role", "aws_iam_user"];
const READ_OF_OTHERS: ReadonlySet<string> = new Set([
  ...PRINCIPALS,
  ...Object.values(STANDALONE).flatMap((standalones) => standalones.map(({ type }) => type)),
]);

/** What detectors ask of the rest of a plan. */
export interface PlanIndex {
  /** What happened outside to the resource of a change. */
  driftOf: (change: ResourceChange) => ResourceChange | undefined;
  /** All resources of a type in the plan, unchanged ones too. */
  ofType: (type: string) => readonly ResourceChange[];
  /** Those of a type whose attribute, after the plan, is this text. */
  ofTypeWith: (type: string, attribute: string, value: string) => readonly ResourceChange[];
  /** The unique id (`AROA…`, `AIDA…`) of a role or user that stays, by its ARN. */
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

/** Whether other resources are judged by the values of those of this type, changed or not. */
export function isReadOfOthers(type: Json | undefined): boolean {
  return typeof type === "string" && READ_OF_OTHERS.has(type);
}

function textIn(resource: Json, attribute: string): string | undefined {
  return isObject(resource) ? text(resource, attribute) : undefined;
}

function keyOf({ address, deposed = "" }: ResourceChange): string {
  return `${address} ${deposed}`;
}
