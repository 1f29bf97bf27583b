import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CORPUS, hasCorpus } from "@leeway/shared/testing/corpus.fixture";

import { isObject, member, members, type Json, type JsonObject } from "@leeway/shared/values/json";
import { maskPlan } from "../plan/mask-plan.ts";

import type { Plan } from "../plan/model.ts";
import { readPlan } from "../plan/read-plan.ts";
import { planOf } from "./noise.fixture.ts";

/** Returns the rows of a corpus table without its head; none if there is no corpus. */
export function corpusRows(path: string): string[][] {
  if (!hasCorpus) return [];
  const [, ...lines] = readFileSync(join(CORPUS, path), "utf8").trimEnd().split("\n");
  return lines.map((line) => line.split("\t"));
}

function corpusJson(path: string): Json {
  return JSON.parse(readFileSync(join(CORPUS, path), "utf8"));
}

/** Reads and masks a plan of the corpus. */
export function corpusPlan(path: string): Plan {
  return readPlan(maskPlan(corpusJson(path)));
}

/** Builds a plan with one drift, from a resource's state to its live values. */
export function liveDrift([state = "", live = "", type = "", id = ""]: readonly string[]): Plan {
  const declared = corpusJson(state);
  const instances = members(isObject(declared) ? declared : {}, "resources")
    .filter((resource) => resource["type"] === type)
    .flatMap((resource) => members(resource, "instances"));
  const listed = corpusJson(live);
  const hasId = (attributes: JsonObject): boolean => attributes["id"] === id;
  const before = instances.map((instance) => member(instance, "attributes") ?? {}).find(hasId) ?? null;
  const after = (Array.isArray(listed) ? listed : []).filter(isObject).find(hasId) ?? null;
  return planOf({ drift: [{ type, before, after, address: id }] });
}
