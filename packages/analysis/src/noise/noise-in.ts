import { isDeepStrictEqual } from "node:util";

import type { AttributeChange, NoiseClass, Path } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json } from "@leeway/shared/values/json";

import type { Plan, ResourceChange } from "../plan/model.ts";
import { CLASS_WORDS } from "./classes.ts";
import { HIDDEN_FROM } from "./confidence.ts";
import {
  byLeaf,
  byList,
  isReadable,
  type Detector,
  type Explanation,
  type NoiseSource,
  type Subject,
} from "./detector.ts";
import { noiseFingerprint, shapeOf, type Kind } from "./fingerprint.ts";
import { pathPattern } from "./path-pattern.ts";
import { indexPlan } from "./plan-index.ts";
import { upgradeChurn, type Unexplained } from "./rules/churn.ts";
import { computedOnly } from "./rules/computed.ts";
import { materializedDefault } from "./rules/defaults.ts";
import { inlineItems, inlineText } from "./rules/inline.ts";
import { autoscalerOwned, latestImage, rotatedSecrets, timestamps } from "./rules/owned.ts";
import { sameItems } from "./rules/same-items.ts";
import { sameJson, samePrincipals } from "./rules/same-json.ts";
import { sameButTrailing, sameCase } from "./rules/same-text.ts";
import { sameButType } from "./rules/same-type.ts";
import { sameValue } from "./rules/same-value.ts";
import { externalTags, repeatedDefaultTags, tagsAllAlone } from "./rules/tags.ts";

/** Differences of one resource that mean nothing, all for the same reason. */
export interface Noise {
  change: ResourceChange;
  source: NoiseSource;
  class: NoiseClass;
  title: string;
  /** 1 if both sides are proven to be equivalent. */
  confidence: number;
  /** Differences that this noise explains; no other noise explains them. */
  paths: Path[];
  pathPattern: string;
  fingerprint: string;
  /** Values of the first path; an unknown value is null. */
  sample: { before: Json; after: Json };
  /** Whether some paths have values other than the sample's. */
  varies: boolean;
}

/** Detectors in order: a difference that one explains isn't passed to the next. Proven classes come first. */
const DETECTORS: readonly Detector[] = [
  byList(sameItems),
  byLeaf([
    sameJson,
    sameValue,
    samePrincipals,
    sameCase,
    sameButTrailing,
    sameButType,
    repeatedDefaultTags,
    externalTags,
    materializedDefault,
    autoscalerOwned,
    inlineText,
  ]),
  byList(inlineItems),
  latestImage,
  rotatedSecrets,
  tagsAllAlone,
];

/** Returns the noise in a plan's changes, then in its drift. Ignores data sources. */
export function noiseIn(plan: Plan): Noise[] {
  const explained = subjectsOf(plan).map((subject) => ({ subject, ...explainAll(subject) }));
  const open = explained.flatMap(({ subject, open }) =>
    open.map((difference): Unexplained => ({ subject, difference })),
  );
  const churn = Map.groupBy(upgradeChurn(open), ({ subject }) => subject);
  const fingerprint = fingerprints();
  return explained.flatMap(({ subject, explanations }) => {
    const more = churn.get(subject)?.map(({ explanation }) => explanation) ?? [];
    return noiseOf(subject, [...explanations, ...more], fingerprint);
  });
}

function subjectsOf(plan: Plan): Subject[] {
  const index = indexPlan(plan);
  const subjects = (list: readonly ResourceChange[], source: NoiseSource): Subject[] =>
    list
      .filter(({ mode, differences }) => mode === "managed" && differences.length > 0)
      .map((change) => ({
        change,
        source,
        plan: index,
        readable: new Set(change.differences.filter(isReadable)),
      }));
  return [...subjects(plan.changes, "change"), ...subjects(plan.drift, "drift")];
}

/** Caches fingerprints, because a plan repeats few kinds of noise many times. */
function fingerprints(): (kind: Kind) => string {
  const known = new Map<string, string>();
  return (kind) => {
    const { provider, type, class: noiseClass, paths, shape } = kind;
    const key = [provider, type, noiseClass, ...paths, ...shape].join("\n");
    const fingerprint = known.get(key) ?? noiseFingerprint(kind);
    known.set(key, fingerprint);
    return fingerprint;
  };
}

interface Explained {
  explanations: Explanation[];
  open: readonly AttributeChange[];
}

function explainAll(subject: Subject): Explained {
  let explained: Explained = { explanations: [], open: subject.change.differences };
  for (const detector of DETECTORS) explained = explainMore(explained, detector, subject);
  // Any difference still visible shows that something was configured.
  const isAllHidden = explained.explanations.every(({ confidence }) => confidence >= HIDDEN_FROM);
  if (isAllHidden) explained = explainMore(explained, computedOnly, subject);
  return explainMore(explained, timestamps, subject);
}

function explainMore({ explanations, open }: Explained, detector: Detector, subject: Subject): Explained {
  const more = open.length > 0 ? detector(open, subject) : [];
  if (more.length === 0) return { explanations, open };
  const done = new Set(more.flatMap(({ differences }) => differences));
  return {
    explanations: [...explanations, ...more],
    open: open.filter((difference) => !done.has(difference)),
  };
}

function noiseOf(
  subject: Subject,
  explanations: readonly Explanation[],
  fingerprint: (kind: Kind) => string,
): Noise[] {
  const noise = new Map<string, Noise>();
  for (const explanation of explanations) {
    const one = toNoise(subject, explanation, fingerprint);
    const key = `${one.fingerprint} ${one.confidence}`;
    const same = noise.get(key);
    if (!same) noise.set(key, one);
    else {
      same.paths.push(...one.paths);
      same.varies ||= !isDeepStrictEqual(same.sample, one.sample);
    }
  }
  return noise.values().toArray();
}

function toNoise(
  { change, source }: Subject,
  explanation: Explanation,
  fingerprint: (kind: Kind) => string,
): Noise {
  const { class: noiseClass, confidence, at, differences, before, after } = explanation;
  const pattern = pathPattern(at);
  const isUnknown = differences.some(({ unknown }) => unknown);
  return {
    change,
    source,
    class: noiseClass,
    title: CLASS_WORDS[noiseClass].title,
    confidence,
    paths: differences.map(({ path }) => path),
    pathPattern: pattern,
    fingerprint: fingerprint({
      provider: change.providerName,
      type: change.type,
      class: noiseClass,
      paths: [pattern],
      shape: [shapeOf(before), isUnknown ? "unknown" : shapeOf(after)],
    }),
    sample: { before, after },
    varies: false,
  };
}
