import type { FixResult, NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";

import { applyFix, formatAll } from "./apply-fix.ts";
import { locate, type NoisePlace, type Site } from "./locate.ts";
import { readProject, type Project, type Source } from "./project.ts";
import type { FileEdit, Outcome, Template } from "./template.ts";
import { templatesFor, type RequestedStrategy } from "./templates.ts";
import { code, list } from "./phrases.ts";

export interface FixRequest {
  /** Noise as last seen. */
  noise: NoiseGroup;
  /** Places by project where it was last seen; without it, only the latest place. */
  places?: readonly NoisePlace[];
  /** Configuration files; empty to get only an example. */
  sources: readonly Source[];
  strategy: RequestedStrategy;
}

/**
 * Proposes the narrowest change that stops a kind of noise, in the sources that declare its resources. The
 * explanation lists what couldn't be changed. Never throws, whatever the sources contain.
 */
export async function proposeFix({
  noise,
  places = [noise],
  sources,
  strategy,
}: FixRequest): Promise<FixResult> {
  const safe = withSafeType(noise);
  const templates = templatesFor(noise, strategy);
  if (sources.length === 0)
    return unchanged({ template: templates[0], noise: safe, outcomes: [], notes: [] });
  const project = await readProject(sources);
  try {
    const { sites, missing, keys } = locate(places, project);
    const here = { ...safe, keys };
    const notes = [...few(project.refused), ...few(missing)];
    if (sites.length > 0) return await fixSites({ sites, noise: here, templates, project, notes });
    return await unchanged({ template: templates[0], noise: here, outcomes: [], notes });
  } finally {
    project.free();
  }
}

/** Replaces types that aren't plain names, because they come from the plan and are written into blocks. */
function withSafeType(noise: NoiseGroup): NoiseGroup {
  return /^[a-z]\w*$/i.test(noise.resource_type) ? noise : { ...noise, resource_type: "resource_type" };
}

/** Larger fixes are unreviewable. */
const MAX_EDITS = 2_000;

interface Work {
  sites: readonly Site[];
  noise: NoiseGroup;
  templates: readonly [Template, ...Template[]];
  project: Project;
  notes: readonly string[];
}

interface Attempt {
  template: Template;
  outcomes: readonly Outcome[];
  /** Number of blocks that need no other change. */
  done: number;
}

async function fixSites({ sites, noise, templates, project, notes }: Work): Promise<FixResult> {
  const { template, outcomes } = best(templates, sites, (template) =>
    sites.map((site) => template.apply(site, noise, project)),
  );
  const edits = outcomes.flatMap((outcome) => (outcome.kind === "changed" ? outcome.edits : []));
  const reasons = new Set(outcomes.flatMap((outcome) => (outcome.kind === "changed" ? [] : [outcome.why])));
  const remarks = [...few([...reasons]), ...notes];
  if (edits.length === 0) return unchanged({ template, noise, outcomes, notes: remarks });
  if (edits.length > MAX_EDITS) {
    const tooMany = `the fix needs ${edits.length} changes, and at most ${MAX_EDITS} are made`;
    return unchanged({ template, noise, outcomes: [], notes: [tooMany, ...notes] });
  }
  const { patches, hcl, parsed, formatted, refusal } = await applyFix(unique(edits));
  return {
    strategy: template.strategy,
    explanation: sentences([refusal ?? template.explain(noise), ...remarks]),
    patches,
    hcl,
    risks: [...template.risks(noise), ...sharedRisks(sites)],
    verified: { parsed, formatted, replan: "not_run" },
  };
}

/** Picks the first template that handles all blocks, otherwise the first of those that handle the most. */
function best(
  templates: Work["templates"],
  sites: readonly Site[],
  attempt: (template: Template) => Outcome[],
): Attempt {
  let most: Attempt | undefined;
  for (const template of templates) {
    const outcomes = attempt(template);
    const done = outcomes.filter(({ kind }) => kind !== "cannot").length;
    if (most === undefined || done > most.done) most = { template, outcomes, done };
    if (done === sites.length) break;
  }
  return most ?? { template: templates[0], outcomes: [], done: 0 };
}

/** Removes duplicates, because two blocks may ask for the same provider change. */
function unique(edits: readonly FileEdit[]): FileEdit[] {
  return [...new Map(edits.map((edit) => [keyOf(edit), edit])).values()];
}

const keyOf = ({ file, start, end, text }: FileEdit): string => JSON.stringify([file.path, start, end, text]);

/** Returns a result without patches: the reason, and an example of the change. */
async function unchanged({ template, noise, outcomes, notes }: Unchanged): Promise<FixResult> {
  const isDone = outcomes.length > 0 && outcomes.every(({ kind }) => kind === "already");
  const help = isDone ? [] : [`Proposed fix: ${template.explain(noise)}`];
  const { text, parsed, formatted } = await formatAll(template.example(noise));
  return {
    strategy: template.strategy,
    explanation: sentences(["No file was changed", ...notes, ...help]),
    patches: [],
    hcl: text,
    risks: template.risks(noise),
    verified: { parsed, formatted, replan: "not_run" },
  };
}

interface Unchanged {
  template: Template;
  noise: NoiseGroup;
  outcomes: readonly Outcome[];
  notes: readonly string[];
}

function sharedRisks(sites: readonly Site[]): string[] {
  const shared = sites.filter(({ isShared }) => isShared).map(({ file }) => code(file.path));
  if (shared.length === 0) return [];
  return [`${list([...new Set(shared)])} belongs to a module, so the change affects all its callers.`];
}

const MAX_NOTES = 5;

function few(notes: readonly string[]): string[] {
  const more = notes.length - MAX_NOTES;
  return more > 0 ? [...notes.slice(0, MAX_NOTES), `${more} more like these`] : [...notes];
}

const sentences = (parts: readonly string[]): string =>
  parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1).replace(/[.:]?$/, ".")).join(" ");
