import { isDeepStrictEqual } from "node:util";

import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, type Json } from "@leeway/shared/values/json";

import { valueAt } from "../../plan/differences.ts";
import { LIKELY, OWNED, PROVEN } from "../confidence.ts";
import { at, differsAt, explain, isTakenBack, type Detector, type Leaf, type LeafRule } from "../detector.ts";

const TAG_MAPS: ReadonlySet<Path[number] | undefined> = new Set(
  "tags tags_all labels effective_labels terraform_labels user_labels resource_labels".split(" "),
);
/** Keys that only the cloud can set. */
const RESERVED = /^(?:aws:|goog-)/;
/** Keys of cloud services, Kubernetes controllers and scanners. */
const EXTERNAL =
  /^(?:elasticbeanstalk:|elasticmapreduce:|eks:|kubernetes\.io\/|k8s\.io\/|karpenter\.(?:sh|k8s\.aws)\/|alpha\.eksctl\.io\/|eksctl\.cluster\.k8s\.io\/|ingress\.k8s\.aws\/|elbv2\.k8s\.aws\/|ebs\.csi\.aws\.com\/|efs\.csi\.aws\.com\/|k8s-azure-|aks-managed-|hidden-|ms-resource-usage|c7n[:_]|custodian_|wiz[:_]|orca[:_]|prisma(?:cloud)?[:_]|dome9[:_])|^AmazonECSManaged$/;

interface TagChange {
  key: string;
  before: Json;
  after: Json;
}

/** Returns the tags that differ; none if the path isn't a tag map. */
export function tagChanges({ path, before, after }: Leaf): TagChange[] {
  const last = path.at(-1);
  if (typeof last === "string" && TAG_MAPS.has(path.at(-2))) return [{ key: last, before, after }];
  if (!TAG_MAPS.has(last) || !isMapOrNone(before) || !isMapOrNone(after)) return [];
  const keys = new Set([before, after].flatMap((tags) => (isObject(tags) ? Object.keys(tags) : [])));
  return Array.from(keys, (key) => ({
    key,
    before: valueAt(before, key) ?? null,
    after: valueAt(after, key) ?? null,
  })).filter((tag) => !isDeepStrictEqual(tag.before, tag.after));
}

function isMapOrNone(value: Json): boolean {
  return value === null || isObject(value);
}

/**
 * A tag that was added outside code, or that the plan removes again. A removed tag that never drifted may have been
 * declared until now, and a tag that the plan sets is declared.
 */
export const externalTags: LeafRule = {
  class: "external_tags",
  judge(leaf, subject) {
    const tags = tagChanges(leaf);
    if (tags.length === 0) return undefined;
    if (tags.every(({ key }) => RESERVED.test(key))) return OWNED;
    const isExternal = ({ key, before, after }: TagChange): boolean =>
      RESERVED.test(key) || (EXTERNAL.test(key) && (subject.source === "drift" ? before : after) === null);
    if (!tags.every(isExternal)) return undefined;
    return subject.source === "drift" || isTakenBack(leaf, subject) ? OWNED : LIKELY;
  },
};

/** Tags that repeat default tags: the resource ends up with the same tags either way. */
export const repeatedDefaultTags: LeafRule = {
  class: "tags_all_default_tags",
  judge(leaf, { change }) {
    if (leaf.path[0] !== "tags") return undefined;
    const all = at(change.before, ["tags_all"]);
    if (!isObject(all) || differsAt(change, ["tags_all"])) return undefined;
    const isRepeated = ({ key, before, after }: TagChange): boolean =>
      (before === null || after === null) && isDeepStrictEqual(valueAt(all, key) ?? null, before ?? after);
    const tags = tagChanges(leaf);
    return tags.length > 0 && tags.every(isRepeated) ? PROVEN : undefined;
  },
};

/**
 * Explains differences only in `tags_all`. The provider recomputes it, or its default tags changed; the plan doesn't
 * show which.
 */
export const tagsAllAlone: Detector = (open, { change }) => {
  if (differsAt(change, ["tags"])) return [];
  return open
    .filter(({ path }) => path[0] === "tags_all")
    .map((difference) => explain(difference, "tags_all_default_tags", LIKELY));
};
