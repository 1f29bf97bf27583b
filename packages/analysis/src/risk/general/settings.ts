import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, type Json } from "@leeway/shared/values/json";

import { forgets, goesForGood } from "../../plan/model.ts";
import { pathKey } from "../../plan/path-keys.ts";
import { isEmpty, textsOf } from "../attribute-values.ts";
import { isSetting } from "../cosmetic.ts";
import { pathsOf, valueOf, type Leaf } from "../../plan/leaves.ts";
import { lossOf } from "../loss.ts";
import type { RuleCase, RuleMatch } from "../rule.ts";
import { R02 } from "../rules/R02-protection-removed.ts";
import { R03 } from "../rules/R03-destroy-key-material.ts";
import { R16 } from "../rules/R16-capacity-reduction.ts";
import { isTransition } from "../signs.ts";
import { isNew, type Subject } from "../subject.ts";
import { innerLeaves } from "../text-leaves.ts";
import { concernsStateful, INBOUND, isPublicSign } from "../types.ts";
import { changesText } from "../values.ts";
import { losesCheck, plainLeaf } from "./leaves.ts";
import type { GeneralSign, WordTransition } from "./sign.ts";
import { GENERAL_SIGNS } from "./signs.ts";
import { SETTINGS_OF_PROGRAMS } from "./type-names.ts";
import * as words from "./words.ts";

/**
 * Interprets settings and types that no table knows, by their names and words. Examples: a guard that only monitors,
 * an authentication that is no longer required, a disabled detector.
 * @param known the paths that other rules report
 */
export function readSettings(subject: Subject, known: readonly Path[]): RuleMatch[] {
  const { change } = subject;
  if (goesForGood(change) || forgets(change) || isNew(change)) return [];
  if (SETTINGS_OF_PROGRAMS.test(subject.type.slice(0, LONGEST_NAME))) return [];
  const seen = new Set(known.map(pathKey));
  const unknown = subject.leaves
    .slice(0, MAX_LEAVES)
    .filter(({ path }) => !seen.has(pathKey(path)))
    .flatMap((leaf) => innerLeaves(plainLeaf(leaf, change)));
  const moved = movedValues(unknown);
  const read = unknown.flatMap((leaf) => {
    const meaning = moved.has(keyOf(leaf)) ? undefined : meaningOf(leaf, subject);
    return meaning === undefined ? [] : [{ leaf, ...meaning }];
  });
  const byMeaning = Map.groupBy(read, ({ case: { flag }, message }) => `${flag} ${message}`);
  return [...byMeaning.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const leaves = group.map(({ leaf }) => leaf);
    const message = `${first.message}: ${changesText(leaves)}`;
    return [{ case: first.case, paths: pathsOf(leaves), message }];
  });
}

/** Further leaves aren't read, which bounds the time for any plan. */
const MAX_LEAVES = 2_000;

/** Returns values that another block of the list has after the change, because blocks may only have moved. */
function movedValues(leaves: readonly Leaf[]): ReadonlySet<string> {
  return new Set(leaves.map(({ name, after }) => keyOf({ name, before: after })));
}

function keyOf({ name, before }: Pick<Leaf, "name" | "before">): string {
  return `${name} ${JSON.stringify(before)}`;
}

interface Meaning {
  case: RuleCase;
  message: string;
}

function meaningOf(leaf: Leaf, subject: Subject): Meaning | undefined {
  const { type } = subject;
  if (isSetting(leaf.name) || isServiceType(type, leaf)) return undefined;
  const name = nameOf(leaf);
  if (losesCheck(leaf)) return { case: R02.cases.guardRemoved, message: "Removes a check of who calls" };
  const found = GENERAL_SIGNS.find((sign) => isAbout(sign, name, type) && matchesSign(leaf, sign, name));
  if (found !== undefined && isPublicSign(type, leaf.name)) return undefined;
  if (found === undefined) return switchedOff(leaf, name, subject);
  return found.case === R02.cases.guardRemoved && opensRule(leaf, subject) ? undefined : found;
}

