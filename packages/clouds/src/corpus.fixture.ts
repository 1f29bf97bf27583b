import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CORPUS, hasCorpus } from "@leeway/shared/testing/corpus.fixture";

import { isObject, member, members, text, type Json } from "@leeway/shared/values/json";

import type { Cloud, DeclaredResource, ListedResource } from "./cloud.ts";

/** Returns the corpus files that match a glob pattern, sorted; none if there is no corpus. */
export function corpusFiles(pattern: string): string[] {
  return hasCorpus ? globSync(pattern, { cwd: CORPUS }).toSorted((a, b) => a.localeCompare(b)) : [];
}

/** Returns a corpus file as text. */
export function corpusText(path: string): string {
  return readFileSync(join(CORPUS, path), "utf8");
}

/** Returns a corpus file as JSON. */
export function corpusJson(path: string): Json {
  return JSON.parse(corpusText(path));
}

/** One line of the corpus's table of states and live reads of the same resources. */
export interface Pair {
  type: string;
  declared: DeclaredResource[];
  listed: ListedResource[];
  /** Numbers of matched, only declared and only live resources. */
  counts: number[];
}

const PAIR =
  /^state ↔ live resources\t(\S+)\t(\S+)\t\d+\t([a-z\d_]+): (\d+) matched by id, (\d+) only in the state, (\d+) only live/gm;

/** Returns the pairs whose type begins with `prefix`, with the live reads as rows of Leeway's own format. */
export function corpusPairs(prefix: string): Pair[] {
  return corpusFiles("PAIRS.tsv").flatMap((path) =>
    [...corpusText(path).matchAll(PAIR)].flatMap(([, state = "", live = "", type = "", ...counts]) =>
      type.startsWith(prefix)
        ? [
            {
              type,
              declared: declaredIn(state, type),
              listed: listedIn(live, type),
              counts: counts.map(Number),
            },
          ]
        : [],
    ),
  );
}

function listedIn(path: string, type: string): ListedResource[] {
  const rows = corpusJson(path);
  return (Array.isArray(rows) ? rows.filter(isObject) : []).map((attributes) => ({
    provider_resource_id: text(attributes, "id") ?? "",
    provider_type: type,
    terraform_type: type,
    complete: false,
  }));
}

function declaredIn(path: string, type: string): DeclaredResource[] {
  const state = corpusJson(path);
  return members(isObject(state) ? state : undefined, "resources")
    .filter((resource) => resource["mode"] !== "data" && resource["type"] === type)
    .flatMap((resource) =>
      members(resource, "instances").map((instance, at) => ({
        address: `${type}.${text(resource, "name")}[${at}]`,
        type,
        attributes: member(instance, "attributes") ?? {},
      })),
    );
}

/** Joins both sides level by level, by keys that are unique on both sides. */
export function joinByKeys(
  cloud: Cloud,
  listed: ListedResource[],
  declared: DeclaredResource[],
): [ListedResource, DeclaredResource][] {
  const pairs: [ListedResource, DeclaredResource][] = [];
  for (const level of ["1:", "2:", "3:", "4:"]) {
    const live = byUniqueKey(listed, level, (resource) => cloud.liveKeys(resource, resource.account ?? ""));
    const known = byUniqueKey(declared, level, (resource) => cloud.declaredIdentity(resource).keys);
    for (const [key, resource] of live) {
      const found = known.get(key);
      if (found !== undefined && !pairs.some(([one, other]) => one === resource || other === found))
        pairs.push([resource, found]);
    }
  }
  return pairs;
}

function byUniqueKey<T>(resources: T[], level: string, keysOf: (resource: T) => string[]): Map<string, T> {
  const all = resources.flatMap((resource) => keysOf(resource).map((key): [string, T] => [key, resource]));
  const times = Map.groupBy(all, ([key]) => key);
  return new Map(all.filter(([key]) => key.startsWith(level) && times.get(key)?.length === 1));
}
