import type { AttributeChange } from "@leeway/shared/contracts/analyzer/analysis";
import { REDACTED } from "@leeway/shared/security/redaction/redact";
import { isObject, sameJson, type Json } from "@leeway/shared/values/json";

import { code } from "../fix/phrases.ts";
import { CannotSettle } from "./refusal.ts";

/** A value to change: from the declared value to the live one. `path` starts at the current place in the code. */
export interface Leaf {
  path: readonly (string | number)[];
  before: Json;
  after: Json;
}

/** Attributes that providers derive from others, with the attribute that a configuration sets. */
const DERIVED: Readonly<Record<string, string>> = {
  tags_all: "tags",
  effective_labels: "labels",
  terraform_labels: "labels",
  effective_annotations: "annotations",
};

/** Returns the values to change in the code. @throws {CannotSettle} `secret`, `computed` */
export function leavesToSettle(changes: readonly AttributeChange[]): Leaf[] {
  for (const change of changes) refuseSecret(change);
  const leaves = changes.map(({ path, before, after }) => ({
    path,
    before: asJson(before),
    after: asJson(after),
  }));
  const settable = leaves.filter(({ path: [name = ""] }) => DERIVED[name] === undefined);
  for (const leaf of leaves) {
    const source = DERIVED[String(leaf.path[0])];
    if (source !== undefined && !settable.some(({ path: [name] }) => name === source))
      throw new CannotSettle(
        "computed",
        `${code(nameOf(leaf.path))} is computed by the provider, for example from its defaults`,
      );
  }
  return settable;
}

function refuseSecret(change: AttributeChange): void {
  const { path, before, after, unknown, before_sensitive: wasSecret, after_sensitive: isSecret } = change;
  const name = code(nameOf(path));
  if (wasSecret || isSecret || [before, after, path].some(isMasked))
    throw new CannotSettle(
      "secret",
      `${name} is secret or masked, and such values are never written into code`,
    );
  if (unknown) throw new CannotSettle("computed", `${name} is only known after an apply`);
}

/** Returns whether a value contains a masked part, also in a text or a name. */
export function isMasked(value: unknown): boolean {
  if (typeof value === "string") return value.includes(REDACTED);
  if (Array.isArray(value)) return value.some(isMasked);
  return isObject(value) && Object.entries(value).some(([name, item]) => isMasked(name) || isMasked(item));
}

function asJson(value: unknown): Json {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it comes from JSON
  return (value ?? null) as Json;
}

/** Writes a path as in a reference: `ingress[0].from_port`. */
export function nameOf(path: Leaf["path"]): string {
  return path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : (index > 0 ? "." : "") + step))
    .join("");
}

/** Returns the leaf below its first step. */
export const below = ({ path, ...rest }: Leaf): Leaf => ({ ...rest, path: path.slice(1) });

/** Groups leaves by their first step, and returns what is left of them below it. */
export function bySteps(leaves: readonly Leaf[]): Map<string | number, Leaf[]> {
  const groups = new Map<string | number, Leaf[]>();
  for (const leaf of leaves) {
    const [step = ""] = leaf.path;
    groups.set(step, [...(groups.get(step) ?? []), below(leaf)]);
  }
  return groups;
}

/** Compares a value in code with one of the state. Code may write numbers and booleans as strings. */
export function isSame(written: Json, value: Json): boolean {
  if (sameJson(written, value)) return true;
  if (Array.isArray(written) && Array.isArray(value))
    return (
      written.length === value.length && written.every((item, index) => isSame(item, value[index] ?? null))
    );
  if (isObject(written) && isObject(value)) {
    const names = Object.keys(written);
    return (
      names.length === Object.keys(value).length &&
      names.every((name) => Object.hasOwn(value, name) && isSame(written[name] ?? null, value[name] ?? null))
    );
  }
  const texts = [written, value].map((one) => (typeof one === "object" ? undefined : String(one)));
  return texts[0] !== undefined && texts[0] === texts[1];
}

/** Returns whether a value is none, as a state stores an argument that isn't set. */
export function isNothing(value: Json): boolean {
  if (typeof value === "object") return value === null || Object.keys(value).length === 0;
  return value === "";
}

export const isScalar = (value: Json): boolean => typeof value !== "object";
