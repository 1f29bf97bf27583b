import type { FixResult, NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";

import { applyFix, formatAll } from "./apply-fix.ts";
import { locate, type NoisePlace, type Site } from "./locate.ts";
import { readProject, type Project, type Source } from "./project.ts";
import type { FileEdit, Outcome, Template } from "./template.ts";
import { templatesFor, type WishedStrategy } from "./templates.ts";
import { code, list } from "./phrases.ts";

export interface FixRequest {
  /** As it was seen last. */
  noise: NoiseGroup;
  /** Where each project that has it had it last; without, where it was seen last. */
  places?: readonly NoisePlace[];
  /** The configuration; none for an example only. */
  sources: readonly Source[];
  strategy: WishedStrategy;
}

/**
 * The narrowest change that stops a kind of noise, made in the sources that declare its resources. What can't be
 * done is told in the explanation; nothing in the sources makes this fail.
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

/** What comes from a plan is put into blocks only where it can't be taken for more than a name. */
function withSafeType(noise: NoiseGroup): NoiseGroup {
  return /^[a-z]\w*$/i.test(noise.resource_type) ? noise : { ...noise, resource_type: "resource_type" };
}

/** More are nobody's to review. */
const MOST_EDITS = 2_000;

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
  /** Blocks that need nothing else. */
  done: number;
}

async function fixSites({ sites, noise, templates, project, notes }: Work): Promise<FixResult> {
  const { template, outcomes } = best(templates, sites, (template) =>
    sites.map((site) => template.apply(site, noise, project)),
  );
  const edits = outcomes.flatMap((outcome) => (outcome.kind === "changed" ? outcome.edits : []));
  const reasons = new Set(outcomes.flatMap((outcome) => (outcome.kind === "changed" ? [] : [outcome.why])));
  const told = [...few([...reasons]), ...notes];
  if (edits.length === 0) return unchanged({ template, noise, outcomes, notes: told });
  if (edits.length > MOST_EDITS) {
    const tooMany = `${edits.length} changes would be needed, and more than ${MOST_EDITS} aren't made`;
    return unchanged({ template, noise, outcomes: [], notes: [tooMany, ...notes] });
  }
  const { patches, hcl, parsed, formatted, refusal } = await applyFix(unique(edits));
  return {
    strategy: template.strategy,
    explanation: sentences([refusal ?? template.explain(noise), ...told]),
    patches,
    hcl,
    risks: [...template.risks(noise), ...sharedRisks(sites)],
    verified: { parsed, formatted, replan: "not_run" },
  };
}

/** The first that deals with all blocks, else the first of those that deal with the most. */
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

/** Two blocks may ask for the same change of their provider. */
function unique(edits: readonly FileEdit[]): FileEdit[] {
  return [...new Map(edits.map((edit) => [keyOf(edit), edit])).values()];
}

const keyOf = ({ file, start, end, text }: FileEdit): string => JSON.stringify([file.path, start, end, text]);

/** What was found instead of something to change, and how it would look. */
async function unchanged({ template, noise, outcomes, notes }: Unchanged): Promise<FixResult> {
  const isDone = outcomes.length > 0 && outcomes.every(({ kind }) => kind === "already");
  const help = isDone ? [] : [`What would stop it: ${template.explain(noise)}`];
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
  return [`${list([...new Set(shared)])} belongs to a module: the change reaches all that call it.`];
}

const MOST_NOTES = 5;

function few(notes: readonly string[]): string[] {
  const more = notes.length - MOST_NOTES;
  return more > 0 ? [...notes.slice(0, MOST_NOTES), `${more} more are like these`] : [...notes];
}

const sentences = (parts: readonly string[]): string =>
  parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1).replace(/[.:]?$/, ".")).join(" ");