/** Checks for a Kubernetes service type; another rule reports what it exposes. */
function isServiceType(type: string, { name }: Leaf): boolean {
  return type.startsWith("kubernetes_service") && name.endsWith("spec.type");
}

const LONGEST_NAME = 120;

/** Returns the last two steps of a leaf's name, as used by the general signs. */
function nameOf({ name }: Leaf): string {
  return words.normal(name.slice(-LONGEST_NAME)).split(".").slice(-2).join(".");
}

function isAbout({ types, names, but, isOfData }: GeneralSign, name: string, type: string): boolean {
  if (!names.test(name) || but?.test(name) === true) return false;
  if (types !== undefined && !types.test(type.slice(0, LONGEST_NAME))) return false;
  return isOfData !== true || concernsStateful(type);
}

function matchesSign(leaf: Leaf, { transition }: GeneralSign, name: string): boolean {
  if (leaf.hidden || leaf.unknown) return false;
  return isWordTransition(transition)
    ? WORD_TRANSITIONS[transition](leaf, name)
    : isTransition(leaf, transition);
}

function isWordTransition(transition: GeneralSign["transition"]): transition is WordTransition {
  return typeof transition === "string" && Object.hasOwn(WORD_TRANSITIONS, transition);
}

const WORD_TRANSITIONS: Readonly<Record<WordTransition, (leaf: Leaf, name: string) => boolean>> = {
  unblocked: words.isUnblocked,
  loosened: words.isLoosened,
  plainer: words.isPlainer,
  published: words.isPublished,
  unauthenticated: words.isUnauthenticated,
  anybody: words.isForAnybody,
  ended: words.isEnded,
  shorter: words.isShorter,
  switched_off: (leaf, name) => words.isSwitchedOff(leaf, NEGATIVE.test(name)),
  set: ({ before, after }) => isUnset(before) && !isUnset(after),
};

const NEGATIVE = /(?:disabled|deactivated|paused|suspend(?:ed)?)$/;

function isUnset(value: Json | undefined): boolean {
  return isEmpty(value) || value === false || Number(value) <= 0;
}

/** Checks whether an inbound rule changes; the network rules report what it exposes. */
function opensRule({ path }: Leaf, { change, type }: Subject): boolean {
  if (INBOUND.some(({ isFor }) => isFor(type))) return true;
  const around = valueOf(change.before, path.slice(0, -1));
  if (!isObject(around)) return false;
  return ["action", "effect", "access"].some((name) =>
    textsOf(around[name]).some((word) => /^(?:allow|permit|pass|count|log)$/i.test(word)),
  );
}

/** A resource's own switch; switches in its parts may be arbitrary features. */
const SWITCH =
  /^(?:spec\.|properties\.)?(?:(?:is_)?enabled?|status|state|desired_(?:status|state)|disabled|is_disabled|paused|suspend(?:ed)?|is_paused|activated|deactivated|active|is_active)$/;

function switchedOff(leaf: Leaf, name: string, { type, change }: Subject): Meaning | undefined {
  if (!SWITCH.test(name) || !words.isSwitchedOff(leaf, NEGATIVE.test(name))) return undefined;
  if (INBOUND.some(({ isFor }) => isFor(type))) return undefined;
  const loss = BACKGROUND.test(type.slice(0, LONGEST_NAME)) ? "other" : lossOf(type, change.before);
  return OFF[loss] ?? { case: R16.cases.switchedOff, message: "Switches it off" };
}

/** Types that process a backlog, so that stopping one only delays it. */
const BACKGROUND =
  /pipe|event_source_mapping|trigger|schedul|job|connector|state_machine|workflow|transfer|subscription/;

const STOPPING: Meaning = { case: R16.cases.toZero, message: "Stops it" };
const OFF: Readonly<Partial<Record<ReturnType<typeof lossOf>, Meaning>>> = {
  key_material: { case: R03.cases.disabled, message: "Disables it" },
  stateful: STOPPING,
  container: STOPPING,
  serving: STOPPING,
};
