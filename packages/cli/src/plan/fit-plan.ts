import { isDeepStrictEqual } from "node:util";

import { READ_ATTRIBUTES } from "@leeway/analysis/risk/read-attributes";
import { isObject, member, type Json, type JsonObject } from "@leeway/shared/json";
import { marksOf } from "@leeway/shared/plan/marks";
import { renderPlan, type Change, type MaskedPlan, type Pruned } from "@leeway/shared/plan/mask-plan";

import { Failure } from "../failure.ts";

const LONGEST_TEXT = 1000;
const KEPT_OF_TEXT = 200;

/** What tells which resource it is. */
const IDENTIFIER =
  /^(?:id|arn|name|self_link|urn|region|location|zone|project|namespace)$|_(?:id|ids|arn|name)$/;
/** What rules of risk read, beside what their tables name: of types that nobody knows, too. */
const READ_BY_RULES = new RegExp(
  [
    "protect|prevent|destroy|deletion|final_snapshot|backup|retention|point_in_time|versioning",
    "engine|class|_type$|_tier$|sku|storage|size|capacity|count|replicas|desired|^min|^max|apply_immediately|_group",
    "ingress|egress|cidr|port|protocol|direction|source|destination|security_rule|firewall|acl|public|access|internet",
    "policy|statement|principal|role|member|entity|permission|assume|action|effect|condition",
    "encrypt|kms|tls|ssl|certificate|log|audit|monitor|trail",
    "route|record|target|peer|gateway|subnet|vpc|network|enabled?$|tags|labels|description",
  ].join("|"),
);

/** One way to make a plan smaller. `count` is how many changes, or parts of the context, lost something. */
interface Step {
  name: string;
  leavesOut: string;
  apply(plan: MaskedPlan): { plan: MaskedPlan; count: number };
}

/** From what analysis misses least to what it misses most. */
export const STEPS: readonly Step[] = [
  {
    name: "unchanged_resources",
    leavesOut: "resources that don't change, or are only read",
    apply: forEachChange((change) => (isIdle(change) ? undefined : change)),
  },
  {
    name: "unchanged_attributes",
    leavesOut: "attributes that don't change, but identifiers and what rules of risk read",
    apply: forEachChange((change) =>
      keepAttributes(change, (name) => isRead(name) || isChanging(change, name)),
    ),
  },
  {
    name: "long_texts",
    leavesOut: `the ends of texts of more than ${LONGEST_TEXT} characters that no rule of risk reads`,
    apply: forEachChange(shortenTexts),
  },
  {
    name: "other_attributes",
    leavesOut: "attributes that neither identify nor are read by rules of risk",
    apply: forEachChange((change) => keepAttributes(change, isRead)),
  },
  {
    name: "values",
    leavesOut: "all attributes: what remains is which resources change, and how",
    apply: forEachChange(withoutValues),
  },
  {
    name: "context",
    leavesOut: "relevant attributes, output changes and checks",
    apply: (plan) => ({ plan: { ...plan, context: {} }, count: Object.keys(plan.context).length }),
  },
];

/**
 * The body with as much of the plan as goes into `maxBytes`, and the steps that made it small enough.
 * @throws {Failure} `plan_too_large` when no step helps.
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
  if (body.byteLength > maxBytes) {
    const { resource_changes: changes } = smaller;
    const count = Array.isArray(changes) ? changes.length : 0;
    const problem = `its ${count} resource changes take ${body.byteLength} bytes without any attribute`;
    throw new Failure(
      "plan_too_large",
      `the plan doesn't go into ${maxBytes} bytes: ${problem}; plan fewer at once`,
    );
  }
  return { body, pruned: smaller.pruned };
}

/** What was left out of a plan by a step, in words. */
export function describePruned({ step, count }: Pruned): string {
  const leavesOut = STEPS.find(({ name }) => name === step)?.leavesOut ?? "";
  return `the plan is too large, so this stays behind: ${leavesOut} (${step}, ${count})`;
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

/** Moves and imports change the state, if not the resource. */
function isIdle({ resource, change }: Change): boolean {
  if ("previous_address" in resource || "importing" in change) return false;
  return isDeepStrictEqual(change["actions"], ["no-op"]) || isDeepStrictEqual(change["actions"], ["read"]);
}

function isRead(name: string): boolean {
  return IDENTIFIER.test(name) || READ_ATTRIBUTES.has(name) || READ_BY_RULES.test(name);
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
    // The database refuses half a character.
    const start = value.slice(0, KEPT_OF_TEXT).toWellFormed();
    return `${start}… (${value.length - KEPT_OF_TEXT} characters left out)`;
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
