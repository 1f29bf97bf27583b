import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CORPUS } from "@leeway/shared/testing/corpus.fixture";

import type { Analysis } from "@leeway/shared/contracts/analyzer/analysis";
import { AppError } from "@leeway/shared/values/errors";
import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import { formatVersion } from "../../packages/analysis/src/plan/mask-plan.ts";
import { readSubmission, type ReadSubmission } from "../../services/analyzer/src/plans/read-submission.ts";
import { analyzeMasked } from "../../services/analyzer/src/tasks.ts";

const PLANS = join(CORPUS, "terraform-plans");
export const hasCorpus = existsSync(PLANS);

/** Returns the files of the corpus that end with `ending`, sorted by path. */
export function filesOf(ending: string): string[] {
  if (!hasCorpus) return [];
  const all = readdirSync(PLANS, { recursive: true, encoding: "utf8" });
  return all.filter((path) => path.endsWith(ending)).toSorted();
}

export function bytesOf(path: string): Buffer {
  return readFileSync(join(PLANS, path));
}

/** Outcome of a submitted plan: its analysis, or the code of its refusal. */
export type Fate = { refused: string } | ({ analysis: Analysis } & ReadSubmission);

export function fateOf(plan: Uint8Array): Fate {
  const body = Buffer.concat([Buffer.from('{"plan":'), plan, Buffer.from("}")]);
  try {
    const submission = readSubmission(body);
    const options = { profile: "standard" as const };
    return { ...submission, analysis: analyzeMasked(submission.plan, options).analysis };
  } catch (error) {
    if (error instanceof AppError) return { refused: error.code };
    throw error;
  }
}

/** Returns the outcome of a corpus file as one line, without any value from the file. */
export function lineOf(path: string): string {
  const bytes = bytesOf(path);
  const fate = fateOf(bytes);
  if ("refused" in fate) return [path, fate.refused, "-", "-", "0", "-"].join("\t");
  const { risk_level: level, findings, drift, noise } = fate.analysis;
  const rules = counted(findings.map(({ rule }) => [rule, 1]));
  const classes = counted(noise.map((group) => [group.class, group.count]));
  return [path, versionOf(bytes), level, rules, String(drift.length), classes].join("\t");
}

function versionOf(bytes: Buffer): string {
  const plan: Json = JSON.parse(bytes.toString("utf8"));
  return (isObject(plan) && formatVersion(plan)) || "-";
}

function counted(named: readonly (readonly [string, number])[]): string {
  const counts = new Map<string, number>();
  for (const [name, count] of named) counts.set(name, (counts.get(name) ?? 0) + count);
  const sorted = [...counts].toSorted(([one], [other]) => one.localeCompare(other));
  return sorted.map(([name, count]) => `${name} ${count}`).join(", ") || "-";
}

/** Returns the texts that a plan's own masks mark as sensitive, if they are long enough to be unique. */
export function markedTexts(plan: JsonObject): Set<string> {
  const found = new Set<string>();
  for (const change of changesOf(plan)) {
    for (const side of ["before", "after"]) collect(change[side], change[`${side}_sensitive`], found);
  }
  return found;
}

function changesOf(plan: JsonObject): JsonObject[] {
  return ["resource_changes", "resource_drift"]
    .flatMap((list) => plan[list])
    .flatMap((resource) => (isObject(resource) && isObject(resource["change"]) ? [resource["change"]] : []));
}

function collect(value: Json | undefined, mask: Json | undefined, found: Set<string>): void {
  if (mask === true && typeof value === "string" && value.length > 8) found.add(value);
  if (typeof value !== "object" || value === null) return;
  for (const name of Object.keys(value)) {
    const inner: Json | undefined = Reflect.get(value, name);
    const marks = typeof mask === "object" && mask !== null ? Reflect.get(mask, name) : mask;
    collect(inner, marks, found);
  }
}
