import { isObject, type Json } from "@leeway/shared/values/json";

import type { ResourceChange } from "../plan/model.ts";
import { isEmpty } from "./attribute-values.ts";
import type { Leaf } from "../plan/leaves.ts";
import { isSetting } from "./cosmetic.ts";
import { innerLeaves } from "./text-leaves.ts";
import { changesText, isHidden, listed, shown } from "./values.ts";

/** Names of attributes that describe best who gets access, and where. */
const RELEVANT =
  /(?:action|access|effect|decision|enforce|source|destination|port|address|cidr|range|principal|member|role|identit|permission|privilege|scope|user|group|account|subject|service|domain|object|policy_definition|direction|protocol)/;
const LONGEST_LINE = 60;
const LONGEST_TEXT = 20_000;
const MAX_ATTRIBUTES = 200;

/** Describes changes of access settings or network rules: the most relevant first, texts by their content. */
export function accessText(leaves: readonly Leaf[]): string {
  const all = leaves
    .flatMap((leaf) => (isPolicy(leaf) ? [leaf] : innerLeaves(leaf)))
    .filter((leaf) => !isNothing(leaf));
  const sorted = all.toSorted((one, other) => rankOf(one) - rankOf(other));
  const policies = sorted.filter(isPolicy).map(({ name }) => `conditions or order of ${name}`);
  const lines = policies.length > 0 ? policies : sorted.flatMap(lineChange);
  return lines.length > 0 ? listed(lines) : changesText(sorted.length > 0 ? sorted : leaves);
}

/** Checks for an AWS policy, which is described separately. */
function isPolicy({ after }: Leaf): boolean {
  return typeof after === "string" && /"Statement"/i.test(after);
}

function rankOf({ name }: Leaf): number {
  return RELEVANT.test(name.slice(name.lastIndexOf(".") + 1)) ? 0 : 1;
}

/** Checks whether a setting is effectively absent on both sides. */
function isNothing({ before, after, hidden, unknown }: Leaf): boolean {
  return !hidden && !unknown && [before, after].every((side) => isEmpty(side) || side === false);
}

/** Returns the lines that differ in a multi-line text, such as a Vault policy. */
function lineChange({ name, before, after, hidden, unknown }: Leaf): string[] {
  if (hidden || unknown || isSetting(name)) return [];
  const [were, are] = [linesOf(before), linesOf(after)];
  if (were.size < 2 && are.size < 2) return [];
  const parts = [
    ...[...are].filter((line) => !were.has(line)).map((line) => `adds ${cut(line)}`),
    ...[...were].filter((line) => !are.has(line)).map((line) => `removes ${cut(line)}`),
  ];
  return parts.length > 0 ? [`${name} ${listed(parts)}`] : [];
}

function linesOf(value: Json | undefined): ReadonlySet<string> {
  if (typeof value !== "string" || value.length > LONGEST_TEXT || isHidden(value)) return new Set();
  return new Set(
    value
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => /\w/.test(line)),
  );
}

function cut(line: string): string {
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE - 1)}…`;
}

/**
 * Describes a new or deleted resource by its most relevant attributes: `account_id 222222222222`. Empty if none is
 * plain.
 */
export function namedText({ before, after }: ResourceChange): string {
  const side = isObject(after) ? after : before;
  const plain = attributesOf(side, "", 2).filter(([name]) => !BESIDE.test(name));
  const relevant = plain.filter(([name]) => RELEVANT.test(name));
  const chosen = relevant.length > 0 ? relevant : plain;
  return listed(chosen.slice(0, MAX_NAMED).map(([name, value]) => `${name} ${shown(value)}`));
}

const MAX_NAMED = 3;
/** Attributes that only locate a resource, or repeat its address. */
const BESIDE =
  /(?:^|\.)(?:id|etag|path|fingerprint|partition)$|_arn$|(?:^|\.)arn$|tags|labels|annotations|description|resource_group|^project$|security_group_(?:name|id)$|(?:^|_)(?:from|to)_port$|timeouts/;

/** Returns plain values with their names, including those in blocks. */
function attributesOf(side: Json, prefix: string, depth: number): [name: string, value: string][] {
  if (!isObject(side)) return [];
  return Object.entries(side)
    .slice(0, MAX_ATTRIBUTES)
    .flatMap(([name, value]): [string, string][] => {
      if (isSetting(`${prefix}${name}.`)) return [];
      const items = [value].flat();
      const texts = items.filter(isPlain).map(String);
      if (texts.length > 0) return [[prefix + name, listed(texts)]];
      return depth === 0 ? [] : items.flatMap((item) => attributesOf(item, `${prefix}${name}.`, depth - 1));
    });
}

function isPlain(value: Json): value is string | number | true {
  if (typeof value === "string") return value !== "" && !isHidden(value) && !/^\s*[{[]|\n/.test(value);
  return value === true || (typeof value === "number" && value !== 0);
}

/** Returns the verb for what a change does to a resource. */
export function verbOf({ actions }: ResourceChange): string {
  const isCreated = actions.includes("create");
  if (actions.includes("delete")) return isCreated ? "Replaces" : "Deletes";
  return isCreated ? "Creates" : "Changes";
}
