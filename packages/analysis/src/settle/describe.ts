import type { FixResult } from "@leeway/shared/contracts/analyzer/analysis";
import type { PlanNoise } from "@leeway/shared/contracts/analyzer/noise";
import type { Actor } from "@leeway/shared/contracts/common";
import type { RequestedWay } from "@leeway/shared/contracts/analyzer/settlements";
import type { DriftChange } from "@leeway/shared/contracts/inventory/drift";
import { counted } from "@leeway/shared/values/counted";

import { code, list } from "../fix/phrases.ts";
import { nameOf } from "./leaf.ts";
import type { Settled } from "./settle.ts";

/** A change in a merge or pull request, with who decided and what became of it. */
export interface DescribedChange {
  change: DriftChange;
  /** Address in the code, which an undeclared resource gets there. */
  address: string | undefined;
  how: RequestedWay;
  decidedBy: Actor;
  decidedAt: Date;
  outcome: Settled;
}

/** A fix of plan noise in a merge or pull request, with who asked for it. */
export interface DescribedFix {
  noise: PlanNoise;
  fix: FixResult;
  decidedBy: Actor;
  decidedAt: Date;
}

const WORDS = { accept: "Accept", forget: "Forget", adopt: "Adopt" } as const;
/** Longer descriptions are cut; GitHub allows 65,536 characters. */
const MAX_LENGTH = 60_000;
const MAX_PROJECTS = 5;
const DRIFT: Readonly<Partial<Record<DriftChange["kind"], string>>> = {
  missing: "the resource is missing",
  undeclared: "no code declares the resource",
};

/** Describes all settlements and fixes of a source for its merge or pull request, as Markdown. */
export function describeRequest(
  source: { name: string },
  { changes, fixes }: { changes: readonly DescribedChange[]; fixes: readonly DescribedFix[] },
  url: string,
): string {
  const made = changes.filter(({ outcome }) => outcome.kind === "changed");
  const left = changes.filter(({ outcome }) => outcome.kind === "refused");
  const text = [
    `People decided to change the code of ${code(source.name)} because of drift or plan noise that Leeway found. Merge this to make the code agree with the decisions. Leeway never merges it.`,
    ...made.map(describeChange),
    ...fixes.map(describeFix),
    ...(left.length > 0 ? ["Not included, because the edit isn't certain:", ...left.map(describeLeft)] : []),
    `Leeway updates this branch when decisions change, unless it has a commit of somebody else. All changes: <${url}>`,
  ].join("\n\n");
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

function describeChange(described: DescribedChange): string {
  const { change, how, decidedBy, decidedAt, outcome } = described;
  const { attribute_changes: attributes, actor, fingerprint } = change;
  const names = list(attributes.map(({ path }) => code(nameOf(path))));
  const explanation = outcome.kind === "refused" ? "" : outcome.explanation;
  return [
    `### ${WORDS[how]} ${code(calledIn(described))}`,
    `${capital(explanation)}.`,
    `- Drift: ${DRIFT[change.kind] ?? `${names} changed outside the code`}, risk ${change.risk_level}, first seen ${dayOf(change.first_seen_at)}, in ${counted(change.seen_count, "snapshot")}`,
    ...(actor ? [`- Made by ${code(actor.principal)} with ${code(actor.event)} on ${dayOf(actor.at)}`] : []),
    `- Decided by ${code(nameOfActor(decidedBy))} on ${dayOf(decidedAt.toISOString())}`,
    `- Fingerprint: ${code(fingerprint)}`,
  ].join("\n");
}

function describeFix({ noise, fix, decidedBy, decidedAt }: DescribedFix): string {
  const { projects } = noise;
  const more = projects.length > MAX_PROJECTS ? ` and ${projects.length - MAX_PROJECTS} more` : "";
  return [
    `### Fix noise of ${code(noise.resource_type)}`,
    fix.explanation,
    `- Noise: ${code(noise.path_pattern)} (${code(noise.class)}), ${noise.occurrences} times since ${dayOf(noise.first_seen_at)}, in ${list(projects.slice(0, MAX_PROJECTS).map(code))}${more}`,
    ...fix.risks.map((risk) => `- Risk: ${risk}`),
    `- Decided by ${code(nameOfActor(decidedBy))} on ${dayOf(decidedAt.toISOString())}`,
    `- Fingerprint: ${code(noise.fingerprint)}`,
  ].join("\n");
}

function describeLeft(described: DescribedChange): string {
  const { outcome } = described;
  const why = outcome.kind === "refused" ? outcome.refusal.message : "";
  return `- ${code(calledIn(described))}: ${why}`;
}

function calledIn({ change, address }: DescribedChange): string {
  return address ?? change.resource_name ?? change.provider_resource_id ?? change.resource_type;
}

const dayOf = (timestamp: string): string => timestamp.slice(0, 10);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns what people know an actor by. */
function nameOfActor({ type, id, username, host }: Actor): string {
  if (username !== undefined) return host === undefined ? username : `${username} at ${host}`;
  return `${type.replaceAll("_", " ")} ${id}`;
}
