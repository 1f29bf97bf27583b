import { isDeepStrictEqual } from "node:util";

import { listed } from "@leeway/analysis/narrative/words";
import { isRead } from "@leeway/analysis/risk/read-attributes";
import { isObject, member, type Json, type JsonObject } from "@leeway/shared/values/json";
import { marksOf } from "@leeway/analysis/plan/marks";
import { renderPlan, type Change, type MaskedPlan, type Pruned } from "@leeway/analysis/plan/mask-plan";

import { Failure } from "../failure.ts";
import { counted } from "@leeway/shared/values/counted";
import { mebibytes } from "../words.ts";

/** Step that removes values that rules read. */
const VALUES = "values";
const LONGEST_TEXT = 1000;
const KEPT_OF_TEXT = 200;

/** One way to make a plan smaller. `count` is the number of changes, or parts of the context, that lost something. */
interface Step {
  name: string;
  /** Builds the end of "sent without …". */
  without: (resources: string) => string;
  apply(plan: MaskedPlan): { plan: MaskedPlan; count: number };
}

/** Steps from the least to the greatest loss for the analysis. */
export const STEPS: readonly Step[] = [
  {
    name: "unchanged_resources",
    without: (resources) => `${resources} that don't change`,
    apply: forEachChange((change) => (isIdle(change) ? undefined : change)),
  },
  {
    name: "unchanged_attributes",
    without: (resources) => `unchanged attributes of ${resources}`,
    apply: forEachChange((change) =>
      keepAttributes(change, (name) => isRead(name) || isChanging(change, name)),
    ),
  },
  {
    name: "long_texts",
    without: (resources) => `the ends of long values of ${resources}`,
    apply: forEachChange(shortenTexts),
  },
  {
    name: "other_attributes",
    without: (resources) => `attributes of ${resources} that no rule reads`,
    apply: forEachChange((change) => keepAttributes(change, isRead)),
  },
  {
    name: VALUES,
    without: (resources) => `all attributes of ${resources}`,
    apply: forEachChange(withoutValues),
  },
  {
    name: "context",
    without: () => "output changes and checks",
    apply: (plan) => ({ plan: { ...plan, context: {} }, count: Object.keys(plan.context).length }),
  },
];

/**
 * Returns a body with as much of the plan as fits into `maxBytes`, and the steps that were needed.
 * @throws {Failure} `plan_too_large` when no step helps
 */
export function fitPlan(
  plan: MaskedPlan,
  encode: (plan: JsonObject) => Uint8Array<ArrayBuffer>,
  maxBytes: number,
): { body: Uint8Array<ArrayBuffer>; pruned: readonly Pruned[] } {
  let smaller = plan;
  let body = encode(renderPlan(smaller));
  for (const { name, apply } of STEPS) {
    if (body.byteLength <= maxBytes) break;
    const step = apply(smaller);
    if (step.count === 0) continue;
    smaller = { ...step.plan, pruned: [...smaller.pruned, { step: name, count: step.count }] };
    body = encode(renderPlan(smaller));
  }
  if (body.byteLength > maxBytes) throw tooLarge(smaller, body.byteLength, maxBytes);
  return { body, pruned: smaller.pruned };
}

function tooLarge({ resource_changes: changes }: MaskedPlan, bytes: number, maxBytes: number): Failure {
  const count = counted(Array.isArray(changes) ? changes.length : 0, "resource change");
  const problem = `its ${count} take ${mebibytes(bytes)} even without attributes`;
  return new Failure(
    "plan_too_large",
    `the plan is over ${mebibytes(maxBytes)}: ${problem}. Plan fewer resources at a time`,
  );
}

/** Describes in a sentence what was removed from a plan and how that affects the analysis; undefined if nothing was. */
export function describePruned(pruned: readonly Pruned[], maxBytes: number): string | undefined {
  if (pruned.length === 0) return undefined;
  const parts = pruned.map(({ step, count }) =>
    STEPS.find(({ name }) => name === step)?.without(counted(count, "resource")),
  );
  const consequence = pruned.some(({ step }) => step === VALUES)
    ? "findings that depend on attributes are missing"
    : "risk rules still see what they need";
  return `plan is over ${mebibytes(maxBytes)}: sent without ${listed(parts.filter((part) => part !== undefined))}; ${consequence}`;
}

function forEachChange(prune: (change: Change) => Change | undefined): Step["apply"] {
  return (plan) => {
    let count = 0;
    const pruneOne = (change: Change): Change[] => {
      const left = prune(change);
      if (left !== change) count += 1;
      return left ? [left] : [];
    };
    const pruneList = (list: MaskedPlan["resource_changes"]): typeof list =>
      Array.isArray(list) ? list.flatMap(pruneOne) : list;
    const resource_changes = pruneList(plan.resource_changes);
    const resource_drift = pruneList(plan.resource_drift);
    return { plan: { ...plan, resource_changes, resource_drift }, count };
  };
}

/** Returns whether a change does nothing. Moves and imports change the state, even if not the resource. */
function isIdle({ resource, change }: Change): boolean {
  if ("previous_address" in resource || "importing" in change) return false;
  return isDeepStrictEqual(change["actions"], ["no-op"]) || isDeepStrictEqual(change["actions"], ["read"]);
}

function isChanging({ change }: Change, name: string): boolean {
  const [before, after] = [member(change, "before"), member(change, "after")];
  if (!before || !after || marksOf(member(change, "after_unknown")?.[name])) return true;
  return !isDeepStrictEqual(before[name], after[name]);
}

const SIDES = ["before", "after", "after_unknown", "before_sensitive", "after_sensitive"];

function keepAttributes(given: Change, isKept: (name: string) => boolean): Change {
  const sides = SIDES.flatMap((side) => {
    const attributes = member(given.change, side);
    const kept = attributes && Object.entries(attributes).filter(([name]) => isKept(name));
    return kept && kept.length < Object.keys(attributes).length ? [[side, Object.fromEntries(kept)]] : [];
  });
  if (sides.length === 0) return given;
  return { ...given, change: { ...given.change, ...Object.fromEntries(sides) } };
}

function shortenTexts(given: Change): Change {
  let isShorter = false;
  const shorten = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(shorten);
    if (isObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shorten(inner)]));
    }
    if (typeof value !== "string" || value.length <= LONGEST_TEXT) return value;
    isShorter = true;
    // The database rejects unpaired surrogates.
    const start = value.slice(0, KEPT_OF_TEXT).toWellFormed();
    return `${start}… (${value.length - KEPT_OF_TEXT} characters omitted)`;
  };
  const sides = ["before", "after"].flatMap((side) => {
    const attributes = Object.entries(member(given.change, side) ?? {});
    if (attributes.length === 0) return [];
    return [
      [
        side,
        Object.fromEntries(attributes.map(([name, value]) => [name, isRead(name) ? value : shorten(value)])),
      ],
    ];
  });
  return isShorter ? { ...given, change: { ...given.change, ...Object.fromEntries(sides) } } : given;
}

function withoutValues(given: Change): Change {
  const kept = Object.entries(given.change).filter(([name]) => !SIDES.includes(name));
  if (kept.length === Object.keys(given.change).length) return given;
  return { ...given, change: Object.fromEntries(kept) };
}
